import type { Word } from '../effect.js';
import type { Platform } from '../facts.js';
import { baseName } from './names.js';
import { parseOptions, type OptionSpec, type ParsedOptions } from './programs/options.js';

/** A command without its wrappers. */
export interface Peeled {
  /** The program that really runs, and its arguments. */
  readonly inner: readonly Word[];
  /** Wrappers, outermost first. */
  readonly names: readonly string[];
  /** Those of them that give more rights. */
  readonly privileges: readonly string[];
  /** Variables that they set for it. */
  readonly assignments: ReadonlyMap<string, Word>;
  /** Folder that one of them enters; null when none does. */
  readonly cwd: Word | null;
  /** Files that they write themselves: a trace, a log. */
  readonly writes: readonly Word[];
  /** What was not understood, in words. */
  readonly unknown: readonly string[];
}

/** A row: which options a wrapper has, and where the inner command starts. */
interface Wrapper extends OptionSpec {
  readonly names: string;
  /** How many operands of its own stand before the inner command: `timeout 5 cmd` has one. */
  readonly operands?: number;
  /** Whether `NAME=value` operands before the command are variables for it. */
  readonly assigns?: boolean;
  /** Whether it gives the command more rights. */
  readonly elevates?: boolean;
  /** Options whose value is the folder that the command runs in. */
  readonly cwd?: string;
  /** Options whose value is a file that it writes. */
  readonly writes?: string;
  /** Options with which it runs no command at all (`command -v`, `sudo -l`): then it is a program of its own. */
  readonly standsAlone?: string;
}

/**
 * Programs and shell words that run another command in their own place. Sources: POSIX env, nice, nohup, time; GNU coreutils
 * 9; sudo(8) 1.9; doas(1); util-linux 2.39; bash(1).
 */
const WRAPPERS: readonly Wrapper[] = [
  {
    names: 'sudo',
    elevates: true,
    assigns: true,
    flags:
      '-A|--askpass -b|--background -B|--bell -E|--preserve-env -H|--set-home -i|--login -k|--reset-timestamp -K|--remove-timestamp -n|--non-interactive -N|--no-update -P|--preserve-groups -S|--stdin -s|--shell -v|--validate -V|--version -l|--list -e|--edit -h',
    values:
      '-C|--close-from -D|--chdir -g|--group -p|--prompt -R|--chroot -r|--role -T|--command-timeout -t|--type -U|--other-user -u|--user --host',
    cwd: '-D',
    standsAlone: '-e -l -v -K -V',
  },
  { names: 'doas', elevates: true, flags: '-L -n -s', values: '-a -C -u', standsAlone: '-L' },
  { names: 'pkexec', elevates: true, flags: '--disable-internal-agent --keep-cwd --version', values: '--user' },
  {
    names: 'run0',
    elevates: true,
    values: '-u|--user -g|--group -D|--chdir --nice --unit --property -p --setenv --background',
    cwd: '-D',
  },
  {
    names: 'env genv',
    assigns: true,
    flags: '-i|--ignore-environment -0|--null -v|--debug --list-signal-handling --help --version',
    values: '-u|--unset -C|--chdir -S|--split-string -P',
    optional: '--block-signal --default-signal --ignore-signal',
    cwd: '-C',
    standsAlone: '-S --help --version',
  },
  { names: 'nice gnice', values: '-n|--adjustment', numeric: true, flags: '--help --version' },
  { names: 'nohup gnohup', flags: '--help --version' },
  {
    names: 'timeout gtimeout',
    operands: 1,
    flags: '-f|--foreground -p|--preserve-status -v|--verbose --help --version',
    values: '-k|--kill-after -s|--signal',
  },
  {
    names: 'time gtime',
    flags: '-p|--portability -v|--verbose -a|--append -q|--quiet -l -h',
    values: '-f|--format -o|--output',
    writes: '-o',
  },
  { names: 'stdbuf gstdbuf', values: '-i|--input -o|--output -e|--error' },
  { names: 'unbuffer', flags: '-p' },
  { names: 'winpty', flags: '-Xallow-non-tty -Xconerr -Xplain -Xcolor --mouse --showkey --version' },
  { names: 'setsid', flags: '-c|--ctty -f|--fork -w|--wait' },
  {
    names: 'ionice',
    values: '-c|--class -n|--classdata -u|--uid',
    flags: '-t|--ignore',
    optional: '',
    standsAlone: '-p -P -u',
  },
  {
    names: 'chrt',
    operands: 1,
    flags:
      '-a|--all-tasks -b|--batch -d|--deadline -f|--fifo -i|--idle -o|--other -r|--rr -R|--reset-on-fork -v|--verbose -m|--max',
    values: '-T|--sched-runtime -P|--sched-period -D|--sched-deadline',
    standsAlone: '-p -m',
  },
  { names: 'taskset', operands: 1, flags: '-a|--all-tasks -c|--cpu-list', standsAlone: '-p --pid' },
  {
    names: 'numactl',
    values: '-C|--physcpubind -N|--cpunodebind -m|--membind -p|--preferred -i|--interleave',
    flags: '-l|--localalloc -a|--all',
  },
  { names: 'cpulimit', values: '-l|--limit -P -e -p', flags: '-f|--foreground -q -z|--lazy -i|--include-children' },
  {
    names: 'prlimit',
    optional: '-c --core -d --data -f --fsize -n --nofile -u --nproc -v --as -t --cpu -m --rss -s --stack -l --memlock',
    flags: '--verbose --noheadings --raw',
    values: '-o|--output',
    standsAlone: '-p --pid',
  },
  { names: 'caffeinate', flags: '-d -i -m -s -u', values: '-t -w' },
  { names: 'arch', flags: '-x86_64 -arm64 -arm64e -i386 -32 -64 -c -h', values: '-arch -e -d', standsAlone: '-h' },
  {
    names: 'setarch linux64 linux32 i386 x86_64',
    flags: '-R|--addr-no-randomize -B|--32bit -v|--verbose -3|--3gb -Z|--mmap-page-zero',
  },
  { names: 'dbus-run-session', values: '--config-file --dbus-daemon' },
  { names: 'systemd-inhibit', values: '--what --who --why --mode', flags: '--no-pager --list', standsAlone: '--list' },
  { names: 'fakeroot fakechroot', values: '-l|--lib -f|--faked -i -s -b', flags: '-u|--unknown-is-real' },
  {
    names: 'xvfb-run',
    flags: '-a|--auto-servernum',
    values:
      '-n|--server-num -s|--server-args -e|--error-file -f|--auth-file -l|--listen-tcp -p|--xauth-protocol -w|--wait',
  },
  { names: 'faketime', operands: 1, flags: '-m -f --exclude-monotonic' },
  { names: 'command', flags: '-p', standsAlone: '-v -V' },
  { names: 'builtin', flags: '' },
  { names: 'exec', flags: '-c -l', values: '-a' },
  { names: 'noglob nocorrect', flags: '' },
  { names: 'busybox toybox', flags: '', standsAlone: '--list --help --install --list-full' },
  { names: 'dotenv', values: '-f|--file -e -c|--cascade -v', flags: '-o|--override -p', standsAlone: 'list get set' },
  { names: 'cross-env cross-env-shell', assigns: true, flags: '' },
  {
    names: 'ltrace strace',
    flags: '-f -ff -c -C -q -qq -v -y -yy -t -tt -r -i -k -T -x -xx -z -Z -w -n -d -D',
    values: '-e|--trace -o|--output -p|--attach -s|--string-limit -u|--user -E|--env -a -b -I -O -S -P -X',
    standsAlone: '-p',
    writes: '-o',
  },
  {
    names: 'valgrind',
    style: 'single',
    optional:
      '--tool --leak-check --log-file --error-exitcode --suppressions --track-origins --show-leak-kinds --num-callers --gen-suppressions --xml --xml-file --vgdb --massif-out-file --callgrind-out-file',
    flags: '-q -v --help --version',
    writes: '--log-file --xml-file --massif-out-file --callgrind-out-file',
  },
  {
    names: 'proot',
    values: '-r|--rootfs -b|--bind|-m|--mount -w|--pwd|--cwd -q|--qemu -k|--kernel-release -v|--verbose -i|--change-id',
    flags: '-0|--root-id -l|--link2symlink',
    cwd: '-w',
  },
  { names: 'dtach abduco', values: '-A -c -n -e -r', flags: '-E -z -f', standsAlone: '-a -l' },
  { names: 'catchsegv', flags: '' },
  { names: 'tini tini-static catatonit', flags: '-g -s -v -w -h -l', values: '-p -e' },
  { names: 'dumb-init', flags: '-c|--single-child -v|--verbose -h|--help -V|--version', values: '-r|--rewrite' },
  {
    names: 'ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1',
    flags: '--list --verify --inhibit-cache --help --version',
    values: '--library-path --preload --argv0 --audit --glibc-hwcaps-prepend --glibc-hwcaps-mask --inhibit-rpath',
    standsAlone: '--list --verify --help --version',
  },
  { names: 'uclampset', flags: '-a -s -R -v', values: '-m -M -p', standsAlone: '-p' },
  { names: 'chpst', flags: '-v -V -P -0 -1 -2', values: '-u -U -b -/ -n -l -L -m -d -o -p -f -c -t -r -C -e' },
  { names: 'setlock', operands: 1, flags: '-n -N -x -X', values: '-d' },
  { names: 'with-lock-ex', operands: 1, flags: '-w -q -f' },
  { names: 'repeat', operands: 1, flags: '' },
  { names: 'rlwrap', flags: '-a -A -c -D -i -I -n -N -o -O -p -r -R -s -S -U -w', values: '-f -H -l -C -b -q -g -t' },
  { names: 'chronic', flags: '-e -v' },
  { names: 'gosu su-exec', operands: 1, elevates: true, flags: '' },
  { names: 'proxychains proxychains4 torsocks torify tsocks', flags: '-q -i', values: '-f' },
  {
    names: 'firejail',
    style: 'single',
    optional: '--net --profile --private --whitelist --blacklist',
    flags: '--quiet --noprofile --net=none',
  },
];

const BY_NAME: ReadonlyMap<string, Wrapper> = new Map(
  WRAPPERS.flatMap((wrapper) => wrapper.names.split(' ').map((name): [string, Wrapper] => [name, wrapper])),
);

/** More wrappers than this around one command are not peeled further, and that is said: what they carry is not known. */
const MAX_WRAPPERS = 24;

/**
 * Peels wrappers off one simple command until the program that really runs stands first. A wrapper without an inner command,
 * or with an option that makes it run none, stays as a program of its own. An unknown option of a wrapper is named in
 * `unknown`, since it may take the next word. Linear in argv.
 */
export function peel(argv: readonly Word[], platform: Platform): Peeled {
  const names: string[] = [];
  const privileges: string[] = [];
  const unknown: string[] = [];
  const assignments = new Map<string, Word>();
  const writes: Word[] = [];
  let cwd: Word | null = null;
  let inner = argv;
  for (;;) {
    const [first] = inner;
    const name = first?.certainty === 'exact' ? baseName(first.text, platform) : '';
    const wrapper = BY_NAME.get(name);
    if (!wrapper || (platform === 'win32' && isWindowsOwn(name, inner))) break;
    if (names.length === MAX_WRAPPERS) {
      unknown.push('a command in more wrappers than are peeled off');
      break;
    }
    const parsed = parseOptions({ ...wrapper, stopsAtOperand: true }, inner.slice(1));
    const rest = restAfter(wrapper, parsed, assignments);
    if (rest.length === 0 || standsAlone(wrapper, parsed)) break;
    names.push(name);
    if (wrapper.elevates) privileges.push(name);
    for (const word of parsed.unknown) unknown.push(`option ${word.text} of ${name}`);
    if (wrapper.cwd !== undefined) cwd = parsed.value(wrapper.cwd) ?? cwd;
    for (const option of wrapper.writes?.split(' ') ?? []) writes.push(...parsed.values(option));
    inner = rest;
  }
  return { inner, names, privileges, assignments, cwd, writes, unknown };
}

/** `timeout /t 5 /nobreak` and `time /t` of Windows have no command behind them. */
const isWindowsOwn = (name: string, argv: readonly Word[]): boolean =>
  (name === 'timeout' || name === 'time') && argv.slice(1).every(({ text }) => /^(?:\/[a-z?]+|-?\d+)$/i.test(text));

const standsAlone = (wrapper: Wrapper, parsed: ParsedOptions): boolean => {
  const alone = wrapper.standsAlone?.split(' ') ?? [];
  return alone.length > 0 && (parsed.has(...alone) || parsed.unknown.some(({ text }) => alone.includes(text)));
};

/** The words behind options, operands and assignments of the wrapper itself. */
function restAfter(wrapper: Wrapper, parsed: ParsedOptions, assignments: Map<string, Word>): readonly Word[] {
  let at = wrapper.operands ?? 0;
  if (wrapper.assigns) {
    for (; at < parsed.operands.length; at += 1) {
      const word = parsed.operands[at] as Word;
      if (word.text === '-') continue; // `env -` is `env -i`.
      const equals = word.text.indexOf('=');
      if (equals <= 0 || !/^\w+$/.test(word.text.slice(0, equals))) break;
      assignments.set(word.text.slice(0, equals), {
        ...word,
        text: word.text.slice(equals + 1),
      });
    }
  }
  return parsed.operands.slice(at);
}
