import type { Facts } from '../facts.js';
import { fits, wildcardOf, type Wildcard } from './wildcard.js';

/** How much of the file system one glob may look at. */
const MAX_MATCHES = 200;
const MAX_NAMES = 5_000;
const cache = new Map<string, Wildcard | null>();

function wildcard(pattern: string, isCaseSensitive: boolean): Wildcard | null {
  const key = `${isCaseSensitive ? 's' : 'i'}${pattern}`;
  const found = cache.get(key);
  if (found !== undefined) return found;
  if (cache.size > 2_000) cache.clear();
  const made = wildcardOf(pattern, isCaseSensitive);
  cache.set(key, made);
  return made;
}

/** A name pattern that starts with two stars, by which programs say what they found: they look at hidden names too. */
const TAKES_HIDDEN = /^\*\*./;

/** A name pattern that means hidden names too, where the shell's rule would leave them out. */
export const withHidden = (pattern: string): string => (pattern.startsWith('*') ? `**${pattern}` : pattern);

/** A glob as a shell would write it: without what says that hidden names are meant too. */
export const withoutHidden = (glob: string): string => glob.replace(/(?<=^|\/)\*\*(?=[^/])/g, '');

/**
 * Whether a file name matches a name pattern, by the shell's rules (what may stand for several characters does not match a leading
 * dot). A class that is not understood matches, which is the careful answer.
 */
export function nameMatches(pattern: string, name: string, isCaseSensitive: boolean): boolean {
  if (name.startsWith('.') && /^[*?[]/.test(pattern) && !TAKES_HIDDEN.test(pattern)) return false;
  const parts = wildcard(pattern, isCaseSensitive);
  return parts === null || fits(parts, name);
}

/** Whether an absolute path matches an absolute glob, part by part. `**` is any number of parts. */
export function pathMatches(glob: string, path: string, facts: Pick<Facts, 'isCaseSensitive'>): boolean {
  return partsMatch(splitParts(glob), splitParts(path), facts.isCaseSensitive, 0);
}

const splitParts = (path: string): readonly string[] => path.split('/').filter((part) => part !== '');

function partsMatch(
  globs: readonly string[],
  parts: readonly string[],
  isCaseSensitive: boolean,
  depth: number,
): boolean {
  for (let at = 0; at < globs.length; at += 1) {
    const glob = globs[at] as string;
    if (glob === '**') {
      if (depth > 3) return true;
      for (let skip = at; skip <= parts.length; skip += 1) {
        if (partsMatch(globs.slice(at + 1), parts.slice(skip), isCaseSensitive, depth + 1)) return true;
      }
      return false;
    }
    const part = parts[at];
    if (part === undefined || !nameMatches(glob, part, isCaseSensitive)) return false;
  }
  return parts.length === globs.length;
}

/**
 * Paths that an absolute glob matches now. Null when that cannot be known: a folder cannot be listed, `**` is used, or there are
 * more than 200 matches.
 */
export function expandGlob(glob: string, facts: Facts): readonly string[] | null {
  const isWindows = facts.platform === 'win32';
  let found: string[] = [isWindows ? '' : '/'];
  let looked = 0;
  for (const part of splitParts(glob)) {
    if (part === '**') return null;
    const next: string[] = [];
    for (const folder of found) {
      const base = folder === '' ? '' : folder.endsWith('/') ? folder : `${folder}/`;
      if (!/[*?[\\]/.test(part)) {
        next.push(base + part);
        continue;
      }
      const entry = facts.entry(folder);
      if (entry === 'absent' || entry === 'file') continue;
      const names = facts.list(folder);
      if (!names) return null;
      looked += names.length;
      if (looked > MAX_NAMES) return null;
      for (const name of names) if (nameMatches(part, name, facts.isCaseSensitive)) next.push(base + name);
    }
    if (next.length > MAX_MATCHES) return null;
    found = next;
  }
  return found.filter((path) => !/[\\]/.test(path) && facts.entry(path) !== 'absent');
}
