import type { Facts } from '../effects/facts.js';
import { moreConfidential, NOTHING, type DeclaredLabels, type Labels } from '../session/labels.js';
import { linksAmong, questionsBy } from './links.js';
import { labelSpecsOf, type LabelOfLayer, type PolicyLayers } from './compile.js';
import { compilePath, covers, type PathPattern } from './pathPattern.js';
import { listOf } from './subject.js';
import { LAYERS } from './verdict.js';

interface Declared extends LabelOfLayer {
  readonly patterns: readonly PathPattern[];
}

/**
 * What a policy's `labels:` say of paths: the strongest layer that names the path speaks; within a layer the most confidential
 * and the least trusted. Files that may only tighten say what it carries at least. Null for a path that nobody names. Patterns
 * were checked at load: one that is no good is left out.
 */
export function declaredLabels(layers: PolicyLayers, facts: Facts): (path: string) => DeclaredLabels | null {
  const declared = labelSpecsOf(layers).map((one): Declared => ({
    ...one,
    patterns: listOf<string>(one.label.path).flatMap((text) => {
      const pattern = compilePath(text);
      return typeof pattern === 'string' ? [] : [pattern];
    }),
  }));
  const links = linksAmong(
    declared.flatMap(({ patterns }) => patterns),
    facts,
  );
  return (path) => {
    const question = { path, extent: 'exact', isRecursive: false, ignoreCase: !facts.isCaseSensitive } as const;
    const questions = questionsBy(question, links);
    const naming = declared.filter(({ patterns }) =>
      patterns.some((pattern) => questions.some((one) => covers(pattern, one, facts))),
    );
    if (naming.length === 0) return null;
    const strongest = LAYERS.find((layer) => naming.some((one) => one.layer === layer && !one.isOnlyStricter));
    const speaking = naming.filter((one) => one.layer === strongest && !one.isOnlyStricter);
    const integrities = speaking.flatMap(({ label }) => label.integrity ?? []);
    return {
      confidentiality: speaking
        .flatMap(({ label }) => label.confidentiality ?? [])
        .reduce<DeclaredLabels['confidentiality']>((a, b) => (a === null ? b : moreConfidential(a, b)), null),
      isUntrusted: integrities.length === 0 ? null : integrities.includes('untrusted'),
      atLeast: leastOf(naming.filter((one) => one.isOnlyStricter)),
    };
  };
}

const leastOf = (tightening: readonly Declared[]): Labels => ({
  confidentiality: tightening
    .flatMap(({ label }) => label.confidentiality ?? [])
    .reduce(moreConfidential, NOTHING.confidentiality),
  isUntrusted: tightening.some(({ label }) => label.integrity === 'untrusted'),
});
