import type { Trait, Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { argumentsOf, isHelpOnly, joined, rows, withText } from '../helpers.js';
import { parseOptions, type OptionSpec } from '../options.js';

/** Source: OpenBSD nc(1), traditional nc(1), ncat(1) 7.95: what the three share, and what any of them adds. */
const NETCAT: OptionSpec = {
  flags:
    '-4 -6 -D -d -h|--help -k|--keep-open -l|--listen -n|--nodns -N -r|--randomize -R -S -t|--telnet -U|--unixsock -u|--udp -v|--verbose -z -C|--crlf -b -F -Z --sctp --vsock --ssl --broker --chat --send-only --recv-only --append-output --no-shutdown --version --ssl-verify',
  values:
    '-e|--exec -c|--sh-exec --lua-exec -g -G -i|--idle-timeout -I -O -o|--output -p|--source-port -q -s|--source -T -V -w|--wait -X -x|--hex-dump -P -m|--max-conns --proxy --proxy-type --proxy-auth --proxy-dns --allow --allowfile --deny --denyfile --ssl-cert --ssl-key --ssl-servername --ssl-ciphers --delay',
  abbreviates: true,
};

const EVERYWHERE = '0.0.0.0';

/** Both ways: what comes in may be run by the next command, what goes out may be a file. */
const bothWays = (run: Run): readonly Trait[] =>
  run.invocation.input.type === 'none' ? ['download'] : ['download', 'upload'];

/** Somebody at the other end gives commands to a program of this machine. */
function giveAway(run: Run, program: Word): void {
  run.emit(
    'execute',
    { type: 'process', process: program.text },
    {
      traits: ['remote-code', 'grants-access'],
      certainty: program.certainty,
      note: 'its input comes from the network',
    },
  );
}

function netcat(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(NETCAT, words);
  for (const option of parsed.unknown) run.unknown(`option ${option.text} of nc`);
  const output = parsed.value('-o');
  if (output) run.write(output);
  const proxy = parsed.value('--proxy') ?? (/[.:]/.test(parsed.value('-x')?.text ?? '') ? parsed.value('-x') : null);
  if (proxy) run.network(proxy, { method: 'CONNECT', note: 'the connection really goes there' });
  const isListening = parsed.has('-l');
  const [first, second] = parsed.operands;
  if (parsed.has('-U') && first) {
    run.write(first, { traits: ['edit'], note: 'speaks to the service behind the socket' });
  } else if (isListening) {
    const port = parsed.value('-p')?.text ?? second?.text ?? first?.text ?? '';
    const host = second && first ? first.text : EVERYWHERE;
    run.network(exactWord(`${host}:${port}`), { method: 'LISTEN', traits: ['publish', 'outward', ...bothWays(run)] });
  } else if (first) {
    const target = second && /^\d+$/.test(second.text) ? withText(first, `${first.text}:${second.text}`) : first;
    run.network(target, {
      method: parsed.has('-z') ? 'CONNECT' : 'SEND',
      traits: parsed.has('-z') ? [] : bothWays(run),
    });
  }
  for (const program of parsed.values('-e', '--lua-exec')) {
    giveAway(run, program);
    run.carry(program.text.split(/\s+/).map((part) => withText(program, part)));
  }
  for (const line of parsed.values('-c')) {
    if (/^\d+$/.test(line.text)) continue;
    giveAway(run, line);
    run.code('sh', line);
  }
}

/** Kinds of address of socat that connect or listen. Source: socat(1) 1.8. */
const CONNECTS =
  /^(TCP[46]?|UDP[46]?|UDP[46]?-SENDTO|UDP[46]?-DATAGRAM|SCTP[46]?|DCCP[46]?|OPENSSL|SSL|OPENSSL-DTLS-CLIENT|VSOCK|SOCKS[45A]*|PROXY|IP[46]?-SENDTO|INTERFACE|TUN|.*-CONNECT)$/;
const LISTENS = /(-LISTEN|-L|-RECVFROM|-RECV|-DTLS-SERVER)$/;
const FILES = /^(OPEN|FILE|GOPEN|CREATE|CREAT|PIPE|FIFO|ECHO)$/;

/** One address: `TYPE:arguments,option,option`. Quotes and backslashes only keep separators from parting. */
function socatAddress(run: Run, word: Word, side: 'both' | 'source' | 'target'): void {
  const parts = word.text.split('!!');
  if (parts.length > 1) {
    parts.forEach((part) => socatAddress(run, withText(word, part), side));
    return;
  }
  const unquoted = word.text.replace(/\\(.)/g, '$1').replace(/^(['"])(.*)\1$/s, '$2');
  const [, kind = '', rest = ''] = /^([\w-]*):?(.*)$/s.exec(unquoted) ?? [];
  const type = kind.toUpperCase();
  const plain = rest.replace(/^["']|["']$/g, '');
  const argument = (/^([^,]*)/.exec(plain)?.[1] ?? plain).replace(/^["']|["']$/g, '');
  if (unquoted === '-' || /^(STDIO|STDIN|STDOUT|STDERR|PTY|READLINE|FD|TERMIOS)$/.test(type)) return;
  if (type === 'EXEC') {
    giveAway(run, withText(word, plain));
    run.code('sh', withText(word, withoutOptions(plain)));
  } else if (type === 'SYSTEM' || type === 'SHELL') {
    giveAway(run, withText(word, plain === '' ? 'sh' : plain));
    if (plain === '') run.carry([exactWord('sh')]);
    else run.code('sh', withText(word, withoutOptions(plain)));
  } else if (LISTENS.test(type)) {
    run.network(exactWord(`${EVERYWHERE}:${argument}`), {
      method: 'LISTEN',
      traits: ['publish', 'outward', 'upload', 'download'],
    });
  } else if (/^(UNIX|ABSTRACT|LOCAL)/.test(type)) {
    run.write(withText(word, argument), { traits: ['edit'], note: 'speaks to the service behind the socket' });
  } else if (CONNECTS.test(type)) {
    const target = type === 'PROXY' || type.startsWith('SOCKS') ? argument.split(':').slice(0, 2).join(':') : argument;
    run.network({ ...withText(word, target), raw: target }, { method: 'SEND', traits: ['upload', 'download'] });
  } else if (FILES.test(type) || unquoted.includes('/')) {
    const folder = /(?:^|,)(?:chdir|cd)=([^,]*)/.exec(rest)?.[1];
    const path = FILES.test(type) ? argument : unquoted.replace(/,.*$/s, '');
    const file = withText(word, folder && !path.startsWith('/') ? `${folder}/${path}` : path);
    if (/^CREAT/.test(type)) run.write(file);
    else {
      if (side !== 'target') run.read(file);
      if (side !== 'source') run.write(file, { traits: ['edit'] });
    }
  } else run.unknown(`address ${word.raw} of socat`);
}

/** Options of an address stand after a comma; a command may hold commas inside quotes. */
const withoutOptions = (text: string): string =>
  text.replace(
    /,(?:pty|stderr|setsid|sigint|sane|ctty|nofork|su(?:-d)?=\w+|user=\w+|chdir=[^,]*|fdin=\d+|fdout=\d+|pipes|login|raw|echo=\d|crlf|end-close|history=[^,]*)(?=,|$)/g,
    '',
  );

function socat(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags: '-V -h -? -d -D -v -x -s -u -U -g -4 -6 -lp -ly -lu -lh -k -S',
      values: '-b -t -T -L -W -lf -lp -r -R -lm',
      optional: '',
    },
    words,
  );
  const [first, second] = parsed.operands;
  if (first) socatAddress(run, first, parsed.has('-u') ? 'source' : parsed.has('-U') ? 'target' : 'both');
  if (second) socatAddress(run, second, parsed.has('-u') ? 'target' : parsed.has('-U') ? 'source' : 'both');
  for (const name of ['-r', '-R']) {
    const file = parsed.value(name);
    if (file) run.write(file);
  }
}

function telnet(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions({ flags: '-4 -6 -8 -E -K -L -a -c -d -r -x', values: '-e -l -n -S -X -b -k' }, words);
  const [host, port] = parsed.operands;
  if (host) run.network(port ? joined([host, port], ':') : host, { method: 'SEND', traits: bothWays(run) });
  const trace = parsed.value('-n');
  if (trace) run.write(trace);
}

export const netcatPrograms: readonly ProgramEntry[] = [
  // A builtin of zsh with a module loaded: the connection is a descriptor afterwards.
  ...rows('ztcp', (run) => {
    const [host, port] = argumentsOf(run.invocation).filter(({ text }) => !text.startsWith('-'));
    if (host)
      run.network(port ? withText(host, `${host.text}:${port.text}`) : host, { traits: ['upload', 'download'] });
  }),
  ...rows('nc|netcat|nc.openbsd|nc.traditional|ncat|nmap-ncat', netcat),
  ...rows('socat', socat),
  ...rows('telnet', telnet),
];
