/** A word that no shell of the Bourne family reads as anything but itself. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** A word as sh, bash and zsh read it back: as it is, or in single quotes. Source: POSIX shell 2.2.2. */
export const quoteWord = (word: string): string => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
