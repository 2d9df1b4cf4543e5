import type { GitState } from './effect.js';
import type { Facts } from './facts.js';
import { isWithin } from './paths.js';
import { nameMatches, pathMatches } from './shell/glob.js';

/** What became of an ignore file: its text, null where that is not known or the file is gone; undefined where nothing did. */
export type ChangedIgnore = (file: string) => string | null | undefined;

/** Whether the text of a `.gitignore` leaves a path out, which is seen from its folder. The last line that fits decides. Source: gitignore(5). */
export function isIgnoredBy(text: string, path: string, facts: Pick<Facts, 'isCaseSensitive'>): boolean {
  let isIgnored = false;
  for (const line of text.split('\n')) {
    const written = line.replace(/(?<!\\)\s+$/, '');
    if (written === '' || written.startsWith('#')) continue;
    const isNegated = written.startsWith('!');
    const pattern = written.replace(/^!|^\\(?=[!#])/, '').replace(/\/$/, '');
    if (fits(pattern, path, facts)) isIgnored = !isNegated;
  }
  return isIgnored;
}

/** Whether a pattern fits a path or a folder above it: by name alone, or from the folder of the file on where it holds a slash. */
function fits(pattern: string, path: string, facts: Pick<Facts, 'isCaseSensitive'>): boolean {
  const parts = path.split('/');
  if (!pattern.includes('/'))
    return parts.some((part) =>
      nameMatches(
        part.startsWith('.') && pattern.startsWith('*') ? `*${pattern}` : pattern,
        part,
        facts.isCaseSensitive,
      ),
    );
  const anchored = `/${pattern.replace(/^\//, '')}`;
  return parts.some((_part, at) => pathMatches(anchored, `/${parts.slice(0, at + 1).join('/')}`, facts));
}

/**
 * How git sees a path once ignore files above it have changed: what one of them left out, and leaves out no more, is untracked.
 * What is ignored for another reason stays so. Where the new text is not known, it may leave out nothing.
 */
export function stateUnderIgnores(path: string, state: GitState, facts: Facts, changed: ChangedIgnore): GitState {
  if (state !== 'ignored') return state;
  const root = facts.roots.find((folder) => isWithin(path, folder, facts));
  if (root === undefined) return state;
  for (let at = path.lastIndexOf('/'); at >= root.length; at = path.lastIndexOf('/', at - 1)) {
    const folder = path.slice(0, at);
    const text = changed(`${folder}/.gitignore`);
    if (text === undefined) continue;
    const own = path.slice(at + 1);
    const before = facts.readText(`${folder}/.gitignore`);
    const wasIgnored = before === null || isIgnoredBy(before, own, facts);
    if (wasIgnored && (text === null || !isIgnoredBy(text, own, facts))) return 'untracked';
  }
  return state;
}
