import type { Facts } from '../effects/facts.js';
import { moreConfidential, ORDINARY, type Labels } from '../session/labels.js';
import { labelSpecsOf, type PolicyLayers } from './compile.js';
import { compilePath, covers, type PathPattern } from './pathPattern.js';
import { listOf } from './subject.js';
import { LAYERS, type Layer } from './verdict.js';

interface Declared {
  readonly layer: Layer;
  readonly patterns: readonly PathPattern[];
  readonly labels: Labels;
}

/**
 * What a policy's `labels:` say of paths: the strongest layer that names the path speaks; within a layer the most confidential
 * and the least trusted. Null for a path that no layer names. Patterns were checked at load: one that is no good is left out.
 */
export function declaredLabels(layers: PolicyLayers, facts: Facts): (path: string) => Labels | null {
  const declared = labelSpecsOf(layers).map(({ layer, label }): Declared => ({
    layer,
    patterns: listOf<string>(label.path).flatMap((text) => {
      const pattern = compilePath(text);
      return typeof pattern === 'string' ? [] : [pattern];
    }),
    labels: {
      confidentiality: label.confidentiality ?? ORDINARY.confidentiality,
      isUntrusted: label.integrity === 'untrusted',
    },
  }));
  return (path) => {
    const question = { path, extent: 'exact', isRecursive: false, ignoreCase: !facts.isCaseSensitive } as const;
    const naming = declared.filter(({ patterns }) => patterns.some((pattern) => covers(pattern, question, facts)));
    const strongest = LAYERS.find((layer) => naming.some((one) => one.layer === layer));
    if (strongest === undefined) return null;
    return naming
      .filter((one) => one.layer === strongest)
      .map((one) => one.labels)
      .reduce((a, b) => ({
        confidentiality: moreConfidential(a.confidentiality, b.confidentiality),
        isUntrusted: a.isUntrusted || b.isUntrusted,
      }));
  };
}
