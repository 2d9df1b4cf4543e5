import type { SimpleCommand, Word } from '../effect.js';

/** Options, by program, with which it turns what cannot be read into what it stands for. */
const UNPACKERS: Readonly<Record<string, RegExp>> = {
  base64: /^(-\w*[dD]\w*|--decode)$/,
  base32: /^(-\w*d\w*|--decode)$/,
  basenc: /^(-\w*d\w*|--decode)$/,
  xxd: /^-\w*r\w*$/,
  openssl: /^-d$/,
  uudecode: /^/,
  gpg: /^(-d|--decrypt)$/,
  age: /^(-d|--decrypt)$/,
  gunzip: /^/,
  zcat: /^/,
  gzip: /^-\w*d\w*$/,
  bzcat: /^/,
  bzip2: /^-\w*d\w*$/,
  xzcat: /^/,
  xz: /^-\w*d\w*$/,
  zstdcat: /^/,
  tar: /^(-?\w*x\w*O\w*|-?\w*O\w*x\w*|--to-stdout|-O)$/,
  unzip: /^-\w*p\w*$/,
  history: /^/,
  fc: /^-\w*l\w*$/,
};

/** A substitution of such a command, as it is written in a word. */
const IN_WORDS =
  /(?:\$\(|`)[^)`]{0,400}\b(?:base(?:64|32|nc)\s[^|)`]*(?:-\w*[dD]\b|--decode)|xxd\s[^|)`]*-\w*r|openssl\s[^|)`]*\s-d\b|gunzip\b|zcat\b|uudecode\b|gpg\s[^|)`]*-d\b|history\b)/;

/** Whether words hold a substitution of a command that decodes, decrypts or unpacks. */
export const holdsUnpacked = (words: readonly Word[]): boolean =>
  words.some(({ raw, certainty }) => certainty !== 'exact' && IN_WORDS.test(raw));

/**
 * Whether a command gives out what nobody can have read before: it decodes, decrypts or unpacks, or repeats what was once typed.
 * Where its output runs as code, the code was hidden. Source: the manual pages of the programs.
 */
export function isUnpacking({ program, argv }: SimpleCommand): boolean {
  if (!Object.hasOwn(UNPACKERS, program)) return false;
  const option = UNPACKERS[program] as RegExp;
  return option.source === '^' || argv.slice(1).some(({ text }) => option.test(text));
}
