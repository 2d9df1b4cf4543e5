import type { Trait, Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { argumentsOf, isHelpOnly, joined, rows, withText } from '../helpers.js';
import { parseOptions, type OptionSpec, type ParsedOptions } from '../options.js';

/** Source: ssh(1) of OpenSSH 9.9. */
const SSH: OptionSpec = {
  flags: '-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y',
  values: '-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w',
  stopsAtOperand: true,
};

/** Settings of ssh_config whose value runs on this machine. Source: ssh_config(5). */
const RUNS = /^(proxycommand|localcommand|knownhostscommand|match)$/i;
/** Settings that take a check away. */
const WEAKENS = /^(stricthostkeychecking|userknownhostsfile|forwardagent|permitlocalcommand|checkhostip)$/i;

/** Settings given with `-o Key=Value` or `-o "Key Value"`: what they run here is analysed as code. */
function obeySettings(run: Run, settings: readonly Word[]): void {
  for (const setting of settings) {
    const [, key = '', value = ''] = /^\s*(\w+)(?:\s*=\s*|\s+)(.*)$/s.exec(setting.text) ?? [];
    if (!RUNS.test(key) || /^none$/i.test(value)) continue;
    const command = withText(
      setting,
      key.toLowerCase() === 'match' ? value.replace(/^.*\bexec\s+"?/is, '').replace(/"$/, '') : value,
    );
    run.emit(
      'execute',
      { type: 'process', process: command.text },
      { traits: ['covert'], certainty: setting.certainty, note: `${key} runs on this machine` },
    );
    run.code('sh', command);
  }
}

const weakeningTraits = (settings: readonly Word[]): readonly Trait[] =>
  settings.some(({ text }) => {
    const [, key = '', value = ''] = /^\s*(\w+)\s*[=\s]\s*(.*)$/s.exec(text) ?? [];
    const weak = /^(?:permitlocalcommand|forwardagent)$/i.test(key)
      ? /^yes|^[/$]/i
      : /^(?:no|off|accept-new)\b|\/dev\/null/i;
    return WEAKENS.test(key) && weak.test(value);
  })
    ? ['removes-check']
    : [];

/** `user@host`, `ssh://user@host:port`: the host alone, as a word for `run.network`. */
function addressOf(host: Word, port: Word | null): Word {
  const text = host.text
    .replace(/^ssh:\/\//i, '')
    .replace(/^[^@]*@/, '')
    .replace(/\/.*$/s, '');
  return withText(host, `ssh://${text}${port ? `:${port.text}` : ''}`);
}

function ssh(run: Run): void {
  const words = argumentsOf(run.invocation);
  const first = parseOptions(SSH, words);
  if (first.has('-V', '-Q', '-G')) return;
  const [host, ...rest] = first.operands;
  const second = parseOptions(SSH, rest); // Options may stand behind the host too.
  const used = (name: string): readonly Word[] => [...first.values(name), ...second.values(name)];
  const has = (...names: readonly string[]): boolean => first.has(...names) || second.has(...names);
  for (const option of [...first.unknown, ...second.unknown]) run.unknown(`option ${option.text} of ssh`);
  obeySettings(run, used('-o'));
  for (const file of used('-F')) if (file.text !== 'none' && file.text !== '/dev/null') run.read(file);
  for (const file of used('-E')) run.write(file, { traits: ['append'] });
  for (const jump of used('-J'))
    for (const hop of jump.text.split(','))
      run.network(addressOf(withText(jump, hop), null), { note: 'the connection goes through it' });
  if (!host) return;
  const command = second.operands;
  const isFed = run.invocation.input.type !== 'none' && !has('-n');
  const traits: Trait[] = ['outward', ...weakeningTraits(used('-o'))];
  if (isFed) traits.push('upload', 'download');
  if (has('-A')) traits.push('grants-access');
  if (command.length === 0 && !isFed && !has('-N')) traits.push('interactive');
  run.network(addressOf(host, used('-p').at(-1) ?? null), { traits, reversible: 'no' });
  forward(run, used('-R'), 'a port of the other machine leads here');
  forward(run, used('-w'), 'a tunnel between the networks');
  const where = { type: 'remote', service: 'ssh', name: host.text } as const;
  const line = joined(command);
  if (command.length > 0) run.elsewhere(where, [exactWord('sh'), exactWord('-c'), line]);
  else if (isFed && !has('-N')) run.elsewhere(where, [exactWord('sh')]);
}

function forward(run: Run, routes: readonly Word[], note: string): void {
  for (const route of routes)
    run.network(exactWord('0.0.0.0'), {
      method: 'LISTEN',
      traits: ['publish', 'outward', 'daemon'],
      certainty: route.certainty,
      note,
    });
}

/** Source: scp(1) of OpenSSH 9.9. */
const SCP: OptionSpec = { flags: '-3 -4 -6 -A -B -C -O -p -q -R -r -s -T -v', values: '-c -D -F -i -J -l -o -P -S -X' };

/** Where a file of scp or rsync lies: on a host, or here. A colon after a slash is part of a name. Source: scp(1). */
function placeOf(word: Word): { readonly host: Word; readonly path: Word } | null {
  const uri = /^(?:scp|sftp|rsync):\/\/([^/]+)\/?(.*)$/is.exec(word.text);
  const plain = uri ?? /^((?:[^@/:]*@)?(?:\[[^\]]*\]|[^/:]+))::?(.*)$/s.exec(word.text);
  if (!plain) return null;
  if (!uri && /^[a-z]:[\\/]/i.test(word.text)) return null;
  const host = (plain[1] ?? '').replace(/^[^@]*@/, '');
  return {
    host: { ...withText(word, `ssh://${host}`), certainty: host.includes('$') ? word.certainty : 'exact' },
    path: withText(word, plain[2] ?? ''),
  };
}

/** Copies between machines: what goes out is read and sent, what comes in is written. */
function transfer(run: Run, sources: readonly Word[], target: Word, traits: readonly Trait[]): void {
  const goesTo = placeOf(target);
  const hostName = (place: Word): string => place.text.replace(/^ssh:\/\//, '');
  for (const source of sources) {
    const comesFrom = placeOf(source);
    if (comesFrom) run.network(comesFrom.host, { method: 'GET', traits: ['download'] });
    if (goesTo) {
      if (!comesFrom) run.read(source, { traits });
      run.network(goesTo.host, { method: 'PUT', traits: ['outward', 'upload'], reversible: 'no' });
    } else if (comesFrom) run.write(target, { traits: [...traits, 'download'] });
    else run.copy(source, target, { traits });
  }
  if (goesTo)
    run.emit(
      'write',
      { type: 'remote', service: 'ssh', name: `${hostName(goesTo.host)}:${goesTo.path.text}` },
      { traits: ['outward'], certainty: target.certainty, reversible: 'no' },
    );
}

function runTransport(run: Run, program: Word | null): void {
  if (
    !program ||
    /^ssh( -[46AaCKkqTtXxv]+| -p ?\d+| -[il] ?\S+| -o ?(StrictHostKeyChecking|UserKnownHostsFile|ConnectTimeout|BatchMode|Port|IdentityFile)[= ]\S+)*$/.test(
      program.text,
    )
  )
    return;
  run.emit(
    'execute',
    { type: 'process', process: program.text },
    { traits: ['covert'], certainty: program.certainty, note: 'it runs instead of ssh' },
  );
  run.code('sh', program);
}

function scp(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(SCP, words);
  for (const option of parsed.unknown) run.unknown(`option ${option.text} of scp`);
  obeySettings(run, parsed.values('-o'));
  runTransport(run, parsed.value('-S'));
  const target = parsed.operands.at(-1);
  if (target) transfer(run, parsed.operands.slice(0, -1), target, parsed.has('-r') ? ['recursive'] : []);
}

function sftp(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    { flags: '-4 -6 -A -a -C -f -N -p -q -r -v', values: '-B -b -c -D -F -i -J -l -o -P -R -S -s -X' },
    words,
  );
  obeySettings(run, parsed.values('-o'));
  runTransport(run, parsed.value('-S'));
  const batch = parsed.value('-b');
  if (batch && batch.text !== '-') run.read(batch);
  const [host, target] = parsed.operands;
  if (!host) return;
  run.network(placeOf(host)?.host ?? addressOf(host, parsed.value('-P')), {
    method: 'GET',
    traits: ['outward', 'download'],
    reversible: 'no',
  });
  if (target) run.write(target, { traits: ['download'] });
  else if (batch || run.invocation.input.type !== 'none') run.unknown('a file transfer whose commands are not seen');
}

/** Source: rsync(1) 3.4. */
const RSYNC: OptionSpec = {
  flags:
    '-v|--verbose -q|--quiet -c|--checksum -a|--archive -r|--recursive -R|--relative -b|--backup -u|--update -d|--dirs -l|--links -L|--copy-links -k|--copy-dirlinks -K|--keep-dirlinks -H|--hard-links -p|--perms -E|--executability -A|--acls -X|--xattrs -o|--owner -g|--group -D --devices --specials -t|--times -U|--atimes -N|--crtimes -O|--omit-dir-times -J|--omit-link-times -S|--sparse -n|--dry-run -W|--whole-file -x|--one-file-system -C|--cvs-exclude -s|--secluded-args -0|--from0 -z|--compress -h|--human-readable -P -F -i|--itemize-changes -4|--ipv4 -6|--ipv6 -y|--fuzzy -V|--version --append --append-verify --inplace --existing --ignore-existing --ignore-non-existing --remove-source-files --del|--delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded --delete-missing-args --ignore-missing-args --ignore-errors --force --numeric-ids --ignore-times -I --size-only --progress --partial --partial-dir --stats --list-only --super --fake-super --copy-unsafe-links --safe-links --munge-links --mkpath --prune-empty-dirs -m --delay-updates --blocking-io --no-motd --copy-as --trust-sender --open-noatime --msgs2stderr --old-args --daemon --no-detach --8-bit-output -8 --preallocate --copy-devices --write-devices --old-dirs --help',
  values:
    '-e|--rsh -f|--filter -T|--temp-dir -B|--block-size -M|--remote-option -@|--modify-window --rsync-path --exclude --exclude-from --include --include-from --files-from --backup-dir --suffix --chmod --chown --groupmap --usermap --max-delete --max-size --min-size --max-alloc --timeout --contimeout --address --port --sockopts --password-file --bwlimit --stop-after --stop-at --write-batch --only-write-batch --read-batch --protocol --iconv --checksum-choice --compress-choice --compress-level --zc --zl --compare-dest --copy-dest --link-dest --skip-compress --log-file --log-file-format --out-format --outbuf --checksum-seed --config --early-input --dparam --info --debug',
  abbreviates: true,
  negates: true,
};

function rsync(run: Run): void {
  const words = argumentsOf(run.invocation);
  const parsed = parseOptions(RSYNC, words);
  if (parsed.has('-V', '--help')) return;
  for (const option of parsed.unknown) run.unknown(`option ${option.text} of rsync`);
  runTransport(run, parsed.value('-e'));
  if (parsed.has('--daemon'))
    run.network(exactWord('0.0.0.0'), { method: 'LISTEN', traits: ['publish', 'outward', 'daemon'] });
  const remoteProgram = parsed.value('--rsync-path');
  if (remoteProgram && !/^(sudo )?[\w/.-]*rsync$/.test(remoteProgram.text)) {
    run.emit(
      'execute',
      { type: 'process', process: remoteProgram.text },
      { traits: ['covert'], note: 'it runs at the other end' },
    );
  }
  for (const name of ['--exclude-from', '--include-from', '--files-from', '--password-file', '--read-batch']) {
    const file = parsed.value(name);
    if (file && file.text !== '-') run.read(file);
  }
  for (const name of ['--log-file', '--write-batch', '--only-write-batch']) {
    const file = parsed.value(name);
    if (file) run.write(file);
  }
  mirror(run, parsed);
}

function mirror(run: Run, parsed: ParsedOptions): void {
  const sources = parsed.operands.slice(0, -1);
  const target = parsed.operands.at(-1);
  if (!target) return;
  const isReading = parsed.has('-n', '--list-only') || sources.length === 0;
  const traits: readonly Trait[] = parsed.has('-a', '-r') ? ['recursive'] : [];
  if (isReading) {
    for (const word of parsed.operands) {
      const place = placeOf(word);
      if (place) run.network(place.host, { method: 'GET' });
      else run.list(word);
    }
    return;
  }
  transfer(run, sources, target, traits);
  if (
    parsed.options.some(
      ({ name }) => name === '--del' || (name.startsWith('--delete') && name !== '--delete-missing-args'),
    ) ||
    parsed.has('--delete-missing-args')
  ) {
    const place = placeOf(target);
    const note = 'deletes what the source does not hold';
    if (place)
      run.emit(
        'delete',
        { type: 'remote', service: 'ssh', name: target.text },
        { traits: ['recursive', 'mass'], reversible: 'no', note },
      );
    else run.delete(target, { traits: ['recursive', 'mass'], certainty: 'pattern', note });
  }
  if (parsed.has('--remove-source-files')) {
    for (const source of sources)
      if (!placeOf(source)) run.delete(source, { traits: [...traits, 'mass'], note: 'deletes what it has copied' });
  }
}

/** `ssh-copy-id`: lets a key in on the other machine. */
function sshCopyId(run: Run): void {
  const parsed = parseOptions({ flags: '-f -n -s -x -h -?', values: '-i -p -o -t -F' }, argumentsOf(run.invocation));
  const host = parsed.operands[0];
  if (!host || parsed.has('-n', '-h')) return;
  obeySettings(run, parsed.values('-o'));
  run.network(addressOf(host, parsed.value('-p')), { traits: ['outward', 'upload'], reversible: 'no' });
  run.emit(
    'write',
    { type: 'remote', service: 'ssh', name: `${host.text}:~/.ssh/authorized_keys` },
    { traits: ['grants-access', 'outward'], reversible: 'no' },
  );
}

export const sshPrograms: readonly ProgramEntry[] = [
  ...rows('ssh|slogin|autossh', ssh),
  ...rows('scp', scp),
  ...rows('sftp', sftp),
  ...rows('rsync', rsync),
  ...rows('ssh-copy-id', sshCopyId),
];
