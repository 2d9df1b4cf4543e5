import type { Trait, Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { exactWord, OWN_JOB } from '../../word.js';
import { argumentsOf, isHelpOnly, rows } from '../helpers.js';
import { parseOptions } from '../options.js';

/** Whether a word can only name what the shell itself started: a job (`%1`), the last one (`$!`), or its children (`-P $$`). */
const isOwnJob = ({ text, raw, certainty }: Word): boolean =>
  text === OWN_JOB.text || raw === '$$' || (certainty === 'exact' && text.startsWith('%'));

function end(run: Run, what: Word, traits: readonly Trait[], note = ''): void {
  run.emit('kill', { type: 'process', process: what.text }, { traits, certainty: what.certainty, note });
}

/** `kill`: by number. -1 is every process there is, 1 the first one. */
function kill(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions({ flags: '-l -L --list --table', values: '-s --signal -n -q --queue --timeout' }, words);
  if (parsed.has('-l', '-L', '--list', '--table')) return;
  // `-9` and `-KILL` are signals in first place, and groups of processes behind.
  const targets = words.filter(
    ({ text }, index) =>
      !(text.startsWith('-') && index === 0 && text !== '-1') &&
      !/^(-s|-n|--signal|--)$/.test(text) &&
      !/^(-s|-n|--signal)$/.test(words[index - 1]?.text ?? ''),
  );
  const signal = words[0]?.text ?? '';
  if (signal === '-0') return;
  for (const target of targets)
    end(
      run,
      target,
      isOwnJob(target) ? ['own-process'] : /^-?1$/.test(target.text) ? ['mass'] : [],
      target.text === '-1' ? 'every process' : '',
    );
}

/** By name: whatever goes by it, the person's own programs too. */
function killByName(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags:
        '-f|--full -x|--exact -i -I -n|--newest -o|--oldest -e -c -v|--inverse -l -q -w -r --list --dry-run -9 -15 -1 -2 -m -z -d',
      values:
        '-u|--euid|--user -U -g -G -P|--parent -s|--session|--signal -t|--terminal -F|--pidfile --ns --older-than -y -Z',
    },
    words.filter(({ text }) => !/^-(SIG)?[A-Z]{3,}\d?$|^-\d+$/.test(text)),
  );
  if (parsed.has('-l', '--list', '--dry-run')) return;
  const names = parsed.operands.length > 0 ? parsed.operands : parsed.values('-u', '-U', '-t', '-P');
  const isOfShell = parsed.values('-P').length > 0 && parsed.values('-P').every(isOwnJob);
  for (const name of names)
    end(run, name, isOfShell ? ['own-process'] : ['mass'], isOfShell ? '' : 'every process of that name');
}

/** `jobs -p`: the numbers of what the shell started. */
function jobs(run: Run): void {
  if (argumentsOf(run.invocation).some(({ text }) => /^-\w*p/.test(text))) run.outputs(OWN_JOB);
}

/** Source: Microsoft's reference of taskkill. */
function taskkill(run: Run): void {
  const words = argumentsOf(run.invocation);
  for (const [index, { text }] of words.entries()) {
    const value = words[index + 1];
    if (/^[/-]im$/i.test(text) && value) end(run, value, ['mass', 'force'], 'every process of that name');
    else if (/^[/-]pid$/i.test(text) && value) end(run, value, []);
    else if (/^[/-]fi$/i.test(text) && value) end(run, value, ['mass'], 'every process that the filter finds');
  }
}

const withoutFolder = (name: string): string => name.replace(/^.*\//, '');

/** One command of gdb or lldb: some run a line of a shell, some code of Python. Sources: GDB 15 manual, LLDB 19 help. */
function debuggerCommand(run: Run, command: Word): void {
  const shell = /^\s*(?:shell\b|!|pipe\s+[^|]*\||platform\s+shell\b(?:\s+-h\b)?|make\b)\s*(?:--\s+)?(.*)$/s.exec(
    command.text,
  )?.[1];
  const script = /^\s*(?:python|py|script|pi)\b\s*(?:-l\s+python\s+--\s+)?(.*)$/s.exec(command.text)?.[1];
  if (shell !== undefined) run.code('sh', { ...command, text: shell });
  else if (script !== undefined && script.trim() !== '') run.code('python', { ...command, text: script });
  else if (
    /^\s*(source|call|set|print\s+system|compile|guile|expr(ession)?|command\s+(source|script))\b/.test(command.text)
  )
    run.unknown(`a command of the debugger: ${command.text}`);
}

/** `strace`, `gdb`, `perf`: run a program, or hold on to one. */
function tracer(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      flags:
        '-f -ff -c -C -d -h -i -k -q -r -s0 -t -tt -T -v -V -w -xx -y -z -Z -n -S -A --batch -batch -quiet -silent --quiet --args -g -l -F',
      values:
        '-o -e -p -s -u -E -a -b0 -I -O -P -X -U -ex --ex --eval-command -x --command -S --one-line --source -cd -pid --pid -iex -ix',
      stopsAtOperand: true,
    },
    words,
  );
  const isDebugger = /^(?:gdb|lldb)$/.test(withoutFolder(run.invocation.argv[0]?.text ?? ''));
  const output = isDebugger ? null : parsed.value('-o');
  if (output?.text.startsWith('|')) run.code('sh', { ...output, text: output.text.slice(1) });
  else if (output && output.text.startsWith('!')) run.code('sh', { ...output, text: output.text.slice(1) });
  else if (output) run.write(output);
  for (const pid of parsed.values('-p', '-pid', '--pid'))
    run.emit(
      'privilege',
      { type: 'process', process: pid.text },
      { certainty: pid.certainty, note: 'reads the memory of a process' },
    );
  const lldbs = isDebugger ? parsed.values('-o', '-O', '-S', '-s', '--one-line') : [];
  for (const command of [...parsed.values('-ex', '--ex', '--eval-command', '-iex'), ...lldbs])
    debuggerCommand(run, command);
  if (isDebugger)
    for (const file of parsed.values('-x', '--command', '-ix', '--source')) {
      run.read(file);
      const text = run.textOf(file);
      if (text === null) run.unknown('a file of commands for the debugger');
      else for (const line of text.split('\n', 200)) debuggerCommand(run, exactWord(line));
    }
  if (parsed.operands.length > 0) run.carry(parsed.operands);
}

/** `perf stat cmd`, `perf record cmd`: the rest looks at what was recorded. Source: perf(1) 6.9. */
function perf(run: Run): void {
  const [verb, ...rest] = argumentsOf(run.invocation);
  if (!/^(?:stat|record|trace|mem|c2c|kmem|lock|sched|timechart|ftrace)$/.test(verb?.text ?? '')) return;
  const parsed = parseOptions(
    {
      flags:
        '-a -d -v -q -g -i -n -s -R -S -x0 -A -B -T -M0 --all-cpus --no-inherit --null --detailed --big-num --append --table',
      values:
        '-e|--event -o|--output -p|--pid -t|--tid -F|--freq -c|--count -r|--repeat -C|--cpu -x|--field-separator -G|--cgroup -I|--interval-print -D|--delay --timeout --call-graph -m|--mmap-pages -j|--branch-filter --pre --post -M|--metrics',
      stopsAtOperand: true,
    },
    rest,
  );
  const output = parsed.value('-o');
  if (output) run.write(output);
  for (const command of parsed.values('--pre', '--post')) run.code('sh', command);
  const { operands } = parsed;
  if (operands.length > 0)
    run.carry(/^(?:record|report|start)$/.test(operands[0]?.text ?? '') ? operands.slice(1) : operands);
}

export const processPrograms: readonly ProgramEntry[] = [
  ...rows('perf', perf),
  ...rows('kill', kill),
  ...rows('jobs', jobs),
  ...rows('pkill killall skill', killByName),
  ...rows('taskkill tskill', taskkill),
  ...rows('xkill fuser', (run) => {
    const words = argumentsOf(run.invocation);
    const ends = run.invocation.program === 'xkill' || words.some(({ text }) => /^-\w*k|^--kill/.test(text));
    if (ends && !isHelpOnly(words))
      for (const target of words.filter(({ text }) => !text.startsWith('-'))) end(run, target, ['mass']);
  }),
  ...rows('gcore', (run) => {
    const words = argumentsOf(run.invocation);
    const pid = words.filter(({ text }) => !text.startsWith('-')).at(-1);
    if (pid && !isHelpOnly(words))
      run.emit(
        'privilege',
        { type: 'process', process: pid.text },
        { certainty: pid.certainty, note: 'writes down the memory of a process' },
      );
  }),
  ...rows('strace ltrace gdb lldb dtruss truss', tracer),
];
