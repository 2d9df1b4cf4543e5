import { changesGuard, guardPlaces } from '../../../guardSelf.js';
import { isWithin } from '../../../paths.js';
import { sensitivityOf } from '../../../sensitivePaths.js';
import type { Word } from '../../../effect.js';
import type { Repository } from '../../../facts.js';
import { exactWord } from '../../word.js';
import { absoluteOf, type GitContext } from './context.js';

/** Where a command takes the files of the working tree from. Revisions as {@link Repository.textsAt} reads them. */
export interface Swap {
  /** The first of these revisions that there is. */
  readonly to: readonly string[];
  /** Files that are alike in it and in `to` stay as they are. Absent: every file that git follows becomes as `to` has it. */
  readonly from?: string;
  /** Only what lies here; absent: the whole tree. */
  readonly below?: readonly Word[];
}

/**
 * Says which files of the guard itself (its policies, the hooks and settings of agents that call it) a command would put in
 * another revision's state, and take the guard away by it. Asks git only for these few files; says nothing of others, since git
 * itself sees to it that no uncommitted work is lost, and {@link discardBelow} tells where it does not.
 */
export function swapGuard(git: GitContext, swap: Swap): void {
  const { repository, run } = git;
  if (repository === null) return;
  const places = guardPlaces(run.facts).filter((path) => isWithin(path, repository.root, run.facts));
  const texts = swap.to.length === 0 || places.length === 0 ? null : firstTexts(repository, swap.to, places);
  if (texts === null) return;
  const before = repository.textsAt(swap.from ?? '', places) ?? new Map<string, string>();
  for (const path of new Set([...texts.keys(), ...before.keys()])) {
    const text = texts.get(path) ?? null;
    const isKept = swap.from !== undefined && (before.get(path) ?? null) === text;
    if (!isKept && isBelow(git, path, swap.below) && takesGuard(git, path, text)) report(git, path, text, swap);
  }
}

/** The tree without files, which every repository knows. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** What joining a revision with this one brings: what changed in it since the two parted. */
export const mergeOf = (...revisions: readonly string[]): Swap => ({
  to: revisions,
  from: `HEAD...${revisions[0] ?? 'HEAD'}`,
});

/** Says which files of the guard, of those that git does not follow, a command takes out of a folder. */
export function takeUntrackedGuard(git: GitContext, below: Word): void {
  const { run } = git;
  const folder = below.certainty === 'exact' ? absoluteOf(git, below) : null;
  for (const file of (folder === null ? null : run.facts.uncommitted(folder)) ?? []) {
    if (!guardPlaces(run.facts).some((place) => isWithin(file, place, run.facts))) continue;
    if (run.facts.gitState(file) === 'untracked' && takesGuard(git, file, null))
      report(git, file, null, { to: ['what is left'] });
  }
}

function firstTexts(repository: Repository, revisions: readonly string[], places: readonly string[]) {
  for (const revision of revisions) {
    const texts = repository.textsAt(revision, places);
    if (texts !== null) return texts;
  }
  return null;
}

function isBelow(git: GitContext, path: string, below: readonly Word[] | undefined): boolean {
  return (
    below?.some((word) => {
      const folder = word.certainty === 'exact' ? absoluteOf(git, word) : null;
      return folder === null || isWithin(path, folder, git.run.facts);
    }) ?? true
  );
}

function takesGuard({ run: { facts } }: GitContext, path: string, after: string | null): boolean {
  const before = facts.readText(path);
  if (before === after) return false;
  if (sensitivityOf(path, facts).isGuard) return true;
  return changesGuard(path, { before, after: after ?? '', added: after ?? '' }, facts);
}

function report({ run }: GitContext, path: string, text: string | null, { to }: Swap): void {
  const where = to[0] === '' ? 'the index' : (to[0] ?? '');
  const emission = { traits: ['guard-self', 'overwrite'] as const, reversible: 'checkpoint' as const };
  if (text === null) run.delete(exactWord(path), { ...emission, note: `${where} does not have it` });
  else run.write(exactWord(path), { ...emission, note: `as ${where} has it` });
}

/** A revision as somebody may write it for `checkout` and `switch`: `-` is the branch before, a remote's branch needs no remote. */
export function revisionsOf(word: Word | undefined): readonly string[] {
  if (word === undefined) return [];
  return word.text === '-' ? ['@{-1}'] : [word.text, `origin/${word.text}`];
}
