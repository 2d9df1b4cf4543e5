import { hash53 } from '../hash.js';
import { bounded } from './views.js';
import { withoutEnd } from '../../trim.js';

const MOST_NAMES = 2_000;
/** What instructions name: addresses, hosts, command lines, paths, packages, keys. */
const WORDS = /[A-Za-z0-9@~./:_+=%-]{4,200}/g;

const cleaned = (word: string): string => withoutEnd(word.toLowerCase().replace(/^[./:@-]+/, ''), '.,:;/');

/** One name as it is compared: case, and marks at its ends, aside. */
export const nameMark = (name: string): number => hash53(cleaned(name));

/**
 * Marks of the names that an untrusted text gives: hosts, URLs, paths, dotted and dashed words. Plain words of a language are left
 * out. What a later step acts upon can be looked up among them, without keeping the text.
 */
export function namedIn(text: string): readonly number[] {
  const marks = new Set<number>();
  for (const [word] of bounded(text).matchAll(WORDS)) {
    const name = cleaned(word);
    if (name.length < 4 || !/[./:@_\d-]/.test(name)) continue;
    marks.add(hash53(name));
    const host = /^[a-z][\w+.-]*:\/\/([^/:?#]+)/.exec(name)?.[1];
    if (host !== undefined) marks.add(hash53(host));
    if (marks.size >= MOST_NAMES) break;
  }
  return [...marks];
}
