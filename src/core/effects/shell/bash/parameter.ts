import type { Word } from '../../effect.js';

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

/** Longer values than this are not computed with: matching a prefix tries each length. */
const MAX_VALUE = 4_096;
const MAX_STARS = 4;

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

/** A shell pattern over any text (a star matches slashes too); null when it is too costly to match. */
function expression(pattern: string): string | null {
  if ((pattern.match(/\*/g)?.length ?? 0) > MAX_STARS || /[?*+@!]\(/.test(pattern)) return null;
  return pattern.replace(/\\(.)|\[[!^]?\]?[^\]]*\]|[\s\S]/g, (part, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped.replace(/[^\w\s]/g, '\\$&');
    if (part === '*') return '[\\s\\S]*';
    if (part === '?') return '[\\s\\S]';
    if (part.length > 1) return part.replace(/^\[!/, '[^').replace(/\\/g, '\\\\');
    return part.replace(/[^\w\s]/g, '\\$&');
  });
}

function compiled(source: string | null, wrap: (source: string) => string): RegExp | null {
  if (source === null) return null;
  try {
    return new RegExp(wrap(source));
  } catch (error) {
    if (error instanceof SyntaxError) return null; // A bracket expression that is none here: the value is not known then.
    throw error;
  }
}

function withoutPrefix(value: string, pattern: string, isLongest: boolean): string | null {
  const matcher = compiled(expression(pattern), (source) => `^(?:${source})$`);
  if (!matcher) return null;
  for (let step = 0; step <= value.length; step += 1) {
    const length = isLongest ? value.length - step : step;
    if (matcher.test(value.slice(0, length))) return value.slice(length);
  }
  return value;
}

function withoutSuffix(value: string, pattern: string, isLongest: boolean): string | null {
  const matcher = compiled(expression(pattern), (source) => `^(?:${source})$`);
  if (!matcher) return null;
  for (let step = 0; step <= value.length; step += 1) {
    const start = isLongest ? step : value.length - step;
    if (matcher.test(value.slice(start))) return value.slice(0, start);
  }
  return value;
}

function replaced(value: string, operator: string, argument: string): string | null {
  const match = /^((?:[^/\\]|\\[\s\S])*)(?:\/([\s\S]*))?$/.exec(argument);
  const [, pattern = '', replacement = ''] = match ?? [];
  if (pattern === '') return value;
  const anchored = (source: string): string =>
    operator === '/#' ? `^(?:${source})` : operator === '/%' ? `(?:${source})$` : `(?:${source})`;
  const source = compiled(expression(pattern), anchored);
  if (!source) return null;
  const matcher = operator === '//' ? new RegExp(source.source, 'g') : source;
  return value.replace(matcher, () => replacement.replace(/\\(.)/g, '$1'));
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
