import type { Word } from '../../../effect.js';
import { canonicalPath, placeOf } from '../../../paths.js';
import { encodedCommand } from '../../powershell/cmdlets/processes.js';
import { fileWord } from '../../powershell/target.js';
import type { Program, ProgramEntry, Run } from '../../run.js';
import { quoteWord } from '../../quote.js';
import { exactWord } from '../../word.js';
import { argumentsOf, joined, rows, withText } from '../helpers.js';
import { parseOptions, type OptionSpec } from '../options.js';

/** Options of PowerShell that take a value, each also by any beginning that names only it. */
const VALUES = [
  'executionpolicy',
  'ep',
  'ex',
  'exec',
  'windowstyle',
  'inputformat',
  'outputformat',
  'configurationname',
  'custompipename',
  'settingsfile',
  'workingdirectory',
  'wd',
  'psconsolefile',
  'version',
  'w',
  'if',
  'of',
  'o',
  'i',
];
const FLAGS = [
  'noprofile',
  'nop',
  'noninteractive',
  'noni',
  'nologo',
  'nol',
  'noexit',
  'noe',
  'sta',
  'mta',
  'login',
  'l',
  'interactive',
  'help',
  'h',
  '?',
  'noprofileloadtime',
  'sshservermode',
  'servermode',
];

/** `powershell -NoProfile -EncodedCommand …`: what it runs is the rest of the line, a file, or its input. */
const powershell: Program = (run) => {
  const words = [...argumentsOf(run.invocation)];
  let isUnchecked = false;
  // Code of the command itself and scripts of the project are looked at anyway; what is hidden or lies elsewhere is not.
  const takesCheckAway = (): void => {
    if (isUnchecked)
      run.emit(
        'execute',
        { type: 'process', process: 'powershell' },
        { traits: ['removes-check'], note: 'lets unsigned scripts run' },
      );
  };
  while (words.length > 0) {
    const word = words.shift() as Word;
    if (word.text === '-') break;
    const option = /^[-/\u2013\u2014\u2015]{1,2}(\S+)$/.exec(word.text)?.[1]?.toLowerCase();
    if (option === undefined) {
      // Windows PowerShell takes the first other word as a command, PowerShell 7 as a file.
      runRest(run, word, words);
      return;
    }
    if (option === 'ec' || ('encodedcommand'.startsWith(option) && option.startsWith('e'))) {
      takesCheckAway();
      return runEncoded(run, words.shift());
    }
    if ('command'.startsWith(option) || option === 'commandwithargs' || option === 'cwa') {
      const [first, ...rest] = words;
      if (!first || first.text === '-') run.standardInput('powershell', []);
      else run.code('powershell', joined([first, ...rest]));
      return;
    }
    if ('file'.startsWith(option)) {
      const [file, ...rest] = words;
      if (!file || !isOfProject(file, run)) takesCheckAway();
      if (file?.text === '-') run.standardInput('powershell', rest);
      else if (file) run.script('powershell', fileWord(file, true, run.facts), { positional: rest });
      return;
    }
    if (VALUES.some((name) => name === option || (option.length > 1 && name.startsWith(option)))) {
      const value = words.shift();
      isUnchecked ||= /^(?:bypass|unrestricted)$/i.test(value?.text ?? '');
    } else if (!FLAGS.some((name) => name === option || (option.length > 2 && name.startsWith(option))))
      run.unknown(`option -${option} of powershell`);
    if (option === 'help' || option === '?' || option === 'h') return;
  }
  run.standardInput('powershell', []);
};

const isOfProject = (file: Word, run: Run): boolean => {
  const word = fileWord(file, true, run.facts);
  return (
    word.certainty === 'exact' &&
    placeOf(canonicalPath(word.text, run.invocation.cwd ?? '/', run.facts, 'follow'), run.facts) === 'workspace'
  );
};

function runRest(run: Run, first: Word, rest: readonly Word[]): void {
  if (/\.psm?1$/i.test(first.text)) run.script('powershell', fileWord(first, true, run.facts), { positional: rest });
  else run.code('powershell', joined([first, ...rest]));
}

function runEncoded(run: Run, word: Word | undefined): void {
  const text = word === undefined || word.certainty !== 'exact' ? null : encodedCommand(word.text);
  if (text === null) {
    run.unknown('an encoded command that cannot be decoded');
    // Nobody who is asked later could read it either.
    if (word?.certainty === 'dynamic')
      run.emit(
        'execute',
        { type: 'process', process: 'powershell' },
        { certainty: 'dynamic', traits: ['unreviewed', 'covert'] },
      );
    return;
  }
  run.code('powershell', exactWord(text));
}

/** `cmd /d /c "line"`: the line behind `/c` or `/k`; without one it is interactive or takes its input. */
const cmd: Program = (run) => {
  const words = argumentsOf(run.invocation);
  const at = words.findIndex(({ text }) => /^\/[ck]/i.test(text));
  if (at < 0) {
    run.standardInput('cmd', []);
    return;
  }
  const glued = (words[at] as Word).text.slice(2);
  const rest = words.slice(at + 1);
  const line = glued === '' ? rest : [exactWord(glued), ...rest];
  if (line.length > 0) run.code('cmd', joined(line));
};

const WSL: OptionSpec = {
  flags: '-l|--list --status --help -v|--verbose --version --update --shutdown --install -q|--quiet --all --running',
  values:
    '-d|--distribution --distribution-id -u|--user --cd --shell-type -t|--terminate --unregister --export --import --mount --unmount --set-default -s --set-version --manage',
  stopsAtOperand: true,
};

/**
 * `wsl [-e] command`: a line of a Linux on this machine, which sees the drives of Windows below `/mnt`. Source: basic commands for WSL.
 */
const wsl: Program = (run) => {
  const words = argumentsOf(run.invocation).filter(
    ({ text }, at) => !/^(?:-e|--exec|--|--system)$/.test(text) && !(at === 0 && text === '~'),
  );
  const parsed = parseOptions(WSL, words);
  const machine = { type: 'remote', service: 'wsl', name: parsed.value('-d')?.text ?? 'linux' } as const;
  if (parsed.has('--unregister'))
    run.emit('delete', machine, { traits: ['recursive', 'mass'], reversible: 'no', note: 'with all that is in it' });
  if (parsed.has('--shutdown', '-t')) run.emit('kill', { type: 'process', process: 'wsl' }, { traits: ['mass'] });
  if (parsed.has('--install', '--import', '--mount', '--manage', '--set-version')) run.unknown('a change of wsl');
  const file = parsed.value('--export');
  if (file) run.write(parsed.operands[0] ?? file);
  else if (parsed.operands.length > 0) {
    const isDirect = argumentsOf(run.invocation).some(({ text }) => /^(?:-e|--exec)$/.test(text));
    const line = joined(
      parsed.operands.map((word) => (/\s/.test(word.text) ? withText(word, quoteWord(word.text)) : word)),
    );
    run.elsewhere(machine, isDirect ? parsed.operands : [exactWord('sh'), exactWord('-c'), line]);
  }
};

/** `cygpath -u 'C:\\x'`, `wslpath -w /x`: another spelling of a path, which they print. */
const respells: Program = (run) => {
  const words = argumentsOf(run.invocation);
  const path = words.filter(({ text }) => !text.startsWith('-')).at(-1);
  if (!path || path.certainty !== 'exact') return;
  const slashed = path.text.replaceAll('\\', '/');
  const isUnix = run.invocation.program === 'wslpath' && !words.some(({ text }) => /^-[wm]$/.test(text));
  run.outputs(
    exactWord(isUnix ? slashed.replace(/^([a-z]):/i, (_all, drive: string) => `/mnt/${drive.toLowerCase()}`) : slashed),
  );
};

/** The shells of Windows, started from another shell. Source: about_Powershell_exe, about_Pwsh, help of cmd.exe. */
export const windowsShells: readonly ProgramEntry[] = [
  ...rows('powershell|pwsh|powershell_ise', powershell),
  ...rows('cmd', cmd),
  ...rows('wsl', wsl),
  ...rows('cygpath wslpath', respells),
  // Git Bash has a script of this name that hands everything to cmd.
  ...rows('start', (run) =>
    run.facts.platform === 'win32'
      ? run.code('cmd', joined([exactWord('start'), ...argumentsOf(run.invocation)]))
      : run.unknown('program start is not known'),
  ),
];
