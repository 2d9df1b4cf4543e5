import type { Certainty, Word } from '../effect.js';

/** A word that is known to be exactly this text. */
export const exactWord = (text: string): Word => ({ text, raw: text, certainty: 'exact', quoted: true });

/** A word of which only this is known: how it was written, or what it stands for. `$` marks where the unknown begins. */
export const dynamicWord = (what: string): Word => ({
  text: what.startsWith('$') ? what : `$(${what})`,
  raw: what,
  certainty: 'dynamic',
  quoted: false,
});

/** The number of a job that the shell started itself: `$!`, and what `jobs -p` prints. */
export const OWN_JOB: Word = { text: '$!', raw: '$!', certainty: 'dynamic', quoted: true };

/** A number that is known only when it runs: no more than digits, wherever it is put in. */
export const NUMBER: Word = { text: '[0-9]*', raw: 'a number', certainty: 'pattern', quoted: true };

/** A word that stands for all paths that match a glob. Backslash takes a special character literally. */
export const patternWord = (glob: string, raw: string = glob): Word => ({
  text: glob,
  raw,
  certainty: 'pattern',
  quoted: false,
});

const ORDER: Readonly<Record<Certainty, number>> = { exact: 0, pattern: 1, dynamic: 2 };

/** The less certain of two: a text made of both is as uncertain as its worst part. */
export const lessCertain = (a: Certainty, b: Certainty): Certainty => (ORDER[a] >= ORDER[b] ? a : b);

/** Whether a text holds a character that a shell would take as a glob. */
export const hasGlob = (text: string): boolean => /[*?[]/.test(text);

/** A literal text as part of a glob: its special characters escaped. */
export const escapeGlob = (text: string): string => text.replace(/[\\*?[\]{}()!+@|]/g, '\\$&');

/** The literal text of a glob without special characters; null when it has any that are not escaped. */
export function literalOfGlob(glob: string): string | null {
  return /(^|[^\\])(\\\\)*[*?[{]/.test(glob) ? null : glob.replace(/\\(.)/gs, '$1');
}

/** The literal text of a word of which only numbers are unknown, with something in their place; null for another word. */
export function withNumber(word: Word, number: string): string | null {
  const parts = word.text.split(NUMBER.text).map(literalOfGlob);
  return parts.includes(null) ? null : parts.join(number);
}

/** The part of a word's text that is known for sure: all of an exact word, else what stands before glob or unknown part. */
export function knownPrefix(word: Word): string {
  if (word.certainty === 'exact') return word.text;
  const at = word.text.search(word.certainty === 'pattern' ? /[*?[{$]/ : /[*?[$]/);
  return at < 0 ? word.text : word.text.slice(0, at);
}

/** Puts text before a word's own, with the same certainty: `--output=` + `x`. */
export const prefixed = (prefix: string, word: Word): Word => ({
  ...word,
  text: (word.certainty === 'pattern' ? escapeGlob(prefix) : prefix) + word.text,
  raw: prefix + word.raw,
});

/** Puts text behind a word's own, with the same certainty. */
export const suffixed = (word: Word, suffix: string): Word => ({
  ...word,
  text: word.text + (word.certainty === 'pattern' ? escapeGlob(suffix) : suffix),
  raw: word.raw + suffix,
});

/**
 * A text that is known in part, as code to be read again: what was substituted into it and cannot be known stands as `$_`, which
 * every shell analyser takes for unknown. Otherwise a substitution would seem to run a second time.
 */
export function asCode(word: Word): Word {
  if (word.certainty === 'exact') return word;
  return { ...word, text: word.text.replace(/\$\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, '$_') };
}
