import type { Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { argumentsOf, joined, rows } from '../helpers.js';
import { parseOptions, type OptionSpec } from '../options.js';

/** Runs a command line with a shell, with more rights. */
const asOther = (run: Run, text: Word): void =>
  run.carry([exactWord('sh'), exactWord('-c'), text], { isPrivileged: true });

/** `su - user -c code`. Source: su(1), util-linux 2.40. */
function su(run: Run): void {
  const parsed = parseOptions(
    {
      flags: '-|-l|--login -f|--fast -m|-p|--preserve-environment -P|--pty -h|--help -V|--version',
      values:
        '-c|--command --session-command -s|--shell -g|--group -G|--supp-group -w|--whitelist-environment -u|--user',
    },
    argumentsOf(run.invocation),
  );
  if (parsed.has('-h', '-V')) return;
  run.emit('privilege', { type: 'process', process: run.invocation.program });
  const command = parsed.value('-c') ?? parsed.value('--session-command');
  if (command) asOther(run, command);
  else if (run.invocation.program === 'runuser' && parsed.operands.length > 0 && parsed.has('-u')) {
    run.carry(parsed.operands, { isPrivileged: true });
  } else run.standardInput('bash', []);
}

/** `sudo -e`, `sudo -l`, `sudo -v`: what is left of sudo when it runs no command. */
function sudo(run: Run): void {
  run.emit('privilege', { type: 'process', process: run.invocation.program });
  const words = argumentsOf(run.invocation);
  if (words.some(({ text }) => /^(-e|--edit)$/.test(text)) || run.invocation.program === 'sudoedit') {
    for (const path of words.filter(({ text }) => !text.startsWith('-'))) run.write(path, { traits: ['edit'] });
  } else if (words.some(({ text }) => /^-\w*[si]$/.test(text))) run.standardInput('bash', []);
}

/** `watch -n 1 cmd args`: the words become one line for a shell. */
function watch(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '-b|--beep -c|--color -C|--no-color -e|--errexit -g|--chgexit -p|--precise -r|--no-rerun -t|--no-title -w|--no-wrap -x|--exec -h|--help -v|--version',
      values: '-n|--interval -q|--equexit -s|--shotsdir',
      optional: '-d|--differences',
      stopsAtOperand: true,
    },
    argumentsOf(run.invocation),
  );
  if (parsed.operands.length === 0) return;
  if (parsed.has('-x')) run.carry(parsed.operands);
  else run.code('sh', joined(parsed.operands));
}

/** `script -c cmd file` writes what the terminal shows into a file. */
function script(run: Run): void {
  const words = argumentsOf(run.invocation);
  const parsed = parseOptions(
    {
      flags: '-a|--append -e|--return -f|--flush -q|--quiet -h|--help -V|--version -d -F -k -p -r',
      values:
        '-c|--command -E|--echo -I|--log-in -O|--log-out -B|--log-io -o|--output-limit -T|--log-timing -m|--logging-format -t',
      stopsAtOperand: false,
    },
    words,
  );
  const command = parsed.value('-c');
  if (command) run.code('sh', command);
  for (const option of ['-I', '-O', '-B', '-T']) for (const file of parsed.values(option)) run.write(file);
  const [file, ...rest] = parsed.operands;
  run.write(file ?? exactWord('typescript'), parsed.has('-a') ? { traits: ['append'] } : {});
  // BSD: `script file cmd args`.
  if (!command && rest.length > 0) run.carry(words.slice(words.indexOf(rest[0] as Word)));
}

/** `flock file cmd args`, `flock file -c code`. */
function flock(run: Run): void {
  const words = argumentsOf(run.invocation);
  const parsed = parseOptions(
    {
      flags:
        '-s|--shared -x|-e|--exclusive -u|--unlock -n|--nb|--nonblock -o|--close -F|--no-fork --verbose -h|--help -V|--version',
      values: '-w|--wait|--timeout -E|--conflict-exit-code',
      stopsAtOperand: true,
    },
    words,
  );
  const [, ...command] = parsed.operands;
  const [first, code] = command;
  if (first && /^(-c|--command)$/.test(first.text)) {
    if (code) run.code('sh', code);
  } else if (command.length > 0) run.carry(command);
}

/** Programs that take options, then operands of their own, then a command that they start somewhere else or otherwise. */
const starter =
  (spec: OptionSpec & { readonly skips?: number; readonly elevates?: boolean }) =>
  (run: Run): void => {
    const parsed = parseOptions({ ...spec, stopsAtOperand: true }, argumentsOf(run.invocation));
    if (parsed.has('--help', '--version')) return;
    for (const word of parsed.unknown) run.unknown(`option ${word.text} of ${run.invocation.program}`);
    if (spec.elevates) run.emit('privilege', { type: 'process', process: run.invocation.program });
    const command = parsed.operands.slice(spec.skips ?? 0);
    if (command.length > 0) run.carry(command, spec.elevates ? { isPrivileged: true } : {});
    else run.standardInput('bash', []);
  };

/** `chroot dir cmd`: its paths are those of the other tree. */
function chroot(run: Run): void {
  const parsed = parseOptions(
    { values: '--userspec --groups -u -g -G', flags: '--skip-chdir --help --version -n', stopsAtOperand: true },
    argumentsOf(run.invocation),
  );
  const [folder, ...command] = parsed.operands;
  if (!folder) return;
  run.emit('privilege', { type: 'process', process: 'chroot' });
  // The tree lies on this machine: destroying it there destroys it here.
  if (folder.text === '/') run.carry(command, { isPrivileged: true });
  else
    run.elsewhere(
      { type: 'remote', service: 'chroot', name: folder.text },
      command.length > 0 ? command : [exactWord('sh')],
    );
}

/** Multi-call binaries without an inner program, and `busybox --install`. */
function multiCall(run: Run): void {
  const [first] = argumentsOf(run.invocation);
  if (first?.text === '--install') run.unknown('busybox --install puts programs in place');
}

/** How many words follow an option of bwrap; none where it is not listed. Source: bwrap(1) 0.11. */
const BWRAP_VALUES: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries({
    1: 'args argv0 userns userns2 pidns uid gid hostname chdir unsetenv lock-file sync-fd remount-ro exec-label file-label proc dev tmpfs mqueue dir seccomp add-seccomp-fd block-fd userns-block-fd info-fd json-status-fd cap-add cap-drop perms size overlay-src tmp-overlay ro-overlay',
    2: 'setenv bind bind-try dev-bind dev-bind-try ro-bind ro-bind-try bind-fd ro-bind-fd file bind-data ro-bind-data symlink chmod',
    3: 'overlay',
  }).flatMap(([count, names]) => names.split(' ').map((name) => [`--${name}`, Number(count)])),
);

/** `bwrap --bind / / cmd`: the command sees folders of this machine under the same or other names; it is judged as if by the same. */
function bwrap(run: Run): void {
  const words = argumentsOf(run.invocation);
  let at = 0;
  for (; words[at]?.text.startsWith('-'); at += 1) at += BWRAP_VALUES[words[at]?.text ?? ''] ?? 0;
  if (at < words.length) run.carry(words.slice(at));
}

/** What the file commands of GNOME's `gio` are elsewhere. Source: gio(1), GLib 2.82. */
const GIO: Readonly<Record<string, readonly string[]>> = {
  cat: ['cat'],
  copy: ['cp', '-r'],
  list: ['ls'],
  mkdir: ['mkdir'],
  move: ['mv'],
  open: ['xdg-open'],
  remove: ['rm'],
  rename: ['mv'],
  save: ['tee'],
  trash: ['trash-put'],
};

function gio(run: Run): void {
  const [verb, ...rest] = argumentsOf(run.invocation);
  const same = GIO[verb?.text ?? ''];
  if (same !== undefined) run.carry([...same.map(exactWord), ...rest.filter(({ text }) => !text.startsWith('-'))]);
  else if (verb && !/^(?:help|version|info|mime|monitor|tree)$|^-/.test(verb.text)) run.unknown(`gio ${verb.text}`);
}

/** `rr record cmd`: runs it and keeps a trace. */
function record(run: Run): void {
  const [verb, ...rest] = argumentsOf(run.invocation);
  const words =
    verb?.text === 'record'
      ? rest
      : verb && !/^(?:replay|ps|dump|pack|help|sources|rm|ls|info)$/.test(verb.text)
        ? [verb, ...rest]
        : [];
  const at = words.findIndex(({ text }) => !text.startsWith('-'));
  if (at >= 0) run.carry(words.slice(at));
}

/** `entr`: runs a command when one of the files on standard input changes. */
function entr(run: Run): void {
  const parsed = parseOptions(
    { flags: '-a -c -d -n -p -r -s -x -z', stopsAtOperand: true },
    argumentsOf(run.invocation),
  );
  if (parsed.has('-s')) run.code('sh', joined(parsed.operands));
  else if (parsed.operands.length > 0) run.carry(parsed.operands, { input: { type: 'none' } });
}

/** `direnv allow`: from now on the shell runs `.envrc` whenever somebody enters the folder. Source: direnv(1) 2.35. */
function direnv(run: Run): void {
  const [verb, ...rest] = argumentsOf(run.invocation);
  const [folder, ...command] = rest;
  if (!verb) return;
  if (/^(?:allow|permit|grant)$/.test(verb.text)) {
    const file = folder === undefined ? '.envrc' : `${folder.text.replace(/\/(?:\.envrc)?$/, '')}/.envrc`;
    run.script('bash', exactWord(file));
    run.emit('persist', { type: 'process', process: file }, { note: 'the shell runs it in this folder from now on' });
  } else if (verb.text === 'exec') {
    if (folder) run.script('bash', exactWord(`${folder.text}/.envrc`));
    if (command.length > 0) run.carry(command);
  } else if (
    !/^(?:deny|block|revoke|status|export|hook|version|--?help|--?version|prune|reload|stdlib|fetchurl|edit)$/.test(
      verb.text,
    )
  )
    run.unknown(`sub-command ${verb.text} of direnv`);
}

/** Terminals of a desktop: `xterm -e command words`, `gnome-terminal -- command`. */
function terminal(run: Run): void {
  const words = argumentsOf(run.invocation);
  const at = words.findIndex(({ text }) => /^(?:-e|-x|--|--command|--execute|-c)$/.test(text));
  const command = at < 0 ? [] : words.slice(at + 1);
  if (command.length === 1 && command[0]) run.code('sh', command[0]);
  else if (command.length > 0) run.carry(command);
}

/** Each operand is a line of a shell, as are the values of some options: `hyperfine`, `concurrently`. */
const linesOf =
  (spec: OptionSpec & { readonly codes?: readonly string[] }) =>
  (run: Run): void => {
    const parsed = parseOptions(spec, argumentsOf(run.invocation));
    if (parsed.has('--help', '--version')) return;
    for (const code of [...(spec.codes ?? []).flatMap((name) => parsed.values(name)), ...parsed.operands])
      run.code('sh', code);
  };

/** Programs that start another one under other circumstances than the wrappers do. */
export const carrying: readonly ProgramEntry[] = [
  ...rows('su runuser', su),
  ...rows('sudo|sudoedit doas pkexec run0', sudo),
  ...rows('watch|gwatch viddy', watch),
  ...rows('script', script),
  ...rows('flock', flock),
  ...rows(
    'unshare',
    starter({
      flags:
        '-m -u -i -n -p -U -C -T -f|--fork -r|--map-root-user --map-auto -c|--map-current-user --mount-proc --keep-caps --kill-child -h|--help -V|--version --user --mount --net --pid --ipc --uts --cgroup --time',
      values:
        '-R|--root -w|--wd -S|--setuid -G|--setgid --propagation --setgroups --map-user --map-group --map-users --map-groups --monotonic --boottime --load-interp',
    }),
  ),
  ...rows(
    'nsenter',
    starter({
      elevates: true,
      flags:
        '-a|--all -F|--no-fork -Z|--follow-context -e|--env -h|--help -V|--version -c|--join-cgroup --preserve-credentials --keep-caps',
      values: '-t|--target -S|--setuid -G|--setgid -W|--wdns',
      optional: '-m|--mount -u|--uts -i|--ipc -n|--net -N -p|--pid -C|--cgroup -U|--user -T|--time -r|--root -w|--wd',
    }),
  ),
  ...rows(
    'setpriv',
    starter({
      elevates: true,
      flags: '-d|--dump --nnp|--no-new-privs --clear-groups --keep-groups --init-groups --reset-env',
      values:
        '--groups --inh-caps --ambient-caps --bounding-set --ruid --euid --rgid --egid --reuid --regid --securebits --pdeathsig --selinux-label --apparmor-profile --landlock-access --landlock-rule --seccomp-filter --ptracer',
    }),
  ),
  ...rows('chroot|gchroot', chroot),
  ...rows('busybox toybox', multiCall),
  ...rows('bwrap', bwrap),
  ...rows('rr', record),
  ...rows('gio', gio),
  ...rows('entr', entr),
  ...rows('direnv', direnv),
  ...rows('xterm|uxterm|rxvt|urxvt|st|xfce4-terminal|gnome-terminal|konsole|alacritty|kitty|foot|wezterm', terminal),
  ...rows(
    'hyperfine',
    linesOf({
      flags: '-i|--ignore-failure -N --show-output --help --version',
      values:
        '-w|--warmup -m|--min-runs -M|--max-runs -r|--runs -s|--setup -p|--prepare -C|--conclude -c|--cleanup -P|--parameter-scan -D|--parameter-step-size -L|--parameter-list -S|--shell --style --sort -u|--time-unit --export-json --export-markdown --export-csv --output --input -n|--command-name --reference',
      codes: ['-s', '-p', '-C', '-c'],
    }),
  ),
  ...rows(
    'concurrently',
    linesOf({
      flags:
        '-k|--kill-others --kill-others-on-fail -r|--raw -g|--group --no-color --hide0 -P|--passthrough-arguments --help --version',
      values:
        '-n|--names -c|--prefix-colors -p|--prefix -s|--success -m|--max-processes --restart-tries --restart-after --hide --name-separator -l|--prefix-length -t|--timestamp-format --default-input-target --kill-signal --teardown',
      codes: ['--teardown'],
    }),
  ),
];
