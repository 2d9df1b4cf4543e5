import type { Judged } from '../check/judge.js';
import type { ReviewInput } from '../ports.js';
import { chainOf } from '../session/chain.js';
import type { SessionState } from '../session/state.js';

/** Earlier requests and steps that a review looks back on. */
const MOST = { earlier: 3, trail: 8 } as const;

/** What the reviewer sees of a judged Lacuna: the same for a live session and for a trace. */
export function reviewInputOf(judged: Judged, state: SessionState, nowMs: number): ReviewInput {
  const { lacuna, analysis, decision, assessment } = judged;
  const request = lacuna.origin.request || (state.requests.at(-1) ?? '');
  const earlier = state.requests.filter((text) => text !== request && text !== '').slice(-MOST.earlier);
  const planned = state.plan?.steps.find((step) => step.id === assessment.planStep);
  return {
    request,
    lacuna,
    analysis,
    decision,
    labels: assessment.labels,
    findings: assessment.findings.map(({ finding, why }) => `${finding}: ${why}`),
    madeHere: assessment.findings.flatMap(({ finding, effect }) =>
      finding === 'made-here' && effect !== null ? [effect] : [],
    ),
    planStep: planned?.task ?? lacuna.planStep,
    chain: chainOf(state, lacuna, analysis, assessment, nowMs),
    plan: assessment.plan,
    earlier,
    trail: state.trail.slice(-MOST.trail).map(({ text }) => text),
    roots: state.roots,
  };
}
