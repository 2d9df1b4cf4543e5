import type { Trait, Word } from '../../../effect.js';
import { pathResource } from '../../../paths.js';
import { exactWord } from '../../word.js';
import { absoluteOf, type GitContext } from './context.js';

/** Which files are at stake: `git reset --hard` takes changes to tracked files, `git clean` takes untracked ones. */
export type Stake = 'modified' | 'untracked';

/** How many lost files are named one by one. */
const NAMED = 20;

/**
 * Says which uncommitted work a command throws away below some paths. On a clean tree there is none, and nothing is said.
 * Where git's state is not known, the paths themselves are named, since something may be lost.
 */
export function discardBelow(git: GitContext, paths: readonly Word[], stake: Stake, note: string): void {
  for (const path of paths) discardOne(git, path, stake, note);
}

function discardOne(git: GitContext, path: Word, stake: Stake, note: string): void {
  const { run } = git;
  const absolute = path.certainty === 'exact' ? absoluteOf(git, path) : null;
  const uncommitted = absolute === null ? null : run.facts.uncommitted(absolute);
  if (uncommitted === null) {
    lose(git, path, stake, note, true);
    return;
  }
  const lost = uncommitted.filter((file) => (run.facts.gitState(file) === 'untracked') === (stake === 'untracked'));
  for (const file of lost.slice(0, NAMED)) lose(git, exactWord(file), stake, note, false);
  if (lost.length > NAMED) lose(git, path, stake, `${note} (${lost.length} files)`, true);
}

function lose(git: GitContext, path: Word, stake: Stake, note: string, isMany: boolean): void {
  const traits: Trait[] = ['discards', stake === 'untracked' ? 'force' : 'overwrite'];
  // Of what git does not know, some files go and never the folder as a whole.
  if (isMany) traits.push(stake === 'untracked' ? 'mass' : 'recursive');
  if (stake === 'untracked') git.run.delete(path, { traits, reversible: 'checkpoint', note });
  else git.run.write(path, { traits, reversible: 'checkpoint', note });
}

/**
 * Says which files that git follows are put back to their commit while a stash keeps what they held: nothing is lost, and a rule
 * on these files hears that they change. Where git's state is not known, nothing is said: there may be nothing to put aside.
 */
export function putAsideBelow(git: GitContext, paths: readonly Word[]): void {
  const { run } = git;
  for (const path of paths) {
    const folder = path.certainty === 'exact' ? absoluteOf(git, path) : null;
    const files = folder === null ? null : run.facts.uncommitted(folder);
    const changed = (files ?? []).filter((file) => run.facts.gitState(file) !== 'untracked');
    // No content that anybody brings: what makes a written secret or start-up file worth a question does not hold of these.
    for (const file of changed.length > NAMED ? [folder ?? ''] : changed)
      run.emit('write', pathResource(file, run.facts, 'ask-git'), {
        traits: changed.length > NAMED ? ['recursive'] : [],
        reversible: 'yes',
        note: 'put aside in the stash',
      });
  }
}
