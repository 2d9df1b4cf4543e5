import type { Facts } from '../facts.js';

/** How much of the file system one glob may look at. */
const MAX_MATCHES = 200;
const MAX_NAMES = 5_000;
/** More stars than this in one name make matching slow; the name then counts as matching everything. */
const MAX_STARS = 6;

const cache = new Map<string, RegExp>();
const CLASSES: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  digit: '0-9',
  lower: 'a-z',
  space: '\\s',
  upper: 'A-Z',
  xdigit: '0-9a-fA-F',
};

/** A name pattern (no separators) as a regular expression over one file name. Leading dots must be matched by a dot. */
function nameExpression(pattern: string, isCaseSensitive: boolean): RegExp {
  const key = `${isCaseSensitive ? 's' : 'i'}${pattern}`;
  const found = cache.get(key);
  if (found) return found;
  if (cache.size > 2_000) cache.clear();
  const made = new RegExp(`^${expressionSource(pattern)}$`, isCaseSensitive ? 's' : 'si');
  cache.set(key, made);
  return made;
}

function expressionSource(pattern: string): string {
  if ((pattern.match(/\*/g)?.length ?? 0) > MAX_STARS) return pattern.startsWith('.') ? '\\..*' : '.*';
  let source = /^[*?[]/.test(pattern) ? '(?!\\.)' : '';
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (char === '\\' && at + 1 < pattern.length) {
      at += 1;
      source += literal(pattern.charAt(at));
    } else if (char === '*') source += '[^/]*';
    else if (char === '?') source += '[^/]';
    else if (char === '[') {
      const [set, end] = bracket(pattern, at);
      source += set;
      at = end;
    } else source += literal(char);
  }
  return source;
}

const literal = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** `[!a-z]` at an index: its expression, and the index of its last character. An unclosed one is a literal bracket. */
function bracket(pattern: string, start: number): readonly [string, number] {
  const close = pattern.indexOf(']', start + (/^\[[!^]?\]/.test(pattern.slice(start, start + 3)) ? 3 : 1));
  if (close < 0) return ['\\[', start];
  const inner = pattern.slice(start + 1, close);
  const named = /^([!^]?)\[:(\w+):$/.exec(inner);
  if (named && pattern.charAt(close + 1) === ']') {
    return [`[${named[1] ? '^' : ''}${CLASSES[named[2] ?? ''] ?? '\\S\\s'}]`, close + 1];
  }
  const isNegated = /^[!^]/.test(inner);
  const members = (isNegated ? inner.slice(1) : inner).replace(/[\\^\][]/g, '\\$&').replace(/[&~|{}()/]/g, '\\$&');
  const ordered = members.replace(/(.)-(.)/g, (range, low: string, high: string) =>
    low <= high ? range : `${low}${high}`,
  );
  return [`[${isNegated ? '^' : ''}${ordered}]`, close];
}

/** Whether a file name matches a name pattern, by the shell's rules (`*` does not match a leading dot). */
export function nameMatches(pattern: string, name: string, isCaseSensitive: boolean): boolean {
  try {
    return nameExpression(pattern, isCaseSensitive).test(name);
  } catch (error) {
    // A class that is no valid expression: say that it matches, which is the careful answer.
    if (error instanceof SyntaxError) return true;
    throw error;
  }
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
