import { literalStarts, type Anchors, type PathPattern, type PathQuestion } from './pathPattern.js';

/** A folder that a policy names and that is a link, or lies behind one. Both absolute. */
export interface Link {
  readonly named: string;
  readonly real: string;
}

/** Most folders that are looked at for one decision. */
const MOST_LOOKED_AT = 256;

/** Links on the way to what patterns begin with. */
export function linksAmong(patterns: readonly PathPattern[], anchors: Anchors): readonly Link[] {
  const starts = new Set(patterns.flatMap((pattern) => literalStarts(pattern, anchors)));
  return [...starts].slice(0, MOST_LOOKED_AT).flatMap((named) => {
    const real = anchors.realPath?.(named) ?? named;
    return real === named ? [] : [{ named, real }];
  });
}

/** The names by which a path can be meant: its own, and those that lead to it, or to something below, through a link. */
export function namesOfPath(path: string, reachesBelow: boolean, links: readonly Link[]): readonly string[] {
  const names = links.flatMap(({ named, real }) => {
    if (path === real || path.startsWith(`${real}/`)) return [named + path.slice(real.length)];
    return reachesBelow && real.startsWith(path === '/' ? '/' : `${path}/`) ? [named] : [];
  });
  return names.length === 0 ? [path] : [...new Set([path, ...names])];
}

/** A question asked of each name that the path has. */
export const questionsBy = (question: PathQuestion, links: readonly Link[]): readonly PathQuestion[] =>
  links.length === 0
    ? [question]
    : namesOfPath(question.path, question.isRecursive || question.extent === 'below', links).map((path) => ({
        ...question,
        path,
      }));
