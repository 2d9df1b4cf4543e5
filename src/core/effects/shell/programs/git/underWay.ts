import type { GitContext } from './context.js';

/** What git leaves in its folder while one of these is under way. Source: git's own sources, `path.h` and `sequencer.c`. */
const UNDER_WAY: Readonly<Record<string, readonly string[]>> = {
  merge: ['MERGE_HEAD'],
  'cherry-pick': ['CHERRY_PICK_HEAD', 'sequencer'],
  revert: ['REVERT_HEAD', 'sequencer'],
  am: ['rebase-apply'],
  rebase: ['rebase-merge', 'rebase-apply'],
};

/** Whether git's folder says that none of the command's kind is under way, so that there is nothing to give up. */
export function isIdle({ name, repository, run }: GitContext): boolean {
  const marks = UNDER_WAY[name];
  if (marks === undefined || repository === null) return false;
  return marks.every((mark) => run.facts.entry(`${repository.gitFolder}/${mark}`) === 'absent');
}
