import type { Word } from '../../effect.js';
import { fittingLengths, wildcardOf, type Wildcard } from '../wildcard.js';

/** `${name[index]operator argument}` taken apart; offsets count from the start of the expansion. */
export interface Parameter {
  /** `${#x}` length, `${!x}` indirection, else empty. */
  readonly prefix: '' | '#' | '!';
  readonly name: string;
  /** Text between the brackets; null without brackets. */
  readonly index: string | null;
  /** `:-`, `#`, `//`, `^^`, `@`… or empty. */
  readonly operator: string;
  /** Where the argument of the operator begins. */
  readonly argumentStart: number;
}

const FORM =
  /^\$\{([!#](?=[\w@*?#!$-]))?(\w+|[@*#?$!_-])(?:\[((?:[^\]\\]|\\.)*)\])?(:[-=+?]|##?|%%?|\/[/#%]?|\^\^?|,,?|@|:|[-=+?*])?/s;

/** Reads the head of `${…}`. Null when it has no form that is known. */
export function readParameter(text: string): Parameter | null {
  const match = FORM.exec(text);
  if (!match) return null;
  const [head, prefix = '', name = '', index, operator = ''] = match;
  if (operator === '' && head.length !== text.length - 1) return null;
  return { prefix: prefix as Parameter['prefix'], name, index: index ?? null, operator, argumentStart: head.length };
}

/** Longer values than this are not computed with, nor longer ones made. */
const MAX_VALUE = 4_096;
const MAX_RESULT = 64 * 1024;
/** A pattern with a star is tried at each place of a value no longer than this. */
const MAX_SOUGHT = 512;

/** The value after an operator on a known value with a known argument; null when it cannot be worked out. */
export function applyOperator(value: string, operator: string, argument: string): string | null {
  if (value.length > MAX_VALUE) return null;
  switch (operator) {
    case '#':
    case '##':
      return withoutPrefix(value, argument, operator === '##');
    case '%':
    case '%%':
      return withoutSuffix(value, argument, operator === '%%');
    case '/':
    case '//':
    case '/#':
    case '/%':
      return replaced(value, operator, argument);
    case '^':
      return value.slice(0, 1).toUpperCase() + value.slice(1);
    case '^^':
      return value.toUpperCase();
    case ',':
      return value.slice(0, 1).toLowerCase() + value.slice(1);
    case ',,':
      return value.toLowerCase();
    case ':':
      return sliced(value, argument);
    case '@':
      return argument === 'U' ? value.toUpperCase() : argument === 'L' ? value.toLowerCase() : null;
    default:
      return null;
  }
}

/** A shell pattern over any text (a star matches slashes too); null when it has parts that are not understood. */
const patternOf = (pattern: string): Wildcard | null => (/[?*+@!]\(/.test(pattern) ? null : wildcardOf(pattern, true));

function withoutPrefix(value: string, pattern: string, isLongest: boolean): string | null {
  const wildcard = patternOf(pattern);
  return wildcard && value.slice(lengthOf(wildcard, value, isLongest) ?? 0);
}

function withoutSuffix(value: string, pattern: string, isLongest: boolean): string | null {
  const wildcard = patternOf(pattern);
  const length = wildcard && lengthOf(wildcard.toReversed(), [...value].toReversed().join(''), isLongest);
  return wildcard && value.slice(0, value.length - (length ?? 0));
}

/** How long the shortest or the longest beginning is that fits; null when none does. */
function lengthOf(wildcard: Wildcard, text: string, isLongest: boolean): number | null {
  let longest: number | null = null;
  for (const length of fittingLengths(wildcard, text)) {
    if (!isLongest) return length;
    longest = length;
  }
  return longest;
}

function replaced(value: string, operator: string, argument: string): string | null {
  const match = /^((?:[^/\\]|\\[\s\S])*)(?:\/([\s\S]*))?$/.exec(argument);
  const [, pattern = '', written = ''] = match ?? [];
  if (pattern === '') return value;
  const wildcard = patternOf(pattern);
  if (wildcard === null || (wildcard.includes('any') && value.length > MAX_SOUGHT)) return null;
  const replacement = written.replace(/\\(.)/g, '$1');
  if (operator === '/#') {
    const length = lengthOf(wildcard, value, true);
    return length === null ? value : replacement + value.slice(length);
  }
  if (operator === '/%') {
    const rest = withoutSuffix(value, pattern, true);
    return rest === null || rest.length === value.length ? value : rest + replacement;
  }
  return replacedEach(value, wildcard, replacement, operator === '//');
}

/** Every longest part that fits, or the first one alone, replaced from left to right. */
function replacedEach(value: string, wildcard: Wildcard, replacement: string, isEach: boolean): string | null {
  let out = '';
  let at = 0;
  while (at < value.length) {
    const length = lengthOf(wildcard, value.slice(at), true) ?? 0;
    if (length === 0) out += value.charAt(at);
    else if (isEach) out += replacement;
    else return out + replacement + value.slice(at + length);
    if (out.length > MAX_RESULT) return null;
    at += Math.max(1, length);
  }
  return out;
}

function sliced(value: string, argument: string): string | null {
  const match = /^\s*(-?\d+)\s*(?::\s*(-?\d+)\s*)?$/.exec(argument);
  if (!match) return null;
  const offset = Number(match[1]);
  const start = offset < 0 ? value.length + offset : offset;
  if (start < 0) return '';
  const length = match[2] === undefined ? value.length - start : Number(match[2]);
  return length < 0 ? value.slice(start, value.length + length) : value.slice(start, start + length);
}

/** Elements of an array, or the positional parameters: what `"${name[@]}"` and `"$@"` stand for. Null when they are not known. */
export function elementsOf(name: string, variables: ReadonlyMap<string, Word>): readonly Word[] | null {
  if (variables.has(`${name}[@]`)) return null;
  const prefix = `${name}[`;
  const elements: Word[] = [];
  for (const [key, value] of variables) if (key.startsWith(prefix)) elements.push(value);
  if (elements.length > 0) return elements;
  const single = variables.get(name);
  return single === undefined ? [] : [single];
}

/** Positional parameters in order, without `$0`. Null when their number is not known. */
export function positionalOf(variables: ReadonlyMap<string, Word>): readonly Word[] | null {
  if (variables.has('@')) return null;
  const values: Word[] = [];
  for (let at = 1; ; at += 1) {
    const value = variables.get(String(at));
    if (!value) return values;
    values.push(value);
  }
}
