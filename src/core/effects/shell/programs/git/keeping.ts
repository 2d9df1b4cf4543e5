import type { Kept, Word } from '../../../effect.js';
import type { ParsedOptions } from '../options.js';
import { absoluteOf, hereOf, pathOfPathspec, type GitContext } from './context.js';

/** Absolute paths of pathspecs; null where one leaves something out or is not known exactly. */
function placesOf(git: GitContext, words: readonly Word[]): readonly string[] | null {
  const places = words.map((word) => {
    const path = word.certainty === 'exact' && !/[*?[]/.test(word.text) ? pathOfPathspec(git, word) : null;
    return path === null ? null : absoluteOf(git, path);
  });
  return places.every((place) => place !== null) ? places : null;
}

/** The top of the working tree, or the folder that git works in. */
function treeOf(git: GitContext): readonly string[] | null {
  const top = git.repository?.root ?? absoluteOf(git, hereOf(git));
  return top === null ? null : [top];
}

function keep(git: GitContext, where: Kept['in'], below: readonly string[] | null, what: Kept['what']): void {
  if (below !== null) git.run.keep({ in: where, below, what });
}

/** What `git add` puts into the index. */
export function keepAdded(git: GitContext, parsed: ParsedOptions): void {
  if (parsed.has('-n', '-p', '-e', '-i', '-N', '--refresh', '--pathspec-from-file')) return;
  const takesAll = parsed.has('-A', '-u') && parsed.operands.length === 0;
  keep(git, 'index', takesAll ? treeOf(git) : placesOf(git, parsed.operands), parsed.has('-u') ? 'modified' : 'all');
}

/** What a commit holds: what the index held, and with `-a` or paths the changes of files that git follows. */
export function keepCommitted(git: GitContext, parsed: ParsedOptions): void {
  if (parsed.has('-p', '--dry-run', '--short', '--porcelain', '--long', '--pathspec-from-file')) return;
  if (parsed.has('-a')) keep(git, 'commit', treeOf(git), 'modified');
  else keep(git, 'commit', parsed.operands.length === 0 ? [] : placesOf(git, parsed.operands), 'modified');
}

/** What a stash holds. */
export function keepStashed(git: GitContext, parsed: ParsedOptions): void {
  if (parsed.has('-p', '-S', '-k', '--pathspec-from-file')) return;
  const below = parsed.operands.length === 0 ? treeOf(git) : placesOf(git, parsed.operands);
  keep(git, 'stash', below, parsed.has('-u', '-a') ? 'all' : 'modified');
}
