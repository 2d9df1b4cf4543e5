import { compilePath, literalStarts, type Anchors, type PathPattern, type PathQuestion } from './pathPattern.js';
import type { CompiledPolicy } from './compile.js';
import type { MatchSpec } from './schema.js';
import { listOf } from './subject.js';

/** A folder that a policy names and that is a link, or lies behind one. Both absolute. */
export interface Link {
  readonly named: string;
  readonly real: string;
}

/** Most folders that are looked at for one decision. */
const MOST_LOOKED_AT = 256;

const patternsOfPolicy = new WeakMap<CompiledPolicy, readonly PathPattern[]>();
const linksOfAnchors = new WeakMap<Anchors, WeakMap<CompiledPolicy, readonly Link[]>>();

/**
 * Links on the way to what people's rules name: effects tell real paths, and a rule on `vault/**` means what `vault` leads to. Packs
 * name nothing of a workspace, and are left out. Looked at once for each view of the world.
 */
export function linksOf(policy: CompiledPolicy, anchors: Anchors): readonly Link[] {
  if (anchors.realPath === undefined) return [];
  const known = linksOfAnchors.get(anchors) ?? new WeakMap<CompiledPolicy, readonly Link[]>();
  linksOfAnchors.set(anchors, known);
  const links = known.get(policy) ?? linksAmong(patternsOf(policy), anchors);
  known.set(policy, links);
  return links;
}

/** Links on the way to what patterns begin with. */
export function linksAmong(patterns: readonly PathPattern[], anchors: Anchors): readonly Link[] {
  const starts = new Set(patterns.flatMap((pattern) => literalStarts(pattern, anchors)));
  return [...starts].slice(0, MOST_LOOKED_AT).flatMap((named) => {
    const real = anchors.realPath?.(named) ?? named;
    return real === named ? [] : [{ named, real }];
  });
}

function patternsOf(policy: CompiledPolicy): readonly PathPattern[] {
  const known = patternsOfPolicy.get(policy);
  if (known !== undefined) return known;
  const texts = new Set(
    policy.rules
      .filter(({ layer }) => layer !== 'pack' && layer !== 'protection')
      .flatMap(({ spec }) => pathsIn(spec.match)),
  );
  const patterns = [...texts].flatMap((text) => {
    const pattern = compilePath(text);
    return typeof pattern === 'string' ? [] : [pattern];
  });
  patternsOfPolicy.set(policy, patterns);
  return patterns;
}

const pathsIn = (match: MatchSpec): readonly string[] => [
  ...listOf<string>(match.effect?.path ?? []),
  ...[...(match.any ?? []), ...(match.all ?? []), ...(match.not === undefined ? [] : [match.not])].flatMap(pathsIn),
];

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
