import { joinPath } from '../../../paths.js';
import type { Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { variableOf } from '../helpers.js';
import { settingOf, type GitContext } from './context.js';

/**
 * Hooks that a sub-command runs, if they are there. They are the repository's own, so their content counts, not their being.
 * A folder of hooks set by `-c core.hooksPath` is judged where that option is read.
 */
export function runHooks(git: GitContext, names: readonly string[]): void {
  const { repository, run } = git;
  if (repository === null) return;
  const configured = settingOf(git, 'core.hookspath');
  const folder =
    configured === null
      ? `${repository.gitFolder}/hooks`
      : joinPath(repository.root, configured.replace(/^~(?=\/|$)/, run.facts.home), run.facts.platform);
  for (const name of names) {
    const path = `${folder}/${name}`;
    if (run.facts.entry(path) === 'file') run.script('sh', exactWord(path));
  }
}

/** Variables by which the usual managers of hooks leave all or some out. Sources: Husky 9, Lefthook 1, pre-commit 4, Overcommit. */
const SKIPPING: readonly (readonly [string, RegExp])[] = [
  ['HUSKY', /^0$/],
  ['HUSKY_SKIP_HOOKS', /^(?!0?$)/],
  ['LEFTHOOK', /^(?:0|false)$/],
  ['LEFTHOOK_EXCLUDE', /./],
  ['SKIP', /./],
  ['OVERCOMMIT_DISABLE', /^1$/],
  ['SKIP_SIMPLE_GIT_HOOKS', /^1$/],
  ['PRE_COMMIT_ALLOW_NO_CONFIG', /^1$/],
];

/** Whether a variable tells the hooks not to check, which is `--no-verify` by another name. */
export const skipsHooks = (run: Run): boolean =>
  SKIPPING.some(([name, value]) => {
    const word = variableOf(run, name);
    return word !== null && (word.certainty !== 'exact' || value.test(word.text));
  });
