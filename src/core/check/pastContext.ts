import { freshTerminal } from '../effects/effect.js';
import type { Facts } from '../effects/facts.js';
import type { CompiledPolicy } from '../policy/compile.js';
import { declaredLabels } from '../policy/declaredLabels.js';
import type { ContextAt } from '../policy/simulate.js';
import { assess } from '../session/assess.js';
import { policyContext, type Circumstances } from './judge.js';

/** What a past Lacuna is judged in again. */
export interface PastWorld {
  /** The files as they are now; of what they were then nothing is known. */
  readonly facts: Facts;
  readonly identity: (path: string) => string | null;
  readonly circumstances: Circumstances;
}

/** Circumstances of past Lacunas: the state that their session had then, and the files as they are now. */
export function pastContext(policy: CompiledPolicy, { facts, identity, circumstances }: PastWorld): ContextAt {
  const view = { facts, syntax: { parse: () => null }, terminal: freshTerminal(facts.roots[0] ?? null) };
  const policyLabels = declaredLabels(policy.layers, facts);
  return (lacuna, analysis, state, nowMs) =>
    policyContext(
      lacuna,
      assess(state, lacuna, analysis, { facts, identity, policyLabels, nowMs }),
      circumstances,
      view,
    );
}
