import { RISKS, type Risk } from '../lacuna/kindMetadata.js';
import type { Kind } from '../lacuna/kinds.js';
import type { Confinement, Decision } from '../policy/decision.js';
import { stricter, strictness, type Verdict } from '../policy/verdict.js';
import type { Review } from './review.js';

/** Least confidence at which an approval may lower a clearable ask. */
export const CLEARING_CONFIDENCE = 0.9;

/**
 * Least confidence at which a flag makes a question of a step of medium risk that policy lets pass. A less sure one is shown and
 * recorded only: whoever is asked about every second step that they wanted stops reading questions. Both figures are set by
 * training/measure.ts on steps that neither train nor test: at most one in a hundred of what was asked for becomes a question.
 */
export const RAISING_CONFIDENCE = 0.95;

/** The same where the risk is high or critical: less is enough, but more than that a model cannot tell. */
export const RAISING_CONFIDENCE_AT_HIGH_RISK = 0.75;

/** What the machine offers while a review is applied. */
export interface ReviewConditions {
  readonly kind: Kind;
  /** Isolation that a cleared command would run in; null where there is no sandbox. */
  readonly sandbox: Confinement | null;
  /** Nobody can be asked: what would be asked is denied. */
  readonly isHeadless: boolean;
}

/**
 * What a review makes of a decision (product.md §4.5, §8). A reject raises to ask: a small model tells a flag and a reject apart
 * too badly to refuse what nobody has looked at. A flag raises to ask from medium risk on where it is sure, the less so the higher the risk.
 * An approval lowers a clearable ask: to sandbox, or, for kinds that have none, to allow at low risk and high confidence. No answer
 * where the risk is high is "no verdict", which is ask. A deny is never touched.
 */
export function applyReview(decision: Decision, review: Review, conditions: ReviewConditions): Decision {
  const reviewed = reviewedDecision(decision, review, conditions);
  const isUnanswerable = conditions.isHeadless && reviewed.verdict === 'ask';
  return isUnanswerable ? { ...reviewed, verdict: 'deny' } : reviewed;
}

function reviewedDecision(decision: Decision, review: Review, conditions: ReviewConditions): Decision {
  if (decision.verdict === 'deny' || review.type === 'skipped') return decision;
  const isRisky = RISKS.indexOf(decision.risk) >= RISKS.indexOf('high');
  if (review.type === 'none') {
    if (review.why === 'off' || !isRisky || strictness(decision.verdict) >= strictness('ask')) return decision;
    return {
      ...decision,
      verdict: 'ask',
      decidedBy: 'failure',
      confinement: null,
      reason: `${review.message} Nobody has reviewed this action of high risk.`,
    };
  }
  switch (review.verdict) {
    case 'reject':
      return raise(decision, 'ask', review.reason);
    case 'flag':
      return isRaising(decision.risk, review.confidence) ? raise(decision, 'ask', review.reason) : decision;
    case 'approve':
      return clear(decision, review.confidence, conditions);
  }
}

/** Whether a flag of this confidence makes a question of a step of this risk. */
export function isRaising(risk: Risk, confidence: number): boolean {
  if (risk === 'low') return false;
  return confidence >= (risk === 'medium' ? RAISING_CONFIDENCE : RAISING_CONFIDENCE_AT_HIGH_RISK);
}

function raise(decision: Decision, to: Verdict, reason: string): Decision {
  const verdict = stricter(decision.verdict, to);
  if (verdict === decision.verdict) return decision;
  return { ...decision, verdict, decidedBy: 'reviewer', confinement: null, reason: `The reviewer objects: ${reason}` };
}

function clear(decision: Decision, confidence: number, conditions: ReviewConditions): Decision {
  if (decision.verdict !== 'ask' || !decision.isClearable || confidence < CLEARING_CONFIDENCE) return decision;
  if (conditions.kind === 'ExecuteShell')
    return conditions.sandbox === null
      ? decision
      : { ...decision, verdict: 'sandbox', decidedBy: 'reviewer', confinement: conditions.sandbox };
  return decision.risk === 'low' ? { ...decision, verdict: 'allow', decidedBy: 'reviewer' } : decision;
}
