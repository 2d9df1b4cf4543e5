import type { Trait, Word } from '../../../effect.js';
import type { Repository } from '../../../facts.js';
import { joinPath } from '../../../paths.js';
import type { Run } from '../../run.js';
import { HERE, inFolder } from '../helpers.js';
import { parseOptions, type OptionSpec, type ParsedOptions } from '../options.js';

/** What a sub-command of git works with. */
export interface GitContext {
  readonly run: Run;
  /** The sub-command, aliases resolved. */
  readonly name: string;
  /** The words after it. */
  readonly words: readonly Word[];
  /** Folder that git works in, as `-C` and `--work-tree` say; null for the command's own. */
  readonly folder: Word | null;
  /** The same, absolute; null when it cannot be known. */
  readonly cwd: string | null;
  readonly repository: Repository | null;
  /** Configuration given with `-c` on this command, keys in lower case. */
  readonly overrides: ReadonlyMap<string, Word>;
}

/** What one sub-command does. */
export type GitCommand = (git: GitContext) => void;

/** Sub-commands by name. */
export type GitCommands = Readonly<Record<string, GitCommand>>;

/** Git accepts abbreviations of long options everywhere, and `--no-x` for most `--x`. Source: gitcli(7). */
export const parseGit = (git: GitContext, spec: OptionSpec): ParsedOptions =>
  parseOptions({ abbreviates: true, negates: true, numeric: true, ...spec }, git.words);

/** A path word of the sub-command, seen from the folder of the command line. */
export const pathIn = (git: GitContext, word: Word): Word => inFolder(git.folder, word);

/** The folder git works in, as a word. */
export const hereOf = (git: GitContext): Word => git.folder ?? HERE;

/**
 * A pathspec as a path word: `:/x` is seen from the top, `:(…)` and the like stand for the whole folder. Null for those that
 * only leave something out. Source: gitglossary(7), pathspec.
 */
export function pathOfPathspec(git: GitContext, word: Word): Word | null {
  const { text } = word;
  if (/^:[!^]/.test(text) || /^:\([^)]*exclude/.test(text)) return null;
  if (!text.startsWith(':')) return pathIn(git, word);
  const top = git.repository?.root;
  const rest = text.replace(/^:(\([^)]*\)|\/)/, '');
  const path = top && /^:(\/|\([^)]*top)/.test(text) ? `${top}/${rest}` : rest;
  return { ...word, text: path === '' ? '.' : path };
}

/** Absolute path of a word without looking at links; null when it cannot be known. */
export function absoluteOf(git: GitContext, word: Word): string | null {
  if (word.certainty === 'dynamic' || git.run.invocation.cwd === null) return null;
  const { home, platform } = git.run.facts;
  return joinPath(git.run.invocation.cwd, word.text.replace(/^~(?=\/|$)/, home), platform);
}

/** A local ref that changes: a branch, a tag, HEAD, the stash, the index. The reflog keeps what it held for a while. */
export function changeRef(
  git: GitContext,
  op: 'write' | 'history',
  ref: string | Word,
  traits: readonly Trait[],
  note = '',
): void {
  const reversible = traits.includes('discards') ? 'no' : 'checkpoint';
  const [name, certainty] = typeof ref === 'string' ? [ref, 'exact' as const] : [ref.text, ref.certainty];
  git.run.emit(op, { type: 'ref', remote: null, ref: name }, { traits, certainty, reversible, note });
}

/** Branches that others build on, by custom. */
export function isProtectedRef(ref: string): boolean {
  const name = ref.replace(/^refs\/(heads|tags)\//, '');
  return /^(main|master|trunk|mainline|develop|development|production|prod|staging|stable|gh-pages|release([/_-].*)?)$/i.test(
    name,
  );
}

/** The branch that is checked out, or HEAD when it is not known. */
export const currentBranch = (git: GitContext): string => git.repository?.branch ?? 'HEAD';

/** A setting as this command sees it: given with `-c`, or in the repository's own configuration; null when unset or unknown. */
export const settingOf = (git: GitContext, key: string): string | null =>
  git.overrides.get(key)?.text ?? git.repository?.configuration.get(key) ?? null;
