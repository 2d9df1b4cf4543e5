import type { ParsedPolicy } from './parse.js';
import type { PolicyProblem } from './problem.js';

/** What packs may say and files of people may not. `firm` is the packs' own word: in a layer, priority says what outranks what. */
export function checkLayerRules(source: string, { spec, place }: ParsedPolicy): readonly PolicyProblem[] {
  return (spec.rules ?? []).flatMap((rule, index) =>
    rule.firm === undefined
      ? []
      : [
          {
            source,
            ...place(['rules', index, 'firm']),
            severity: 'error' as const,
            code: 'not-allowed' as const,
            message: '`firm` is for built-in packs. In a layer of yours, a higher `priority` says what outranks what.',
          },
        ],
  );
}
