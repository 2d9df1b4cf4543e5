import type { Inflow, TerminalState, Word } from '../../effect.js';

/** A longer value is not remembered: doubled a few times it would fill the memory. */
const MAX_VALUE = 32_768;
/** Variables beyond this many are not remembered: copying them at each assignment would cost too much. */
const MAX_VARIABLES = 500;

/** The terminal with a variable set. The origins of its value replace those it had. */
export function withVariable(
  terminal: TerminalState,
  name: string,
  value: Word,
  origins: readonly Inflow[],
): TerminalState {
  if (terminal.variables.size >= MAX_VARIABLES && !terminal.variables.has(name)) return terminal;
  const kept = value.text.length > MAX_VALUE ? unknownValue(name) : value;
  const variables = new Map(terminal.variables).set(name, kept);
  if (origins.length === 0 && !terminal.origins.has(name)) return { ...terminal, variables };
  const traced = new Map(terminal.origins);
  if (origins.length > 0) traced.set(name, origins.slice(0, 16));
  else traced.delete(name);
  return { ...terminal, variables, origins: traced };
}

/** The terminal with an array set: elements under `name[i]`, the first one under `name` too. */
export function withArray(
  terminal: TerminalState,
  name: string,
  elements: readonly Word[],
  origins: readonly Inflow[],
): TerminalState {
  const variables = new Map(terminal.variables);
  for (const key of variables.keys()) if (key.startsWith(`${name}[`)) variables.delete(key);
  const [first = EMPTY] = elements;
  variables.set(name, first);
  const isUncertain =
    elements.length > 200 || elements.some(({ certainty, quoted }) => certainty === 'dynamic' && !quoted);
  if (isUncertain) variables.set(`${name}[@]`, first);
  else elements.forEach((element, at) => variables.set(`${name}[${at}]`, element));
  const traced = new Map(terminal.origins);
  if (origins.length > 0) traced.set(name, origins.slice(0, 16));
  return { ...terminal, variables, origins: traced };
}

/** The terminal with positional parameters set from `$1` on. */
export function withPositional(terminal: TerminalState, words: readonly Word[]): TerminalState {
  const variables = new Map(terminal.variables);
  for (const key of variables.keys()) if (/^(\d+|@)$/.test(key) && key !== '0') variables.delete(key);
  words.slice(0, 200).forEach((word, at) => variables.set(String(at + 1), word));
  if (words.length > 200 || words.some(({ certainty, quoted }) => certainty === 'dynamic' && !quoted)) {
    variables.set('@', unknownValue('@'));
  }
  return { ...terminal, variables };
}

/** An empty value, which is also what an unset variable gives. */
export const EMPTY: Word = { text: '', raw: '', certainty: 'exact', quoted: true };

/** The value of a variable that was taken away: defaults hold for it, also those that an empty one would not get. */
export const UNSET: Word = { text: '', raw: 'unset', certainty: 'exact', quoted: false };
export const isUnset = (word: Word): boolean => word.text === '' && word.raw === UNSET.raw && !word.quoted;

const REFERENCE = 'name reference ';

/** The value of `declare -n X=Y`: whoever reads or sets X reads or sets Y. */
export const referenceTo = (name: string): Word => ({
  text: `$${name}`,
  raw: REFERENCE + name,
  certainty: 'dynamic',
  quoted: true,
});

/** The name that stands behind a name, where references lead elsewhere. */
export function referredName(name: string, variables: ReadonlyMap<string, Word>): string {
  let found = name;
  for (let hop = 0; hop < 8; hop += 1) {
    const value = variables.get(found);
    if (!value?.raw.startsWith(REFERENCE)) return found;
    found = value.raw.slice(REFERENCE.length);
  }
  return found;
}

/** A value that cannot be known. */
export const unknownValue = (name: string): Word => ({
  text: `$${name}`,
  raw: `$${name}`,
  certainty: 'dynamic',
  quoted: true,
});

const same = (a: Word | undefined, b: Word | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.text === b.text && a.certainty === b.certainty);

/** Longer bodies are not put together: what is known of both is taken from the first. */
const MAX_BODY = 16_384;

/** Functions of one branch or the other: one that both define otherwise does what either does. */
function eitherOf(some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  if (some === others) return some;
  const functions = new Map(some);
  for (const [name, body] of others) {
    const known = functions.get(name);
    if (known === undefined) functions.set(name, body);
    else if (known !== body && !known.includes(body) && known.length + body.length < MAX_BODY)
      functions.set(name, `${known}\n${body}`);
  }
  return functions;
}

/**
 * What is known after branches of which one was taken: what they agree on. A variable on which they differ cannot be known,
 * nor can the folder. Branches that end the shell must be left out by the caller.
 */
export function merged(base: TerminalState, branches: readonly TerminalState[]): TerminalState {
  const [first, ...rest] = branches.filter((branch, at) => branches.indexOf(branch) === at);
  if (!first) return base;
  if (rest.length === 0) return first;
  const names = new Set<string>();
  for (const branch of branches) {
    if (branch.variables !== base.variables) for (const name of branch.variables.keys()) names.add(name);
  }
  const variables = new Map(base.variables);
  for (const name of names) {
    const value = first.variables.get(name);
    const isAgreed = rest.every((branch) => same(branch.variables.get(name), value));
    variables.set(name, isAgreed && value ? value : unknownValue(name));
  }
  const origins = new Map(base.origins);
  for (const branch of branches) for (const [name, found] of branch.origins) origins.set(name, found);
  const union = <K, V>(pick: (state: TerminalState) => ReadonlyMap<K, V>): ReadonlyMap<K, V> =>
    new Map(branches.flatMap((branch) => [...pick(branch)]));
  return {
    cwd: rest.every(({ cwd }) => cwd === first.cwd) ? first.cwd : null,
    mayBeIn: foldersOf(branches),
    previousCwd: rest.every(({ previousCwd }) => previousCwd === first.previousCwd) ? first.previousCwd : null,
    directoryStack: first.directoryStack,
    variables,
    origins,
    exported: new Set(branches.flatMap(({ exported }) => [...exported])),
    aliases: union(({ aliases }) => aliases),
    functions: branches.map(({ functions }) => functions).reduce(eitherOf),
    options: new Set(branches.flatMap(({ options }) => [...options])),
  };
}

/** More folders than these are as good as any. */
const MOST_FOLDERS = 4;

/** The folders among which a terminal is, each once; none where they are too many to look in each. */
export function oneOf(folders: readonly string[]): readonly string[] {
  const all = [...new Set(folders)];
  return all.length > MOST_FOLDERS ? [] : all;
}

/** Where a terminal may be after branches; none where one of them may have ended anywhere. */
function foldersOf(branches: readonly TerminalState[]): readonly string[] {
  const each = branches.map(({ cwd, mayBeIn }) => (cwd === null ? mayBeIn : [cwd]));
  return each.some((folders) => folders.length === 0) ? [] : oneOf(each.flat());
}

/** The terminal after a chain that may have stopped half-way: variables that were set behind that place cannot be known. */
export function orUnset(reached: TerminalState, stopped: TerminalState): TerminalState {
  const functions = eitherOf(reached.functions, stopped.functions);
  if (reached.variables === stopped.variables) return { ...reached, functions };
  const variables = new Map(reached.variables);
  for (const [name, value] of reached.variables) {
    if (!same(value, stopped.variables.get(name))) variables.set(name, unknownValue(name));
  }
  return { ...reached, variables, functions };
}
