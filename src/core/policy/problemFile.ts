import type { LoadedSource, PolicySource } from './load.js';
import type { PolicyProblem } from './problem.js';

/**
 * Problems of a source by the path of the file that each stands in: of the file itself, or of one that it extends. Names
 * lie to each other as paths do.
 */
export function problemsByFile({
  source,
  problems,
}: Pick<LoadedSource, 'source' | 'problems'>): ReadonlyMap<string, readonly PolicyProblem[]> {
  const found = new Map<string, PolicyProblem[]>([[source.path, []]]);
  for (const problem of problems) {
    const path = pathOf(source, problem.source);
    found.set(path, [...(found.get(path) ?? []), problem]);
  }
  return found;
}

/** What another name says from the folder of the source's name, said from the folder of its path. */
function pathOf({ path, name }: PolicySource, named: string): string {
  if (/^(?:\/|[A-Za-z]:\/)/.test(named)) return named;
  const from = name.split('/').slice(0, -1);
  const folder = path.split('/').slice(0, -1);
  const to = named.split('/');
  while (from.some((part, index) => part !== to[index])) {
    from.pop();
    folder.pop();
  }
  return [...folder, ...to.slice(from.length)].join('/');
}
