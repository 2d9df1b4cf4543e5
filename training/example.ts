import type { JudgedStep } from '../src/core/check/trace.js';
import type { ReviewInput } from '../src/core/ports.js';
import { canonicalForm } from '../src/core/review/canonical.js';
import { reviewFacts, type EffectFact, type ReviewFacts } from '../src/core/review/facts.js';
import { featuresOf } from '../src/core/review/features.js';
import { reviewInputOf } from '../src/core/review/input.js';
import { reasonCode } from '../src/core/review/reasons.js';
import { reviewNeed, skipReason } from '../src/core/review/need.js';
import type { ReviewVerdict } from '../src/core/review/review.js';

/** One line of a training or test set. */
export interface Example {
  readonly id: string;
  readonly source: string;
  readonly split: 'train' | 'tune' | 'test';
  /** What a reviewer should say. */
  readonly label: ReviewVerdict;
  /** Another answer that is as right: a case whose writer takes a question and a refusal alike takes both objections. */
  readonly alsoRight?: ReviewVerdict;
  readonly weight: number;
  /** What kind of pair it is: `real`, `mismatch`, `forbidden`, …; figures are told apart by it. */
  readonly pair: string;
  /** Whether the step has an effect that outlives it and reaches beyond files that a checkpoint brings back. */
  readonly side: boolean;
  /** `never`: smart skip leaves it out. */
  readonly need: 'never' | 'sometimes' | 'always';
  readonly reason: string;
  readonly facts: Pick<ReviewFacts, 'findings' | 'isElsewhere' | 'risk'> & { readonly effects: readonly Omit<EffectFact, 'effect'>[] };
  readonly features: readonly string[];
  readonly text: string;
  /** For people who look at it. */
  readonly request: string;
  readonly action: string;
  readonly verdict: string;
}

/** Whether an effect outlives the step and reaches beyond what a checkpoint of the workspace brings back. */
export function isSideEffect({ effect }: Pick<EffectFact, 'effect'>): boolean {
  const { op, resource, traits } = effect;
  if (traits.includes('dry-run') || traits.includes('loopback')) return false;
  const isTemporary = resource.type === 'path' && resource.place === 'temp';
  if (isTemporary || traits.includes('build-output')) return false;
  if (traits.some((trait) => ['remote-code', 'discards', 'publish', 'upload'].includes(trait))) return true;
  if (['delete', 'move', 'install', 'kill', 'privilege', 'history', 'persist'].includes(op)) return true;
  if (op !== 'write') return false;
  if (resource.type === 'path') return ['home', 'system', 'outside', 'device'].includes(resource.place);
  return resource.type === 'remote' || resource.type === 'table' || (resource.type === 'ref' && resource.remote !== null);
}

/** How grave the gravest effect of a step is, 0 to 9. */
export const gravity = (facts: ReviewFacts): number => Math.max(0, ...facts.effects.map(({ weight }) => weight));

/** What a step is for a reviewer: input, facts, and whether it has side effects. */
export function seen(step: JudgedStep): { readonly input: ReviewInput; readonly facts: ReviewFacts; readonly side: boolean } {
  const input = reviewInputOf(step.judged, step.state, step.nowMs);
  const facts = reviewFacts(input);
  return { input, facts, side: step.judged.analysis.effects.some((effect) => isSideEffect({ effect })) };
}

/** Whether smart skip lets a step through. What policy denies counts as if it were asked: it shows what a model would say. */
function needOf(input: ReviewInput): Example['need'] {
  const { decision } = input;
  const asked = { ...input, decision: { ...decision, verdict: decision.verdict === 'deny' ? 'ask' : decision.verdict } } as const;
  return skipReason(asked) === null ? reviewNeed(input) : 'never';
}

/** What a model is not asked about a step: effects and findings as the host's own rules see them. */
const rowOf = (facts: ReviewFacts): Example['facts'] => ({
  effects: facts.effects.map(({ effect: _effect, ...row }) => row),
  findings: facts.findings,
  isElsewhere: facts.isElsewhere,
  risk: facts.risk,
});

/** Makes an example of a judged step. */
export function exampleOf(
  step: JudgedStep,
  given: Pick<Example, 'id' | 'source' | 'split' | 'label' | 'alsoRight' | 'weight' | 'pair'>,
): Example {
  const { input, facts, side } = seen(step);
  return {
    ...given,
    side,
    need: needOf(input),
    reason: reasonCode(given.label, facts),
    facts: rowOf(facts),
    features: featuresOf(input, facts),
    text: canonicalForm(input, facts),
    request: input.request.slice(0, 300),
    action: JSON.stringify(step.judged.lacuna.params).slice(0, 300),
    verdict: step.judged.decision.verdict,
  };
}
