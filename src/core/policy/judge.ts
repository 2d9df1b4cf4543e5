import type { Analysis } from '../effects/effect.js';
import type { Proposal } from '../lacuna/lacuna.js';
import type { CompiledPolicy } from './compile.js';
import type { PolicyContext } from './context.js';
import { decide } from './decide.js';
import type { Decision, Repair } from './decision.js';
import { stricter } from './verdict.js';

/** What a proposal does and in which circumstances: asked again for each repaired one. */
export interface Look {
  readonly analysis: Analysis;
  readonly context: PolicyContext;
}

/** The proposal that was judged last, what it does, and the decision on it. */
export interface Judgement extends Look {
  readonly proposal: Proposal;
  readonly decision: Decision;
}

const MAX_REPAIRS = 4;

/**
 * Decides, and judges what a repair makes of the proposal again from the start, until no rule has anything to change. The
 * verdict is then at least `modify`, and the repair tells of all changes together. Repairs that never come to rest are an ask.
 */
export function judgeWithRepairs(
  policy: CompiledPolicy,
  proposal: Proposal,
  look: (proposal: Proposal) => Look,
): Judgement {
  let current = proposal;
  const repairs: Repair[] = [];
  for (;;) {
    const { analysis, context } = look(current);
    const decision = decide(policy, current, analysis, context);
    if (decision.repair === null || decision.verdict === 'deny')
      return { proposal: current, analysis, context, decision: withRepairs(decision, repairs) };
    if (repairs.length === MAX_REPAIRS) {
      const verdict = context.isHeadless ? 'deny' : 'ask';
      const reason = 'The rules that change this do not come to rest; a person has to look at it.';
      return {
        proposal: current,
        analysis,
        context,
        decision: { ...withRepairs(decision, repairs), verdict, policyVerdict: 'ask', decidedBy: 'failure', reason },
      };
    }
    repairs.push(decision.repair);
    current = decision.repair.after;
  }
}

function withRepairs(decision: Decision, repairs: readonly Repair[]): Decision {
  const [first] = repairs;
  const last = repairs[repairs.length - 1];
  if (first === undefined || last === undefined) return decision;
  const explanation = repairs.map((repair) => repair.explanation).join('; ');
  const ids = repairs.map((repair) => repair.ruleId).join(', ');
  const repair: Repair = { before: first.before, after: last.after, explanation, ruleId: ids };
  return {
    ...decision,
    verdict: stricter(decision.verdict, 'modify'),
    policyVerdict: stricter(decision.policyVerdict, 'modify'),
    reason: `Changed before it runs: ${explanation} (rule ${ids})\n${decision.reason}`,
    repair,
  };
}
