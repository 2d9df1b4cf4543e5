import { joinPath } from '../../../paths.js';
import { exactWord } from '../../word.js';
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
