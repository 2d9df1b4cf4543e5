import type { Cancel } from '../cancel.js';
import { boundsOf } from './bounds.js';
import type { Clock, Hasher, Reviewer, ReviewInput } from '../ports.js';
import { canonicalForm } from './canonical.js';
import { reviewFacts, type ReviewFacts } from './facts.js';
import { featuresOf } from './features.js';
import { scoreLinear, verdictOf, type LinearModel } from './linear.js';
import { canChangeOutcome, skipReason } from './need.js';
import { isBorneOut, REASONS, reasonCode, reasonText, type ReasonCode } from './reasons.js';
import type { Review, ReviewVerdict } from './review.js';
import type { Thinker, Thought } from './thought.js';

/** What the reviewer is put together from. */
export interface ReviewerPorts {
  readonly linear: LinearModel;
  /** Null where the linear model is all there is. */
  readonly thinker: Thinker | null;
  readonly clock: Clock;
  readonly hasher: Hasher;
  /** Whether everything is reviewed that can be, as measurements want it, or only what smart skip leaves. */
  readonly skip: 'smart' | 'nothing';
  /** Resolves when a question has waited long enough for an answer that cannot change what comes of it. */
  readonly patience: () => Promise<void>;
}

/** Answers remembered by digest: what was decided is in it, so that nothing old is answered to something new. */
const MOST_REMEMBERED = 512;

const STRICTNESS: readonly ReviewVerdict[] = ['approve', 'flag', 'reject'];

type Answered = Extract<Review, { readonly type: 'answered' }>;
type NoAnswer = Extract<Review, { readonly type: 'none' }>;

/** What one model says. */
interface Opinion {
  readonly verdict: ReviewVerdict;
  readonly confidence: number;
  readonly reason: ReasonCode;
  readonly model: string;
}

/** The reason that a model chose, if the verdict is borne out by it; else the one that the facts bear out. */
const reasonOf = (verdict: ReviewVerdict, chosen: ReasonCode | null, facts: ReviewFacts): ReasonCode =>
  chosen !== null && REASONS[chosen].verdict === verdict && isBorneOut(chosen, facts)
    ? chosen
    : reasonCode(verdict, facts);

function ofThought(thought: Extract<Thought, { type: 'thought' }>, thinker: Thinker, facts: ReviewFacts): Opinion {
  const { verdict, confidence } = verdictOf(thought.probabilities, thinker.thresholds);
  return { verdict, confidence, reason: reasonOf(verdict, thought.reason, facts), model: thought.model };
}

function ofLinear(linear: LinearModel, input: ReviewInput, facts: ReviewFacts, place: 'beside' | 'alone'): Opinion {
  const thresholds = place === 'beside' ? linear : { ...linear, flagAt: linear.flagAloneAt };
  const { verdict, confidence } = verdictOf(scoreLinear(linear, featuresOf(input, facts)), thresholds);
  return { verdict, confidence, reason: reasonCode(verdict, facts), model: linear.name };
}

/**
 * The stricter of two opinions. Of two that approve, the confidence is the lesser; of two equal objections the surer one counts,
 * with the reason of the first.
 */
export function stricterOpinion(a: Opinion, b: Opinion): Opinion {
  if (a.verdict === b.verdict) {
    const both = [a.confidence, b.confidence];
    return { ...a, confidence: a.verdict === 'approve' ? Math.min(...both) : Math.max(...both) };
  }
  return STRICTNESS.indexOf(b.verdict) > STRICTNESS.indexOf(a.verdict) ? b : a;
}

/**
 * An opinion within what the facts alone settle. An objection to what the request plainly asks for becomes an approval that is too
 * unsure to clear anything; an approval of what the request forbids becomes a rejection, and one of what no word bears out a flag
 * that clears nothing and, by itself, asks nobody.
 */
function bounded(opinion: Opinion, facts: ReviewFacts): Opinion {
  const { least, most } = boundsOf(facts);
  const at = (verdict: ReviewVerdict): number => STRICTNESS.indexOf(verdict);
  if (at(opinion.verdict) > at(most))
    return { ...opinion, verdict: most, confidence: 0.5, reason: reasonCode(most, facts) };
  if (at(opinion.verdict) < at(least))
    return { ...opinion, verdict: least, confidence: least === 'reject' ? 1 : 0.5, reason: reasonCode(least, facts) };
  return opinion;
}

const riskOf = (verdict: ReviewVerdict, facts: ReviewFacts): Answered['risk'] => {
  if (verdict === 'approve') return 'none';
  const weight = Math.max(0, ...facts.effects.map((fact) => fact.weight));
  return weight >= 6 ? 'high' : weight >= 3 ? 'medium' : 'low';
};

const LATE: Thought = {
  type: 'none',
  why: 'slow',
  message: 'The reviewer is still thinking; what it says could not change this question.',
};

/** Small answers of the latest prompts, oldest forgotten first. */
class Remembered {
  readonly #answers = new Map<string, Answered>();

  get(key: string): Answered | undefined {
    const answer = this.#answers.get(key);
    if (answer === undefined) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    return answer;
  }

  set(key: string, answer: Answered): void {
    this.#answers.set(key, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST_REMEMBERED && oldest !== undefined) this.#answers.delete(oldest);
  }
}

/**
 * The reviewer (product.md §8): facts, then the linear model and, where there is one, a language model; the stricter of both
 * counts. Where the model's process gives no answer the linear model's objections still count, its approvals do not, but where no
 * model can run at all the linear one stands in. Never throws.
 */
export function createReviewer(ports: ReviewerPorts): Reviewer {
  const remembered = new Remembered();
  return {
    async review(input, cancel) {
      const skipped = ports.skip === 'smart' ? skipReason(input) : null;
      if (skipped !== null) return { type: 'skipped', why: skipped };
      const start = ports.clock.nowMicros();
      const facts = reviewFacts(input);
      const text = canonicalForm(input, facts);
      const key = ports.hasher.sha256(
        JSON.stringify([text, input.lacuna.kind, input.lacuna.params, featuresOf(input, facts)]),
      );
      const known = remembered.get(key);
      if (known !== undefined) return { ...known, isCached: true, durationMs: elapsedMs(ports.clock, start) };
      const answer = await answered(input, facts, text, cancel);
      if (answer.type === 'answered' && !answer.isPartial) remembered.set(key, strip(answer));
      return answer.type === 'answered' ? { ...strip(answer), durationMs: elapsedMs(ports.clock, start) } : answer;
    },
  };

  /** A person who is asked in any case is not kept waiting: the question is put without the model's word. */
  async function thoughtInTime(thinker: Thinker, input: ReviewInput, text: string, cancel: Cancel): Promise<Thought> {
    const thinking = thinker.think({ text }, cancel);
    return canChangeOutcome(input) ? thinking : Promise.race([thinking, ports.patience().then(() => LATE)]);
  }

  function beside(opinion: Opinion, input: ReviewInput, facts: ReviewFacts): Opinion {
    return stricterOpinion(opinion, ofLinear(ports.linear, input, facts, 'beside'));
  }

  async function answered(
    input: ReviewInput,
    facts: ReviewFacts,
    text: string,
    cancel: Cancel,
  ): Promise<(Answered & { readonly isPartial: boolean }) | NoAnswer> {
    const { thinker } = ports;
    const thought: Thought =
      thinker === null
        ? { type: 'none', why: 'missing', message: '' }
        : await thoughtInTime(thinker, input, text, cancel);
    if (thought.type === 'thought' && thinker !== null)
      return written(bounded(beside(ofThought(thought, thinker, facts), input, facts), facts), facts, input, false);
    const linear = bounded(ofLinear(ports.linear, input, facts, 'alone'), facts);
    if (thought.type === 'none' && thought.why !== 'missing' && linear.verdict === 'approve')
      return { type: 'none', why: thought.why, message: thought.message };
    return written(linear, facts, input, thought.type === 'none' && thought.why !== 'missing');
  }
}

function written(
  opinion: Opinion,
  facts: ReviewFacts,
  { roots }: ReviewInput,
  isPartial: boolean,
): Answered & { readonly isPartial: boolean } {
  const { verdict, confidence, reason, model } = opinion;
  return {
    type: 'answered',
    verdict,
    risk: riskOf(verdict, facts),
    reason: reasonText(reason, facts, roots),
    confidence,
    model,
    durationMs: 0,
    isCached: false,
    isPartial,
  };
}

function strip({ isPartial: _isPartial, ...answer }: Answered & { readonly isPartial: boolean }): Answered {
  return answer;
}

const elapsedMs = (clock: Clock, startMicros: number): number =>
  Math.round((clock.nowMicros() - startMicros) / 100) / 10;
