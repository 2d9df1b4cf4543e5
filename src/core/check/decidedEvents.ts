import type { Decision } from '../policy/decision.js';
import type { SessionEvent } from '../session/event.js';
import type { Rights } from '../session/delegate.js';
import type { Judged } from './judge.js';

/** Indexes of the effects that led to a refusal: those whose deciding rules are as strict as the verdict; else all. */
function refusedEffects({ decision, analysis }: Judged): readonly number[] {
  const decisive = decision.rules.filter((rule) => rule.lost === null && rule.verdict === decision.policyVerdict);
  const indexes = [...new Set(decisive.map((rule) => rule.effect))];
  return indexes.length > 0 ? indexes : analysis.effects.map((_effect, index) => index);
}

/**
 * What a decision means for later steps, as events: the mode stepped up, if it was, and the decision itself. `decision` is the
 * last word (a person's, a reviewer's), `judged` what policy and state said before.
 */
export function decidedEvents(
  judged: Judged,
  decision: Pick<Decision, 'verdict' | 'decidedBy'>,
  isPermitted: boolean,
  lends: Rights | null,
  atMs: number,
): readonly SessionEvent[] {
  const { lacuna, assessment } = judged;
  const decided: SessionEvent = {
    type: 'decided',
    atMs,
    lacunaId: lacuna.id,
    parentId: lacuna.parentId,
    depth: lacuna.depth,
    subagent: lacuna.origin.subagent,
    verdict: decision.verdict,
    by: decision.decidedBy,
    isPermitted,
    refused: isPermitted ? [] : refusedEffects(judged),
    impact: assessment.impact,
    lends: isPermitted ? lends : null,
  };
  return assessment.stepUp === null
    ? [decided]
    : [{ type: 'mode', atMs, mode: assessment.mode, by: 'engine', why: assessment.stepUp }, decided];
}
