import type { ProgramEntry, Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { argumentsOf, rows, runsThroughOption, withText } from '../helpers.js';
import { parseOptions } from '../options.js';

/** Programs that say something about the machine, or wait, or compute, and touch nothing. */
const QUIET =
  'expr|gexpr sleep|gsleep usleep whoami id|gid groups|ggroups users who w last|lastlog uptime|guptime uname|guname nproc|gnproc arch free vmstat iostat mpstat tty|gtty locale localedef getconf logname|glogname cal ncal bc factor|gfactor tput clear reset cls stty which|gwhich whereis type whence where command hash info|apropos|whatis|help|tldr|cheat yes|gyes sync|gsync lscpu lsmem lsusb lspci lsblk blkid findmnt mountpoint lsof pgrep pidof pstree top|htop|btop|atop nohup time times sw_vers system_profiler hostid tabs getopt getopts xwininfo fc-list figlet banner cowsay fortune toilet mesg true|gtrue false|gfalse logger nice renice ionice ulimit say beep uuidgen mcookie stdbuf clear_console neofetch|fastfetch|screenfetch lsb_release dmidecode acpi sensors upower xrandr xdpyinfo glxinfo getent';

const nothing = (run: Run): void => {
  if (/^(test|\[|true|false|sleep|sync|command)$/.test(run.invocation.program)) run.outputs(exactWord(''));
};

/** `test -v 'a[$(cmd)]'`: the index of an array is worked out like any other word of the shell, also out of a quoted text. */
function test(run: Run): void {
  nothing(run);
  const words = argumentsOf(run.invocation);
  words.forEach((word, at) => {
    const index = words[at - 1]?.text === '-v' ? /\[([\s\S]*)\]/.exec(word.text)?.[1] : undefined;
    if (index !== undefined && /[$`]/.test(index)) run.code('bash', withText(word, `: "${index.replaceAll('"', '')}"`));
  });
}

/** `hostname` shows the name; with an operand it sets it. */
function hostname(run: Run): void {
  const names = argumentsOf(run.invocation).filter(({ text }) => !text.startsWith('-'));
  if (names.length > 0)
    run.emit('privilege', { type: 'process', process: 'hostname' }, { note: 'renames the machine' });
}

/** `dc` runs commands after `!`. */
function dc(run: Run): void {
  for (const word of argumentsOf(run.invocation)) {
    const command = /!([^<>=\n][^\n]*)/.exec(word.text)?.[1];
    if (command !== undefined) run.code('sh', { ...word, text: command });
  }
}

/** `man -P pager`, `man -H browser`: it starts what the option names. */
function man(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '-a|--all -d -f|--whatis -k|--apropos -K -l|--local-file -w|--where|--path|--location -W -c -u -D -i -I -7 -t -Z -V|--version --regex --wildcard --names-only --no-subpages',
      values:
        '-P|--pager -C|--config-file -L|--locale -m|--systems -M|--manpath -S|-s|--sections -e|--extension -r|--prompt -R|--recode -E|--encoding -p|--preprocessor',
      optional: '-H|--html -X|--gxditview -T|--troff-device --warnings',
    },
    argumentsOf(run.invocation),
  );
  for (const option of ['-P', '-H']) {
    const program = parsed.value(option);
    if (!program || program.text === '') continue;
    runsThroughOption(run, program, option);
    run.code('sh', program);
  }
  if (parsed.has('-l')) for (const file of parsed.operands) run.read(file);
}

/** Programs without effects of their own. */
export const quiet: readonly ProgramEntry[] = [
  ...rows(QUIET, nothing),
  ...rows('test|[', test),
  ...rows('hostname', hostname),
  ...rows('man', man),
  ...rows('dc', dc),
];
