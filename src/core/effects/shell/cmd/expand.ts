import type { Word } from '../../effect.js';

/** Marks an unknown part inside a text: a character that no file name holds. */
const OPEN = '\ue000';
const CLOSE = '\ue001';

/** Looks up a variable; null when it is not known. */
export type LookUp = (name: string) => string | null;

/** A value or a line that grows beyond this is not known. cmd itself takes lines of 8,191 characters. */
const MOST_CHARACTERS = 64 * 1024;

/**
 * `%NAME%`, `%NAME:~0,3%`, `%NAME:a=b%` and `!NAME!` replaced by what is known; what is not becomes a marked part. `%%` is a
 * percent sign, and `%x` and `%~dpx` of a loop stay for the loop. Source: set /?, phase 1 of cmd's parser.
 */
export function expandVariables(text: string, lookUp: LookUp): string {
  let characters = text.length;
  const replaced = (_all: string, name: string, how: string | undefined): string => {
    const value = characters > MOST_CHARACTERS ? unknownPart(name) : valueOf(name, how, lookUp);
    characters += value.length;
    return value;
  };
  return text
    .replace(/%%(?=[\w~])/g, '%')
    .replace(/%([^%\s:!=&|<>^"'()]+)(?::(~-?\d+(?:,-?\d+)?|[^%=]+=[^%]*))?%/g, replaced)
    .replace(/!([^!\s:%=&|<>^"'()]+)(?::(~-?\d+(?:,-?\d+)?|[^!=]+=[^!]*))?!/g, replaced);
}

function valueOf(name: string, how: string | undefined, lookUp: LookUp): string {
  const value = lookUp(name);
  if (value === null) return unknownPart(name);
  if (how === undefined) return value;
  const part = /^~(-?\d+)(?:,(-?\d+))?$/.exec(how);
  if (part) {
    const from = Number(part[1]);
    const rest = from < 0 ? value.slice(from) : value.slice(from);
    const length = part[2] === undefined ? rest.length : Number(part[2]);
    return length < 0 ? rest.slice(0, length) : rest.slice(0, length);
  }
  const [from = '', to = ''] = how.split('=', 2);
  const most = from === '' ? 0 : (value.length / from.length) * to.length;
  if (most > MOST_CHARACTERS) return unknownPart(name);
  return from === '' ? value : value.replaceAll(from, to);
}

/** A text with marked parts as a word: exact when it has none, else each of them begins with a dollar sign. */
export function wordOfText(text: string, raw: string, isQuoted: boolean): Word {
  if (!text.includes(OPEN)) return { text, raw, certainty: 'exact', quoted: isQuoted };
  return { text: text.replaceAll(OPEN, '$').replaceAll(CLOSE, ''), raw, certainty: 'dynamic', quoted: isQuoted };
}

/** Puts a loop's value in place of `%x` and its forms such as `%~nx`. */
export function withLoopValue(text: string, variable: string, value: string): string {
  return text.replace(new RegExp(`%(?:~[a-z$:]*?)?${variable}(?![A-Za-z0-9_]*%)`, 'g'), () => value);
}

/** A part that is not known until it runs. */
export const unknownPart = (name: string): string => `${OPEN}${name}${CLOSE}`;
