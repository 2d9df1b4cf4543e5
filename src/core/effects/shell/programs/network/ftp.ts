import type { ProgramEntry, Run } from '../../run.js';
import { argumentsOf, isHelpOnly, rows, withText } from '../helpers.js';
import { parseOptions } from '../options.js';

/** `ftp`, `tftp`: what is transferred stands in the conversation. */
function ftp(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    { flags: '-4 -6 -A -a -d -e -f -g -i -n -p -t -v -V -R', values: '-c -m -N -o -P -q -r -s -T -u -x' },
    words,
  );
  const [host] = parsed.operands;
  if (!host) return;
  const upload = parsed.value('-u');
  run.network(host, {
    method: upload ? 'PUT' : 'GET',
    traits: ['outward', 'download', ...(upload || run.invocation.input.type !== 'none' ? (['upload'] as const) : [])],
    reversible: 'no',
  });
  const output = parsed.value('-o');
  if (output && output.text !== '-') run.write(output, { traits: ['download'] });
  if (run.invocation.input.type === 'text') conversation(run, run.invocation.input.text);
  else if (run.invocation.input.type !== 'none') run.unknown('a file transfer whose commands are not seen');
}

/** Commands of a conversation that touch files here, or take files away there. */
function conversation(run: Run, text: string): void {
  for (const line of text.split(/\r?\n|;/)) {
    const [verb = '', first = '', second = ''] = line.trim().split(/\s+/);
    const word = (path: string) => ({
      text: path,
      raw: path,
      certainty: /[*?]/.test(path) ? ('pattern' as const) : ('exact' as const),
      quoted: false,
    });
    if (/^m?(put|send)$|^append$/i.test(verb) && first) run.read(word(first));
    else if (/^m?(get|recv)$/i.test(verb) && first) run.write(word(second || first), { traits: ['download'] });
    else if (/^(m?del(ete)?|rm|rmdir|rename)$/i.test(verb))
      run.emit('delete', { type: 'remote', service: 'ftp', name: first }, { reversible: 'no' });
    else if (verb.startsWith('!')) run.code('sh', word(line.trim().slice(1)));
  }
}

/** Source: lftp(1). */
function lftp(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions({ flags: '-d -v', values: '-c -e -f -p -u' }, words);
  const [host] = parsed.operands;
  if (host) run.network(host, { method: 'GET', traits: ['outward', 'download', 'upload'], reversible: 'no' });
  for (const commands of parsed.values('-c', '-e')) {
    const opened = /\bopen\s+(?:-\S+\s+)*(\S+)/.exec(commands.text)?.[1];
    if (opened) run.network(withText(commands, opened), { traits: ['outward', 'upload', 'download'] });
    conversation(run, commands.text);
    if (/\bmirror\b.*(-R|--reverse)/.test(commands.text)) run.unknown('a whole folder is sent by lftp');
    if (/\bmirror\b.*(-e|--delete|--Remove)/.test(commands.text))
      run.emit('delete', { type: 'remote', service: 'ftp', name: '' }, { traits: ['mass'], reversible: 'no' });
  }
  if (parsed.has('-f')) run.unknown('a file of commands for lftp');
}

/** Source: aria2c(1). */
function aria2(run: Run): void {
  const words = argumentsOf(run.invocation);
  const parsed = parseOptions(
    {
      flags: '-c -q -V -D -U -Z -P -j0',
      values:
        '-d|--dir -o|--out -i|--input-file -x -s -k -j -l --header --all-proxy --http-proxy --https-proxy --load-cookies --save-cookies --conf-path',
      abbreviates: true,
    },
    words,
  );
  if (isHelpOnly(words)) return;
  for (const word of parsed.unknown) {
    const command = /^--on-[\w-]+=(.*)$/s.exec(word.text)?.[1];
    if (command === undefined) continue;
    run.emit('execute', { type: 'process', process: command }, { traits: ['covert'], note: 'runs after a download' });
    run.carry([withText(word, command)]);
  }
  for (const url of parsed.operands) run.network(url, { method: 'GET', traits: ['download'] });
  const list = parsed.value('-i');
  if (list) {
    run.read(list);
    run.unknown('a file of addresses for aria2c');
  }
  run.write(parsed.value('-o') ?? parsed.value('-d') ?? { text: '.', raw: '.', certainty: 'exact', quoted: true }, {
    traits: ['download', 'create'],
  });
}

/** Source: yt-dlp README, "Usage". */
function videoDownload(run: Run): void {
  const words = argumentsOf(run.invocation);
  const parsed = parseOptions(
    {
      flags: '-F -j -J -s -x -k -i -v -q --no-playlist',
      values:
        '-f -o -P -a --exec --cookies --cookies-from-browser --proxy --audio-format --config-locations --postprocessor-args --external-downloader',
      negates: true,
    },
    words,
  );
  if (isHelpOnly(words)) return;
  for (const command of parsed.values('--exec')) run.code('sh', withText(command, command.text.replace(/^\w+:/, '')));
  if (parsed.has('--cookies-from-browser'))
    run.emit('read', { type: 'environment', name: 'browser cookies' }, { traits: ['secret', 'personal'] });
  for (const url of parsed.operands) run.network(url, { method: 'GET', traits: ['download'] });
  if (!parsed.has('-F', '-j', '-J', '-s'))
    run.write(parsed.value('-P') ?? { text: '.', raw: '.', certainty: 'exact', quoted: true }, {
      traits: ['download', 'create'],
    });
}

export const ftpPrograms: readonly ProgramEntry[] = [
  ...rows('ftp tftp ncftp', ftp),
  ...rows('lftp', lftp),
  ...rows('aria2c|aria2', aria2),
  ...rows('yt-dlp|youtube-dl', videoDownload),
];
