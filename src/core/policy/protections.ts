import type { LayerFile } from './layerFile.js';

/**
 * Rules that hold always, in the language that everyone writes. Nothing outranks them: they are combined with whatever the
 * layers say by strictness alone. Source: product.md §4.1.
 */
export const PROTECTIONS: LayerFile = {
  source: 'lacuna:protections',
  spec: {
    version: 1,
    rules: [
      // First of the two, so that it is the reason told: the home folder holds the guard's own files too.
      {
        id: 'protect-everything',
        match: { effect: { trait: 'catastrophic' }, not: { effect: { trait: 'dry-run' } } },
        verdict: 'deny',
        reason: 'This destroys the system, the home folder, or the workspace together with its history.',
        advice: 'Name exactly what has to go, inside the workspace, and remove only that.',
      },
      {
        id: 'protect-guard',
        match: {
          effect: { trait: 'guard-self' },
          not: { any: [{ effect: { op: ['read', 'list'] } }, { effect: { trait: 'dry-run' } }] },
        },
        verdict: 'deny',
        reason: "An agent does not change Lacuna's own files, settings or hooks.",
        advice: 'Leave the guard as it is. If a rule is in the way, say which one and ask the person to change it.',
      },
    ],
  },
};
