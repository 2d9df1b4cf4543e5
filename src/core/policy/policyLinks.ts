import type { CompiledPolicy } from './compile.js';
import { linksAmong, type Link } from './links.js';
import { compilePath, type Anchors, type PathPattern } from './pathPattern.js';
import type { MatchSpec } from './schema.js';
import { listOf } from './subject.js';

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
