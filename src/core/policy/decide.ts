import type { Analysis, Effect } from '../effects/effect.js';
import type { Proposal } from '../lacuna/lacuna.js';
import { actionRisk } from './actionRisk.js';
import type { CompiledPolicy, CompiledRule } from './compile.js';
import { confinementOf, type Judged } from './confine.js';
import { deniedPaths } from './deniedPaths.js';
import type { PolicyContext } from './context.js';
import type { DecidedBy, Decision, MatchedRule, Obligations, Repair } from './decision.js';
import { linksOf } from './policyLinks.js';
import { judgeEffect, onlyTightens } from './judgeEffect.js';
import { questionOf } from './matchers/path.js';
import { compilePath, couldTouch, covers } from './pathPattern.js';
import { repairProposal } from './repair.js';
import { adviceOf, reasonOf } from './reason.js';
import { isSandboxable } from './sandboxable.js';
import { listOf, type Subject } from './subject.js';
import { stricter, strictness, type Verdict } from './verdict.js';

/**
 * Decides on one Lacuna: each effect is judged, and the strictest verdict holds. Where a rule modifies and none denies, the
 * verdict is `modify` with the repair, since the caller judges what is repaired again from the start. Headless, an ask is a deny. Pure: the same arguments give
 * the same answer. Linear in effects × candidate rules.
 */
export function decide(
  policy: CompiledPolicy,
  proposal: Proposal,
  analysis: Analysis,
  context: PolicyContext,
): Decision {
  const risk = actionRisk(proposal.kind, analysis);
  const effects: readonly (Effect | null)[] = analysis.effects.length === 0 ? [null] : analysis.effects;
  const links = linksOf(policy, context.anchors);
  const judged = effects.map((effect, at): Judged & { subject: Subject } => {
    const index = effect === null ? -1 : at;
    const subject: Subject = { proposal, analysis, effect, index, actionRisk: risk, context, links };
    return { effect, subject, judgement: judgeEffect(policy, subject) };
  });
  const repair = repairOf(judged, proposal, context);
  const verdicts = judged.map(({ judgement }) => (judgement.verdict === 'modify' ? repair.verdict : judgement.verdict));
  const isRepaired = repair.repair !== null && !verdicts.includes('deny');
  const strictest = isRepaired ? 'modify' : verdicts.reduce(stricter, 'allow');
  const orAsk = (one: Verdict): Verdict => (one === 'sandbox' && !isSandboxable(proposal.kind, context) ? 'ask' : one);
  const policyVerdict = orAsk(strictest);
  const verdict = policyVerdict === 'ask' && context.isHeadless ? 'deny' : policyVerdict;
  const deciding = judged.filter((_, index) => verdicts[index] === strictest);
  const asking = judged.filter((_, index) => orAsk(verdicts[index] ?? 'ask') === 'ask');
  return {
    verdict,
    policyVerdict,
    decidedBy: lastWord(deciding),
    risk,
    mode: context.mode,
    rules: rulesOf(judged, verdicts, strictest),
    reason: reasonOf(policyVerdict, strictest, deciding, context),
    advice: policyVerdict === 'ask' || policyVerdict === 'deny' ? adviceOf(deciding) : '',
    isClearable: policyVerdict === 'ask' && asking.every(({ judgement }) => judgement.isClearable),
    confinement: policyVerdict === 'sandbox' ? confinementOf(judged, deniedPaths(policy, context.mode)) : null,
    repair: isRepaired ? repair.repair : null,
    obligations: obligationsOf(judged, context),
  };
}

const ORDER: readonly DecidedBy[] = ['protection', 'rule', 'state', 'failure', 'default'];

function lastWord(deciding: readonly Judged[]): DecidedBy {
  const all = new Set(deciding.map(({ judgement }) => judgement.by));
  return ORDER.find((by) => all.has(by)) ?? 'default';
}

function rulesOf(judged: readonly Judged[], verdicts: readonly Verdict[], strictest: Verdict): readonly MatchedRule[] {
  return judged.flatMap(({ judgement }, index) =>
    verdicts[index] === strictest
      ? judgement.rules
      : judgement.rules.map((rule) => (rule.lost === null ? { ...rule, lost: 'milder-effect' as const } : rule)),
  );
}

/** What the rules that modify make of the proposal. A repair that has nothing left to do is allowed; one that cannot be done is an ask. */
function repairOf(
  judged: readonly Judged[],
  proposal: Proposal,
  context: PolicyContext,
): { verdict: Verdict; repair: Repair | null } {
  const rules = new Map(
    judged.flatMap(({ judgement }) =>
      judgement.verdict === 'modify' ? judgement.deciding.map(({ rule }) => [rule.id, rule] as const) : [],
    ),
  );
  let after = proposal;
  const explanations: string[] = [];
  const ids: string[] = [];
  for (const [id, rule] of [...rules].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const result = leavesOut(rule, judged, context)
      ? repairProposal(after, rule.spec.repair ?? {}, context)
      : ({ type: 'impossible' } as const);
    if (result.type === 'impossible') return { verdict: rule.spec.onFailure ?? 'ask', repair: null };
    if (result.type === 'nothing-to-do') {
      if (takesAlong(rule, judged, context, couldTouch)) return { verdict: rule.spec.onFailure ?? 'ask', repair: null };
      continue;
    }
    after = result.after;
    explanations.push(result.explanation);
    ids.push(id);
  }
  if (ids.length === 0) return { verdict: 'allow', repair: null };
  return {
    verdict: 'modify',
    repair: { before: proposal, after, explanation: explanations.join('; '), ruleId: ids.join(', ') },
  };
}

/** Whether what is to be left out is not the very thing that is read: that cannot be left out. */
const leavesOut = (rule: CompiledRule, judged: readonly Judged[], context: PolicyContext): boolean =>
  !takesAlong(rule, judged, context, covers);

/** Whether a read reaches what the rule's repair leaves out. */
function takesAlong(
  { spec }: CompiledRule,
  judged: readonly Judged[],
  context: PolicyContext,
  reaches: typeof covers,
): boolean {
  const patterns = listOf<string>(spec.repair?.exclude ?? []).flatMap((text) => {
    const pattern = compilePath(text);
    return typeof pattern === 'string' ? [] : [pattern];
  });
  return judged.some(({ effect }) => {
    const question = effect?.op === 'read' ? questionOf(effect, true) : null;
    return question !== null && patterns.some((pattern) => reaches(pattern, question, context.anchors));
  });
}

/** Duties of every rule that decided its effect, whether or not that effect was the strictest. What may only tighten gives no credentials. */
function obligationsOf(judged: readonly Judged[], context: PolicyContext): Obligations {
  const rules = new Set(judged.flatMap(({ judgement }) => judgement.deciding.map(({ rule }) => rule)));
  const trusted = [...rules].filter((rule) => !onlyTightens(rule, { context }));
  const specs = [...rules].map(({ spec }) => spec);
  const least = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.min(...values));
  return {
    checkpoint: specs.some((spec) => spec.checkpoint === true),
    credentials: trusted.flatMap(({ spec }) =>
      (spec.credentials ?? []).map(({ secret, environment, header, variable, template }) => ({
        from:
          secret === undefined
            ? { type: 'environment' as const, name: environment ?? '' }
            : { type: 'secret' as const, key: secret },
        into: {
          type: header === undefined ? ('variable' as const) : ('header' as const),
          name: header ?? variable ?? '',
          template: template ?? '{}',
        },
      })),
    ),
    maskColumns: [...new Set(specs.flatMap((spec) => spec.maskColumns ?? []))],
    retries: least(trusted.flatMap(({ spec }) => spec.retries ?? [])) ?? 0,
    limits: {
      timeoutSeconds: least(specs.flatMap((spec) => spec.limits?.timeoutSeconds ?? [])),
      outputKiB: least(specs.flatMap((spec) => spec.limits?.outputKiB ?? [])),
      rows: least(specs.flatMap((spec) => spec.limits?.rows ?? [])),
    },
  };
}

/** Whether a verdict lets the Lacuna be filled without a person. */
export const isFilled = (verdict: Verdict): boolean => strictness(verdict) < strictness('ask');
