import type { Word } from '../../effect.js';

/** Marks an unknown part inside a text: a character that no file name holds. */
const OPEN = '\ue000';
const CLOSE = '\ue001';
/** How much is added to the characters of what stands behind a name, so that nothing of it ends a word. */
const SHIFT = 0xe100;

/** Looks up a variable; null when it is not known. `at` is where it stands in the text. */
export type LookUp = (name: string, at: number) => string | null;

/** A value or a line that grows beyond this is not known. cmd itself takes lines of 8,191 characters. */
const MOST_CHARACTERS = 64 * 1024;

const PERCENT = /%([^%\s:!=&|<>^"'()]+)(?::(~-?\d+(?:,-?\d+)?|[^%=]+=[^%]*))?%/g;
const DELAYED = /!([^!\s:%=&|<>^"'()]+)(?::(~-?\d+(?:,-?\d+)?|[^!=]+=[^!]*))?!/g;

/**
 * `%NAME%`, `%NAME:~0,3%` and `%NAME:a=b%` replaced by what is known; what is not becomes a marked part. `%%` is a
 * percent sign, and `%x` and `%~dpx` of a loop stay for the loop. Source: set /?, phase 1 of cmd's parser.
 */
export const expandVariables = (text: string, lookUp: LookUp): string =>
  expanded(text.replace(/%%(?=[\w~])/g, '%'), PERCENT, lookUp, unknownPart);

/** Looks up an argument of a batch file or label: `0` to `9`, or `*` for all. Null when it is not known. */
export type ArgumentLookUp = (name: string) => string | null;

/** `%1`, `%~1`, `%~dp0`, `%*` replaced by the arguments of a batch file. Source: call /?. */
export const expandArguments = (text: string, lookUp: ArgumentLookUp): string =>
  text.replace(
    /%(%)?(?:(~[a-z$:]*)?(\d)|\*)/gi,
    (all, doubled: string | undefined, how: string | undefined, name: string | undefined) => {
      if (doubled !== undefined) return all;
      const value = lookUp(name ?? '*');
      if (value === null) return unknownPart(name ?? 'arguments');
      return how === undefined ? value : partOf(value.replace(/^"(.*)"$/, '$1'), how.slice(1).toLowerCase());
    },
  );

/** The parts of a path that `d`, `p`, `n` and `x` name; the whole of it without any. */
function partOf(path: string, letters: string): string {
  const whole = path.replaceAll('\\', '/');
  const at = whole.lastIndexOf('/') + 1;
  const dot = whole.lastIndexOf('.') > at ? whole.lastIndexOf('.') : whole.length;
  const drive = /^[a-z]:/i.exec(whole)?.[0] ?? '';
  const parts: Readonly<Record<string, string>> = {
    d: drive,
    p: whole.slice(drive.length, at),
    n: whole.slice(at, dot),
    x: whole.slice(dot),
  };
  if (letters === '' || letters.includes('f')) return path;
  return ['d', 'p', 'n', 'x'].map((letter) => (letters.includes(letter) ? (parts[letter] ?? '') : '')).join('');
}

/** `!NAME!` and its forms, which are put in when a command runs. What is not known stays as it is written. Source: phase 5. */
export const expandDelayed = (text: string, lookUp: LookUp): string => expanded(text, DELAYED, lookUp, () => null);

function expanded(
  text: string,
  pattern: RegExp,
  lookUp: LookUp,
  otherwise: (name: string, how: string) => string | null,
): string {
  let characters = text.length;
  return text.replace(pattern, (all: string, name: string, how: string | undefined, at: number) => {
    const known = characters > MOST_CHARACTERS ? null : valueOf(name, how, (one) => lookUp(one, at));
    const value = known ?? otherwise(name, how ?? '') ?? all;
    characters += value.length;
    return value;
  });
}

function valueOf(name: string, how: string | undefined, lookUp: (name: string) => string | null): string | null {
  const value = lookUp(name);
  if (value === null || how === undefined) return value;
  const part = /^~(-?\d+)(?:,(-?\d+))?$/.exec(how);
  if (part) {
    const from = Number(part[1]);
    const rest = value.slice(from);
    const length = part[2] === undefined ? rest.length : Number(part[2]);
    return rest.slice(0, length);
  }
  const [from = '', to = ''] = how.split('=', 2);
  if (from === '') return value;
  // `*x=y` replaces all up to the first x.
  if (from.startsWith('*') && from.length > 1) {
    const at = value.toLowerCase().indexOf(from.slice(1).toLowerCase());
    return at < 0 ? value : to + value.slice(at + from.length - 1);
  }
  const most = (value.length / from.length) * to.length;
  if (most > MOST_CHARACTERS) return null;
  return value.replace(new RegExp(from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi'), () => to);
}

/** A text with marked parts as a word: exact when it has none, else each of them begins with a dollar sign. `raw` is as it was written. */
export function wordOfText(text: string, raw: string, isQuoted: boolean): Word {
  const written = raw.replace(MARKED, (_all, name: string, how: string) => `%${name}${shown(how)}%`);
  if (!text.includes(OPEN)) return { text, raw: written, certainty: 'exact', quoted: isQuoted };
  return {
    text: text.replace(MARKED, (_all, name: string) => `$${name}`),
    raw: written,
    certainty: 'dynamic',
    quoted: isQuoted,
  };
}

/** Puts a loop's value in place of `%x` and its forms such as `%~nx`. */
export function withLoopValue(text: string, variable: string, value: string): string {
  return text.replace(new RegExp(`%(?:~[a-z$:]*?)?${variable}(?![A-Za-z0-9_]*%)`, 'g'), () => value);
}

/** A part that is not known until it runs. */
export const unknownPart = (name: string, how = ''): string => `${OPEN}${name}${hidden(how)}${CLOSE}`;

const MARKED = /\ue000([^\ue001\ue100-\ue1ff]*)([\ue100-\ue1ff]*)\ue001/g;

const hidden = (how: string): string =>
  how === '' ? '' : [':', ...how].map((one) => String.fromCharCode(SHIFT + Math.min(one.charCodeAt(0), 0xff))).join('');

const shown = (how: string): string => [...how].map((one) => String.fromCharCode(one.charCodeAt(0) - SHIFT)).join('');
