import type { Word } from '../effect.js';
import { dynamicWord, escapeGlob, exactWord, lessCertain } from '../shell/word.js';
import type { FunctionNode } from './node.js';

/** Where a value that is not known came from, if that matters when it is run. */
export type Origin = 'network' | 'input' | 'decoded' | null;

/** What is known of a value while code is read. */
export type Value =
  | { readonly kind: 'text'; readonly word: Word }
  | { readonly kind: 'number'; readonly value: number }
  /** A module, or a function or constant of one, by its full name: `os.path.join`, `fs.rmSync`. */
  | { readonly kind: 'module'; readonly name: string }
  /** What a library made: a path, an open file, a connection. `about` is what it is about: the path, the host, the database. */
  | { readonly kind: 'instance'; readonly type: string; readonly about: Value | null }
  /** A member of a value that is no module, before it is called. */
  | { readonly kind: 'bound'; readonly receiver: Value; readonly name: string }
  /** `isOpen`: there may be more items than these, or fewer. */
  | { readonly kind: 'list'; readonly items: readonly Value[]; readonly isOpen: boolean }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, Value> }
  | { readonly kind: 'function'; readonly node: FunctionNode; readonly scope: Scope; readonly self: Value | null }
  /** Something callable with its first arguments: `functools.partial(f, x)`, `f.bind(null, x)`. */
  | {
      readonly kind: 'partial';
      readonly callee: Value;
      readonly positional: readonly Value[];
      readonly named: ReadonlyMap<string, Value>;
    }
  /** A method by its name alone, called on whatever it is handed: Ruby's `&:delete`, `operator.methodcaller('unlink')`. */
  | { readonly kind: 'message'; readonly name: string; readonly positional: readonly Value[] }
  | { readonly kind: 'choice'; readonly options: readonly Value[] }
  /** `file`: it is the whole content of that file. */
  | { readonly kind: 'unknown'; readonly hint: string; readonly origin: Origin; readonly file?: Word };

/** More than this many possible values of one place are not told apart. */
const MOST_OPTIONS = 6;
const MOST_LISTED = 400;
/** Longer constants are not followed: nobody writes a path or command of this length. */
const MOST_TEXT = 64 * 1024;

export const UNKNOWN: Value = { kind: 'unknown', hint: 'value', origin: null };
export const unknownValue = (hint: string, origin: Origin = null): Value => ({
  kind: 'unknown',
  hint: hint || 'value',
  origin,
});
/** What stands in a file, which is looked up only where it is run. */
export const contentOf = (file: Word): Value => ({ kind: 'unknown', hint: 'content', origin: null, file });
export const textValue = (text: string): Value => ({
  kind: 'text',
  word: text.length > MOST_TEXT ? dynamicWord('$text') : exactWord(text),
});
/** A text with each occurrence of another, not empty, replaced. What would grow beyond what is followed is not made at all. */
export function replacedText(text: string, from: string, to: string): Value {
  const parts = text.split(from);
  return text.length + (parts.length - 1) * to.length > MOST_TEXT
    ? wordValue(dynamicWord('$text'))
    : textValue(parts.join(to));
}
export const wordValue = (word: Word): Value => ({ kind: 'text', word });
/** A list; one that grows beyond what people write by hand is cut, and open. */
export const listValue = (items: readonly Value[], isOpen = false): Value =>
  items.length > MOST_LISTED
    ? { kind: 'list', items: items.slice(0, MOST_LISTED), isOpen: true }
    : { kind: 'list', items, isOpen };
/** Something callable with its first arguments; nothing is wrapped where there are none. */
export const partialOf = (
  callee: Value,
  positional: readonly Value[],
  named: ReadonlyMap<string, Value> = new Map(),
): Value => (positional.length === 0 && named.size === 0 ? callee : { kind: 'partial', callee, positional, named });
export const moduleValue = (name: string): Value => ({ kind: 'module', name });
export const instance = (type: string, about: Value | null = null): Value => ({ kind: 'instance', type, about });

/** One of several values; equal ones count once. */
export function choiceOf(values: readonly Value[]): Value {
  const options: Value[] = [];
  for (const value of values.flatMap((one) => (one.kind === 'choice' ? one.options : [one]))) {
    if (!options.some((other) => isSame(other, value))) options.push(value);
  }
  const [first = UNKNOWN] = options;
  if (options.length <= 1) return first;
  return options.length > MOST_OPTIONS ? UNKNOWN : { kind: 'choice', options };
}

const isSame = (a: Value, b: Value): boolean =>
  a === b ||
  (a.kind === 'text' && b.kind === 'text' && a.word.text === b.word.text && a.word.certainty === b.word.certainty) ||
  (a.kind === 'unknown' && b.kind === 'unknown') ||
  (a.kind === 'module' && b.kind === 'module' && a.name === b.name) ||
  (a.kind === 'number' && b.kind === 'number' && a.value === b.value);

/** All that a value may be, one by one. */
export const optionsOf = (value: Value): readonly Value[] => (value.kind === 'choice' ? value.options : [value]);

/** A value as the word of a path, URL or command. */
export function wordOf(value: Value): Word {
  switch (value.kind) {
    case 'text':
      return value.word;
    case 'number':
      return exactWord(String(value.value));
    case 'instance':
      return value.about === null ? dynamicWord('$value') : wordOf(value.about);
    case 'choice':
      return dynamicWord('$choice');
    case 'unknown':
      return dynamicWord(`$${value.hint}`);
    case 'bound':
      return wordOf(value.receiver).certainty === 'dynamic'
        ? dynamicWord(`$${value.name || 'value'}`)
        : dynamicWord('$value');
    default:
      return dynamicWord('$value');
  }
}

/** The text of a value that is wholly known; null for any other. */
export function knownText(value: Value | undefined): string | null {
  if (value?.kind === 'number') return String(value.value);
  return value?.kind === 'text' && value.word.certainty === 'exact' ? value.word.text : null;
}

/** One text behind another. */
export function concatenated(left: Word, right: Word): Word {
  const certainty = lessCertain(left.certainty, right.certainty);
  const piece = (word: Word): string =>
    certainty === 'pattern' && word.certainty === 'exact' ? escapeGlob(word.text) : word.text;
  const text = piece(left) + piece(right);
  if (text.length > MOST_TEXT) return dynamicWord('$text');
  return { text, raw: left.raw + right.raw, certainty, quoted: true };
}

/** Texts one behind the other; a choice among them is every combination, as long as there are few. */
export function joinedTexts(values: readonly Value[], separator = ''): Value {
  let words: readonly Word[] = [exactWord('')];
  for (const [at, value] of values.entries()) {
    const pieces = optionsOf(value).map(wordOf);
    const glue = at > 0 && separator !== '' ? exactWord(separator) : null;
    words = words.flatMap((left) => pieces.map((piece) => concatenated(glue ? concatenated(left, glue) : left, piece)));
    if (words.length > MOST_OPTIONS) words = [concatenated(words[0] ?? exactWord(''), dynamicWord('$choice'))];
  }
  return choiceOf(words.map(wordValue));
}

/** The origin of whatever a value was made of. */
export function originOf(value: Value): Origin {
  if (value.kind === 'unknown') return value.origin;
  if (value.kind === 'bound') return originOf(value.receiver);
  if (value.kind === 'instance') return value.type === 'Response' ? 'network' : null;
  if (value.kind === 'choice' || value.kind === 'list') {
    const items = value.kind === 'choice' ? value.options : value.items;
    return items.map(originOf).find((origin) => origin !== null) ?? null;
  }
  return null;
}

/** Names and what they stand for, inside a function or the whole text. */
export class Scope {
  readonly #names = new Map<string, Value>();

  constructor(readonly parent: Scope | null) {}

  get(name: string): Value | null {
    return this.#names.get(name) ?? this.parent?.get(name) ?? null;
  }

  /** The value in this very scope. */
  own(name: string): Value | null {
    return this.#names.get(name) ?? null;
  }

  /** All names of this very scope. */
  entries(): ReadonlyMap<string, Value> {
    return this.#names;
  }

  set(name: string, value: Value): void {
    this.#names.set(name, value);
  }

  /** The scope that holds a name; this one when none does. */
  holder(name: string): Scope {
    if (this.#names.has(name) || this.parent === null) return this;
    const holder = this.parent.holder(name);
    return holder.own(name) === null ? this : holder;
  }
}
