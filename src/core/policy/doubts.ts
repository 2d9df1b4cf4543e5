import type { InWorkspace } from './lintText.js';
import type { LoadedSource } from './load.js';
import type { PolicyProblem } from './problem.js';

/**
 * Rules of no use in the file of a source that is in force as it is written: what protects nothing should be seen also where nobody
 * opens the file. Empty for a broken file, whose errors come first. The parser is loaded only when there is something to parse.
 */
export async function doubtsOf(
  { source, texts, standing }: Pick<LoadedSource, 'source' | 'texts' | 'standing'>,
  isInWorkspace: InWorkspace,
): Promise<readonly PolicyProblem[]> {
  const text = standing === 'as-written' ? texts.get(source.path) : undefined;
  if (text === undefined) return [];
  const [{ lintPolicy }, { parsePolicy }] = await Promise.all([import('./lint.js'), import('./parse.js')]);
  const parsed = parsePolicy(source.name, text);
  return parsed.ok ? lintPolicy(source.name, parsed.value, isInWorkspace) : [];
}
