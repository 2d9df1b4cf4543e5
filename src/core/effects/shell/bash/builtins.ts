import { exportedFunction, type TerminalState, type Word } from '../../effect.js';
import type { Facts } from '../../facts.js';
import { canonicalPath, isAbsolute, joinPath } from '../../paths.js';
import { traps } from '../environmentTraps.js';
import { NOTHING_KNOWN, UNKNOWN_INPUT, type Builtin, type Code, type Frame } from '../frame.js';
import { expandGlob } from '../glob.js';
import { parseOptions } from '../programs/options.js';
import type { Input, Run } from '../run.js';
import { asCode, exactWord, lessCertain } from '../word.js';
import { hidesTraces, history, keepsNothing } from './traces.js';
import {
  EMPTY,
  referenceTo,
  referredName,
  UNSET,
  unknownValue,
  withArray,
  withPositional,
  withVariable,
} from './terminal.js';

const operands = (run: Run): readonly Word[] => run.invocation.argv.slice(1).filter(({ text }) => text !== '--');
const silent = (run: Run): void => run.outputs(exactWord(''));

/** Words put together with spaces, as `eval` does. */
export function joinWords(words: readonly Word[]): Word {
  return {
    text: words.map(({ text }) => text).join(' '),
    raw: words.map(({ raw }) => raw).join(' '),
    certainty: words.reduce((worst: Word['certainty'], { certainty }) => lessCertain(worst, certainty), 'exact'),
    quoted: true,
  };
}

const codeOf = (text: string): Code => ({ language: 'bash', text, positional: [], environment: new Map(), path: null });

// Folders.

function folderOf(word: Word, terminal: TerminalState, facts: Facts): string | null {
  const { cwd } = terminal;
  if (word.certainty === 'dynamic') return null;
  if (cwd === null && !isAbsolute(word.text, facts.platform)) return null;
  if (word.certainty === 'pattern') {
    const matches = expandGlob(joinPath(cwd ?? '/', word.text, facts.platform), facts);
    return matches?.length === 1 && matches[0] !== undefined ? facts.realPath(matches[0]) : null;
  }
  return canonicalPath(word.text, cwd ?? '/', facts, 'follow');
}

function enter(run: Run, cwd: string | null): void {
  run.changeTerminal((terminal) => ({ ...terminal, cwd, mayBeIn: [], previousCwd: terminal.cwd }));
}

function cd(run: Run): void {
  const [target] = operands(run).filter(({ text }) => !/^-[LPe@]+$/.test(text));
  const { terminal } = run;
  if (!target) enter(run, run.facts.home);
  else if (target.text === '-') enter(run, terminal.previousCwd);
  else if (target.text === '' && target.certainty === 'exact') silent(run);
  else {
    const searches = terminal.variables.get('CDPATH');
    const isSearched = searches !== undefined && searches.text !== '' && !/^(\.{0,2}\/|\.{1,2}$)/.test(target.text);
    enter(run, isSearched ? null : folderOf(target, terminal, run.facts));
  }
  silent(run);
}

function pushd(run: Run): void {
  const [target] = operands(run);
  const { terminal, facts } = run;
  const cwd = target && !/^[-+]\d+$/.test(target.text) ? folderOf(target, terminal, facts) : null;
  run.changeTerminal((now) => ({
    ...now,
    cwd,
    mayBeIn: [],
    previousCwd: now.cwd,
    directoryStack: now.cwd === null ? now.directoryStack : [now.cwd, ...now.directoryStack].slice(0, 50),
  }));
}

function popd(run: Run): void {
  run.changeTerminal((now) => {
    const [cwd = null, ...directoryStack] = now.directoryStack;
    const entered = run.invocation.argv.length > 1 ? null : cwd;
    return { ...now, cwd: entered, mayBeIn: [], previousCwd: now.cwd, directoryStack };
  });
}

// Variables.

/** `export`, `declare`, `local`, `readonly`: `NAME=value` operands are set, names alone get the attribute. */
function declare(run: Run, frame: Frame): void {
  const name = run.invocation.program;
  const words = run.invocation.argv.slice(1);
  const flags = words
    .filter(({ text }) => /^[-+][A-Za-z]+$/.test(text))
    .map(({ text }) => text)
    .join('');
  const isLocal = name === 'local' || (/^(declare|typeset)$/.test(name) && !flags.includes('g'));
  const exports = name === 'export' ? !flags.includes('n') : /-\w*x/.test(flags);
  for (const word of words) {
    if (/^[-+]/.test(word.text) || word.text === '') continue;
    const [, key = '', append, value] = /^(\w+)(?:\[[^\]]*\])?(?:(\+?)=(.*))?$/s.exec(word.text) ?? [];
    if (key !== '' && isLocal) frame.locals.at(-1)?.add(key);
    if (key === '') {
      if (word.certainty !== 'exact' || /\$\(|`/.test(word.text)) run.unknown(`${name} of ${word.raw}`);
      continue;
    }
    if (value !== undefined) {
      const given: Word = { ...word, text: value, quoted: true };
      const isReference = /-\w*n/.test(flags) && name !== 'export' && given.certainty === 'exact';
      const set = append ? unknownValue(key) : isReference ? referenceTo(value) : given;
      run.changeTerminal((terminal) => withVariable(terminal, key, set, []));
      if (!isReference) traps(key, set, run);
    } else if (name === 'local') run.changeTerminal((terminal) => withVariable(terminal, key, EMPTY, []));
    // An exported function is known to the shells that are started from here.
    const what = flags.includes('f') ? exportedFunction(key) : key;
    if (exports) run.changeTerminal((terminal) => ({ ...terminal, exported: new Set([...terminal.exported, what]) }));
  }
  const showsAll = words.every(({ text }) => /^-[A-Za-z]+$/.test(text)) && !/[fFnN]/.test(flags) && name !== 'local';
  if (showsAll && (flags.includes('p') || flags === '' || flags === 'x'))
    run.emit(
      'read',
      { type: 'environment', name: '*' },
      { traits: ['secret', 'mass'], note: 'all variables, with the secrets among them' },
    );
  if (words.length > 0 && !flags.includes('p')) silent(run);
}

function unset(run: Run): void {
  const flags = operands(run).filter(({ text }) => /^-[fvn]+$/.test(text));
  for (const { text, certainty } of operands(run)) {
    if (text.startsWith('-')) continue;
    if (certainty !== 'exact' || /\$\(|`/.test(text)) {
      run.unknown(`unset of ${text}`);
      continue;
    }
    if (keepsNothing(text, null)) hidesTraces(run);
    run.changeTerminal((terminal) => {
      const functions = new Map(terminal.functions);
      functions.delete(text);
      if (flags.some((flag) => flag.text.includes('f'))) return { ...terminal, functions };
      const name = flags.some((flag) => flag.text.includes('n')) ? text : referredName(text, terminal.variables);
      return { ...withVariable(terminal, name, UNSET, []), functions };
    });
  }
  silent(run);
}

/** The fields of a line that `read` puts into names, by what IFS holds. Blanks next to each other are one separator. */
function fieldsOf(line: string, separators: string): readonly string[] {
  if (separators === '') return [line];
  const set = separators.replace(/[\\\]^-]/g, '\\$&');
  return line.split(new RegExp(/^\s+$/.test(separators) ? `[${set}]+` : `[${set}]`));
}

/** What is left of a line for the last name, separators between its fields included. */
const restOf = (line: string, fields: readonly string[], at: number): string => {
  const [field] = fields.slice(at);
  const before = fields.slice(0, at).reduce((from, one) => line.indexOf(one, from) + one.length, 0);
  return field === undefined ? '' : line.slice(line.indexOf(field, before + 1));
};

/** What a builtin reads: its input, or what stands behind a descriptor (`-u 3`) where that is known. */
function inputOf(run: Run, descriptor: Word | null): Input {
  if (descriptor === null) return run.invocation.input;
  const text = /^\d+$/.test(descriptor.text) ? run.textOf(exactWord(`/dev/fd/${descriptor.text}`)) : null;
  return text === null ? UNKNOWN_INPUT : { type: 'text', text, certainty: 'exact' };
}

/** `read a b`: known where the input is, else each name holds something that cannot be known. */
function read(run: Run): void {
  const parsed = parseOptions({ flags: '-r -s -e', values: '-a -d -i -n -N -p -t -u' }, run.invocation.argv.slice(1));
  const given = inputOf(run, parsed.value('-u'));
  // Each read from a descriptor takes the next line: known is only what there is one of.
  const isOne = !parsed.has('-u') || given.type !== 'text' || !/\n./s.test(given.text);
  const input = isOne ? given : UNKNOWN_INPUT;
  const array = parsed.value('-a');
  const names = parsed.operands.length > 0 || array ? parsed.operands.map(({ text }) => text) : ['REPLY'];
  const line = input.type === 'text' ? (input.text.split('\n')[0] ?? '').trim() : null;
  const inflows = input.type === 'pipe' ? input.inflows : [];
  if (input.type === 'none') {
    run.emit('execute', { type: 'process', process: 'read' }, { traits: ['interactive'] });
  }
  const separators = run.invocation.assignments.get('IFS') ?? run.terminal.variables.get('IFS') ?? null;
  const isPlain = separators === null || separators.certainty === 'exact';
  const certainty = input.type === 'text' && isPlain ? input.certainty : 'dynamic';
  const fields = line === null ? [] : fieldsOf(line, separators?.text ?? ' \t');
  names.forEach((name, at) => {
    if (/\$\(|`|\[/.test(name)) run.unknown(`read into ${name}`);
    const isLast = at === names.length - 1;
    const text = isLast && at === 0 ? line : isLast ? restOf(line ?? '', fields, at) : (fields[at] ?? '');
    const value: Word =
      line === null || certainty === 'dynamic'
        ? unknownValue(name)
        : { text: text ?? '', raw: `$${name}`, certainty, quoted: true };
    run.changeTerminal((terminal) => withVariable(terminal, name, value, inflows));
  });
  if (array) {
    const words = line === null ? [{ ...unknownValue(array.text), quoted: false }] : fields.map(exactWord);
    run.changeTerminal((terminal) => withArray(terminal, array.text, words, inflows));
  }
  silent(run);
}

/** More lines than this are not followed one by one. */
const MAX_LINES = 200;

/** What comes in, or stands in the file that is read, where that is known and not too much to be followed. */
function knownText(run: Run, input: Input): string | null {
  const isKnown = input.type === 'text' && input.certainty === 'exact';
  const text = isKnown ? input.text : input.type === 'file' ? run.textOf(input.path) : null;
  return text === null || text.split('\n', MAX_LINES + 2).length > MAX_LINES + 1 ? null : text;
}

function mapfile(run: Run): void {
  const parsed = parseOptions({ flags: '-t', values: '-d -n -O -s -u -C -c' }, run.invocation.argv.slice(1));
  const callback = parsed.value('-C');
  if (callback) run.code('bash', callback);
  const name = parsed.operands[0]?.text ?? 'MAPFILE';
  const input = inputOf(run, parsed.value('-u'));
  const inflows = input.type === 'pipe' ? input.inflows : [];
  const text = knownText(run, input);
  const words =
    text !== null ? text.replace(/\n$/, '').split('\n').map(exactWord) : [{ ...unknownValue(name), quoted: false }];
  run.changeTerminal((terminal) => withArray(terminal, name, words, inflows));
}

const forgetOperands: Builtin = (run) => {
  for (const { text } of operands(run)) {
    const [name] = /^[A-Za-z_]\w*/.exec(text) ?? [];
    if (name) run.changeTerminal((terminal) => withVariable(terminal, name, unknownValue(name), []));
    if (/\$\(|`|<\(/.test(text)) run.unknown(`${run.invocation.program} evaluates ${text}`);
  }
};

function shift(run: Run): void {
  const count = Number(operands(run)[0]?.text ?? '1');
  run.changeTerminal((terminal) => {
    const words: Word[] = [];
    for (let at = 1 + count; ; at += 1) {
      const word = terminal.variables.get(String(at));
      if (!word) break;
      words.push(word);
    }
    return withPositional(terminal, terminal.variables.has('@') ? [{ ...unknownValue('@'), quoted: false }] : words);
  });
  silent(run);
}

// Options, aliases.

const LETTERS: Readonly<Record<string, string>> = { f: 'noglob', u: 'nounset', e: 'errexit', x: 'xtrace', n: 'noexec' };

const withOption = (terminal: TerminalState, name: string, isOn: boolean): TerminalState => {
  const options = new Set(terminal.options);
  if (isOn) options.add(name);
  else options.delete(name);
  return { ...terminal, options };
};

function set(run: Run): void {
  const words = run.invocation.argv.slice(1);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as Word;
    if (word.text === '--' || !/^[-+]/.test(word.text)) {
      const rest = words.slice(word.text === '--' ? at + 1 : at);
      run.changeTerminal((terminal) => withPositional(terminal, rest));
      break;
    }
    const isOn = word.text.startsWith('-');
    for (const letter of word.text.slice(1)) {
      const name = letter === 'o' ? words[at + 1]?.text : LETTERS[letter];
      if (name === 'history' && !isOn) hidesTraces(run);
      if (name && name !== 'noexec') run.changeTerminal((terminal) => withOption(terminal, name, isOn));
    }
    if (word.text.includes('o')) at += 1;
  }
  // Alone it prints all variables, secrets included.
  if (words.length === 0) run.emit('read', { type: 'environment', name: '*' }, { traits: ['secret', 'mass'] });
  else silent(run);
}

function shopt(run: Run): void {
  const names = operands(run).filter(({ text }) => !text.startsWith('-'));
  const flags = operands(run)
    .filter(({ text }) => text.startsWith('-'))
    .map(({ text }) => text)
    .join('');
  for (const { text } of names) run.changeTerminal((terminal) => withOption(terminal, text, flags.includes('s')));
}

function alias(run: Run): void {
  for (const word of operands(run)) {
    const equals = word.text.indexOf('=');
    if (equals <= 0) continue;
    const name = word.text.slice(0, equals);
    const body = word.text.slice(equals + 1);
    run.changeTerminal((terminal) => ({ ...terminal, aliases: new Map([...terminal.aliases, [name, body]]) }));
  }
}

/** `hash -p path name`: from now on the name is that program. */
function hash(run: Run): void {
  const parsed = parseOptions({ flags: '-r -l -t -d', values: '-p' }, run.invocation.argv.slice(1));
  const path = parsed.value('-p');
  if (path)
    for (const { text } of parsed.operands)
      run.changeTerminal((terminal) => ({ ...terminal, aliases: new Map([...terminal.aliases, [text, path.text]]) }));
  silent(run);
}

function unalias(run: Run): void {
  const names = operands(run).map(({ text }) => text);
  run.changeTerminal((terminal) => ({
    ...terminal,
    aliases: new Map(names.includes('-a') ? [] : [...terminal.aliases].filter(([name]) => !names.includes(name))),
  }));
}

// Code.

function evaluate(run: Run, frame: Frame): void {
  const text = joinWords(operands(run));
  if (text.certainty !== 'exact') {
    run.unknown(`eval of what is known only when it runs: ${text.raw.slice(0, 80)}`);
    run.unreviewed('eval'); // Analysed all the same: what is known of it may say enough.
  }
  frame.include(codeOf(asCode(text).text), []);
}

function source(run: Run, frame: Frame): void {
  const [path, ...rest] = operands(run);
  if (!path) return;
  const called = frame.includeFile(path, rest.length > 0 ? [path, ...rest] : []);
  if (called !== NOTHING_KNOWN) return;
  // What could not be read may have set anything.
  run.changeTerminal((terminal) => ({
    ...terminal,
    variables: new Map([...terminal.variables.keys()].map((name) => [name, unknownValue(name)])),
  }));
}

/** `trap 'code' EXIT`: the code runs with what the terminal holds later; what it holds now is the best guess. */
function trap(run: Run, frame: Frame): void {
  const [action] = operands(run);
  if (!action || operands(run).length < 2 || action.text === '-' || action.text === '' || /^-[lp]/.test(action.text))
    return;
  if (action.certainty !== 'exact') run.unknown(`trap of what is known only when it runs: ${action.raw}`);
  const before = frame.terminal;
  frame.include(codeOf(asCode(action).text), []);
  frame.terminal = before;
}

const enable: Builtin = (run) => {
  if (operands(run).some(({ text }) => /^-\w*f/.test(text))) run.unknown('enable -f loads code into the shell');
};

const runsLater: Builtin = (run) => {
  for (const { text } of operands(run)) {
    if (/^-\w*[xCF]/.test(text)) run.unknown(`${run.invocation.program} ${text} makes the shell run something later`);
  }
};

const fc: Builtin = (run) => {
  if (!operands(run).some(({ text }) => /^-\w*l/.test(text))) run.unknown('fc runs commands of the history again');
};

const nothing: Builtin = silent;

/** `break`, `continue`: what follows in the loop may never run, with a number in those around it too. */
const leavesLoop: Builtin = ({ invocation }, { left, terminal }) => {
  left.loop.push({ terminal, isFar: invocation.argv.length > 1 });
};

const leavesBody: Builtin = (_run, { left, terminal }) => {
  left.loop.push({ terminal, isFar: true });
  left.body.push(terminal);
};

/** Commands of bash that change the terminal or run code in it. What they share with programs is in the table of programs. */
export const bashBuiltins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['cd', cd],
  ['chdir', cd],
  ['pushd', pushd],
  ['popd', popd],
  ['dirs', () => undefined],
  ['export', declare],
  ['declare', declare],
  ['typeset', declare],
  ['local', declare],
  ['readonly', declare],
  ['integer', declare],
  ['unset', unset],
  ['read', read],
  ['mapfile', mapfile],
  ['readarray', mapfile],
  ['getopts', forgetOperands],
  ['let', forgetOperands],
  ['shift', shift],
  ['set', set],
  ['setopt', nothing],
  ['unsetopt', nothing],
  ['autoload', nothing],
  ['emulate', nothing],
  ['shopt', shopt],
  ['alias', alias],
  ['unalias', unalias],
  ['eval', evaluate],
  ['source', source],
  ['.', source],
  ['trap', trap],
  ['enable', enable],
  ['complete', runsLater],
  ['compgen', runsLater],
  ['compopt', nothing],
  ['bind', runsLater],
  ['fc', fc],
  [':', nothing],
  ['true', nothing],
  ['false', nothing],
  ['exit', nothing],
  ['return', leavesBody],
  ['break', leavesLoop],
  ['continue', leavesLoop],
  ['wait', nothing],
  ['fg', nothing],
  ['bg', nothing],
  ['disown', nothing],
  ['logout', nothing],
  ['suspend', nothing],
  ['umask', nothing],
  ['ulimit', nothing],
  ['hash', hash],
  ['times', nothing],
  ['caller', nothing],
  ['exec', nothing],
  ['history', history],
]);
