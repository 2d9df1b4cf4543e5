import type { Effect, Flow, SimpleCommand, Word } from '../effect.js';
import { handlingOf } from './handling.js';
import { isSecretName } from './secretNames.js';

/** Programs that pass lines on as they are, in another order or fewer of them. */
const PASSES_ON = /^(?:sort|uniq|head|tail|tac|cat|column|nl|shuf|Sort-Object|Where-Object)$/i;

const text = (words: readonly Word[]): string => words.map((word) => word.text).join(' ');

/** What a command of a pipeline leaves of lines `NAME=value`: all, names or numbers alone, or what cannot be told. */
function leaves({ program, argv }: SimpleCommand): 'lines' | 'names' | 'unknown' {
  const words = argv.slice(1);
  if (words.some(({ certainty }) => certainty === 'dynamic')) return 'unknown';
  const line = text(words);
  if (PASSES_ON.test(program)) return words.every(({ text: word }) => /^-|^\d+$/.test(word)) ? 'lines' : 'unknown';
  switch (program) {
    case 'cut':
      return /^(?:-d ?=|--delimiter[= ]=) (?:-f ?1|--fields[= ]1)$|^(?:-f ?1|--fields[= ]1) (?:-d ?=|--delimiter[= ]=)$/.test(
        line,
      )
        ? 'names'
        : 'unknown';
    case 'awk':
    case 'gawk':
    case 'mawk':
      return /^-F ?=? ?=? ?\{ ?print \$1 ?;? ?\}$/.test(line) && /^-F ?=/.test(line) ? 'names' : 'unknown';
    case 'sed':
      return TAKES_VALUES.test(line) || KEEPS_NAMES.test(line) ? 'names' : 'unknown';
    case 'grep':
    case 'egrep':
    case 'rg':
      return grepLeaves(words);
    case 'wc':
      return words.every(({ text: word }) => /^-[clmwL]+$|^--(?:bytes|chars|lines|words)$/.test(word))
        ? 'names'
        : 'unknown';
    // Lines that ended in NUL end in a line break.
    case 'tr':
      return /^\\0 \\n$/.test(line) ? 'lines' : 'unknown';
    default:
      return selectLeaves(program, line);
  }
}

/** A substitution that takes away the sign and all behind it. */
const TAKES_VALUES = /^(?:-[Er]+ )?(?:-e )?s([/|,#])=\.\*\$?\1\1g?;?$|^-n(?:[Er]+| -[Er]+)? s([/|,#])=\.\*\$?\2\2p$/;
/** One that keeps a group before the sign alone. */
const KEEPS_NAMES =
  /^-n(?:[Er]+| -[Er]+)? s([/|,#])\^?\\?\((?:\[[^\]=]*\]|\\w|\.)[*+]?(?:\\\+)?\\?\)=\.\*\$?\1\\1\1p$|^(?:-[Er]+ )?s([/|,#])\^?\\?\(\[\^=\][*+]\\?\)=?\.\*\$?\2\\1\2$/;

function grepLeaves(words: readonly Word[]): 'lines' | 'names' | 'unknown' {
  const options = words.filter(({ text: word }) => word.startsWith('-'));
  const operands = words.filter(({ text: word }) => !word.startsWith('-'));
  if (
    options.some(
      ({ text: word }) => !/^-[a-zA-Z]+$|^--(?:count|quiet|ignore-case|invert-match|only-matching)$/.test(word),
    )
  )
    return 'unknown';
  const letters = options
    .map(({ text: word }) =>
      word
        .replace(/^--count$/, '-c')
        .replace(/^--quiet$/, '-q')
        .replace(/^--only-matching$/, '-o')
        .slice(1),
    )
    .join('');
  if (operands.length !== 1 || /[efAabBCfr]/.test(letters.replace(/-\w+/g, ''))) return 'unknown';
  if (/[cq]/.test(letters)) return 'names';
  if (!letters.includes('v') && isOfNamed(operands[0]?.text ?? '')) return 'names';
  if (letters.includes('o'))
    return /^\^\[(?:\^=|A-Za-z_0-9|A-Z_|A-Z0-9_|[A-Za-z0-9_-]+)\][*+]$|^\^\\w[*+]$/.test(operands[0]?.text ?? '')
      ? 'names'
      : 'unknown';
  return 'lines';
}

/** `^PATH=`, `^(HOME|USER)=`: lines of variables that are named and no secrets. */
function isOfNamed(pattern: string): boolean {
  const [, names] = /^\^\\?\(?([A-Za-z_]\w*(?:\\?\|[A-Za-z_]\w*)*)\\?\)?=/.exec(pattern) ?? [];
  return names !== undefined && !pattern.includes('|^') && names.split(/\\?\|/).every((name) => !isSecretName(name));
}

/** PowerShell picks a property of each variable, or counts them. */
function selectLeaves(program: string, line: string): 'names' | 'unknown' {
  if (/^Measure-Object$/i.test(program) && line === '') return 'names';
  if (/^Select-Object$/i.test(program) && /^(?:-(?:ExpandProperty|Property) )?(?:Name|Key)$/i.test(line))
    return 'names';
  return 'unknown';
}

/** Whether nothing but the agent's own view takes data from the environment: no file, no host. */
const isKept = (flows: readonly Flow[]): boolean =>
  flows.every(({ from, to }) => from.type !== 'environment' || from.name !== '*' || to.type === 'output');

/**
 * Takes the secret out of a read of all variables whose pipeline lets only their names or their number through:
 * `env | cut -d= -f1`. Says nothing of one whose lines go anywhere else as well. Linear in commands and effects.
 */
export function withNamesOnly(
  effects: readonly Effect[],
  commands: readonly SimpleCommand[],
  flows: readonly Flow[],
): { readonly effects: readonly Effect[]; readonly flows: readonly Flow[] } {
  const isAll = ({ op, resource, traits }: Effect): boolean =>
    op === 'read' && resource.type === 'environment' && resource.name === '*' && traits.includes('secret');
  const all = effects.filter(isAll);
  if (all.length === 0 || !isKept(flows)) return { effects, flows };
  const areNames = all.every(({ command }) => command !== null && endsInNames(commands, command));
  if (!areNames) return { effects, flows };
  return {
    effects: effects.map((effect) =>
      isAll(effect) ? { ...effect, op: 'list', traits: [], note: 'names of variables alone' } : effect,
    ),
    flows: flows.filter(({ from }) => from.type !== 'environment' || from.name !== '*'),
  };
}

/** Whether, of the commands that follow in its pipeline, one leaves names alone before anything else sees the lines. */
function endsInNames(commands: readonly SimpleCommand[], index: number): boolean {
  const own = commands[index];
  if (!own || own.isAside === true) return false;
  const later = commands
    .filter(({ pipeline, stage, carrier }) => pipeline === own.pipeline && stage > own.stage && carrier === own.carrier)
    .sort((a, b) => a.stage - b.stage);
  for (const [at, command] of later.entries()) {
    if (command.stage !== own.stage + at + 1) return false;
    const left = leaves(command);
    if (left !== 'lines') return left === 'names';
  }
  return false;
}

/** Options of grep and its kin with which it tells how many lines fit, whether one does, or in which files. */
const COUNTS =
  /^-[^efmABCdDgt-]*[cqlL][a-zA-Z]*$|^--(?:count|quiet|silent|files-with(?:out)?-match(?:es)?|count-matches)$/;
/** Options with which cmp prints the bytes that differ, and wc and du the lines of a file where they should be names of files. */
const PRINTS = /^--(?:verbose|print-bytes|files0-from)\b/;
/** Files of lines `NAME=value`. */
const VARIABLES = /(?:^|\/)\.env(?:\.[\w.-]+)?$|\.env$/;

/** Whether a command tells no more of what it reads than its length, a digest, or whether and where something occurs in it. */
function counts({ program, argv }: SimpleCommand): boolean {
  if (argv.some(({ text: word }) => PRINTS.test(word) || (/^g?cmp$/.test(program) && /^-\w*[lb]/.test(word))))
    return false;
  if (handlingOf(program) === 'digest') return true;
  if (/^[gmn]?awk$/.test(program)) return /^END ?\{ ?print NR ?;? ?\}$/.test(argv[1]?.text ?? '');
  if (!/^(?:[ef]?grep|rg|ag|ack|ugrep|git grep)$/.test(program)) return false;
  return argv.slice(1).some(({ text: word, certainty }) => certainty === 'exact' && COUNTS.test(word));
}

/** Whether only the names of a file of variables come through: `cut -d= -f1 .env`, also by a pipe. */
function showsNames(commands: readonly SimpleCommand[], index: number, path: string): boolean {
  const own = commands[index];
  if (own === undefined || !VARIABLES.test(path)) return false;
  const words = own.argv.filter(
    ({ text: word, certainty }) => certainty !== 'exact' || word.startsWith('-') || !VARIABLES.test(word),
  );
  if (words.length === own.argv.length) return false;
  const left = leaves({ ...own, argv: words });
  return left === 'names' || (left === 'lines' && endsInNames(commands, index));
}

/**
 * Takes the secret out of reads of which nothing but a count, a digest or names of variables comes through (`wc -l`, `grep -c`,
 * `cut -d= -f1 .env`), on the way to nobody but the agent. They stay reads, so that rules on the path hear them. Silent on a path
 * that is read in another way as well. Linear in effects for each path.
 */
export function withCountsOnly(
  effects: readonly Effect[],
  commands: readonly SimpleCommand[],
  flows: readonly Flow[],
): { readonly effects: readonly Effect[]; readonly flows: readonly Flow[] } {
  const pathOf = ({ op, resource }: Effect): string | null =>
    op === 'read' && resource.type === 'path' ? resource.path : null;
  const isHarmless = ({ command }: Effect, path: string): boolean => {
    const own = command === null ? undefined : commands[command];
    if (own === undefined || command === null) return false;
    const next = commands.find(
      ({ pipeline, stage, carrier }) => pipeline === own.pipeline && stage === own.stage + 1 && carrier === own.carrier,
    );
    return (
      counts(own) || (next !== undefined && own.isAside !== true && counts(next)) || showsNames(commands, command, path)
    );
  };
  const isKept = (path: string): boolean =>
    flows.every(
      ({ from, to, how }) => !('path' in from) || from.path !== path || to.type === 'output' || how === 'digest',
    );
  const paths = new Set(effects.filter(({ traits }) => traits.includes('secret')).map(pathOf));
  const shown = new Set(
    [...paths].filter(
      (path) =>
        path !== null && isKept(path) && effects.every((effect) => pathOf(effect) !== path || isHarmless(effect, path)),
    ),
  );
  if (shown.size === 0) return { effects, flows };
  const isShown = (effect: Effect): boolean => shown.has(pathOf(effect)) && effect.traits.includes('secret');
  return {
    effects: effects.map((effect) =>
      isShown(effect)
        ? { ...effect, traits: effect.traits.filter((trait) => trait !== 'secret'), note: 'a count or names alone' }
        : effect,
    ),
    flows: flows.map((flow) => ('path' in flow.from && shown.has(flow.from.path) ? { ...flow, how: 'digest' } : flow)),
  };
}
