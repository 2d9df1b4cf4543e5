import type { Analysis } from '../effects/effect.js';
import type { Proposal } from '../lacuna/lacuna.js';
import { actionRisk } from './actionRisk.js';
import type { CompiledPolicy, CompiledRule } from './compile.js';
import type { PolicyContext } from './context.js';
import { decide } from './decide.js';
import type { Decision, Lost, MatchedRule } from './decision.js';
import { linksOf } from './policyLinks.js';
import { judgeEffect } from './judgeEffect.js';
import type { Subject } from './subject.js';
import type { Layer, Verdict } from './verdict.js';
import { effectClause } from './words.js';

/** A rule that was looked at and did not speak, and which of its parts said no. */
export interface SilentRule {
  readonly id: string;
  readonly layer: Layer;
  readonly source: string;
  readonly verdict: Verdict;
  /** Fields of the match that do not hold: `effect.path`, `command`. */
  readonly failing: readonly string[];
}

/** What was said of one effect, and by whom. */
export interface ExplainedEffect {
  /** In words: "deletes src/a.ts". */
  readonly clause: string;
  readonly verdict: Verdict;
  readonly matched: readonly MatchedRule[];
  readonly silent: readonly SilentRule[];
}

/** A decision with every rule that was considered. */
export interface Explanation {
  readonly decision: Decision;
  readonly effects: readonly ExplainedEffect[];
}

/** Decides, and tells of every rule that was looked at why it spoke or did not. For people; slower than {@link decide}. */
export function explain(
  policy: CompiledPolicy,
  proposal: Proposal,
  analysis: Analysis,
  context: PolicyContext,
): Explanation {
  const risk = actionRisk(proposal.kind, analysis);
  const links = linksOf(policy, context.anchors);
  const effects = analysis.effects.length === 0 ? [null] : analysis.effects;
  return {
    decision: decide(policy, proposal, analysis, context),
    effects: effects.map((effect, at) => {
      const index = effect === null ? -1 : at;
      const subject: Subject = { proposal, analysis, effect, index, actionRisk: risk, context, links };
      const { verdict, rules } = judgeEffect(policy, subject);
      const spoke = new Set(rules.map((rule) => `${rule.source} ${rule.id}`));
      return {
        clause: effect === null ? 'does nothing' : effectClause(effect, context.anchors),
        verdict,
        matched: rules,
        silent: policy.index
          .candidates(subject)
          .filter((rule) => !spoke.has(`${rule.source} ${rule.id}`))
          .map((rule) => silentRule(rule, subject)),
      };
    }),
  };
}

function silentRule(rule: CompiledRule, subject: Subject): SilentRule {
  const verdict = rule.verdicts[subject.context.mode];
  const isAllowing = verdict === 'allow';
  const reading = { isRestricting: !isAllowing, isSure: isAllowing };
  return {
    id: rule.id,
    layer: rule.layer,
    source: rule.source,
    verdict,
    failing: rule.match.parts.filter(({ predicate }) => predicate(subject, reading) === 'no').map(({ name }) => name),
  };
}

/** Why a rule that matched did not decide, in words. */
export const LOST_WORDS: Readonly<Record<Lost, string>> = {
  'lower-priority': 'a rule of higher priority in the same layer speaks',
  milder: 'a stricter rule speaks',
  'weaker-layer': 'another layer is stricter',
  'replaced-pack': 'a rule of yours takes its place',
  untrusted: 'the workspace is not trusted, and this is no stricter than what holds without it',
  unverified:
    'its file is broken, and what was kept of it cannot be proven to be whole; this is no stricter than what holds without it',
  'milder-effect': 'it decided its effect, but another effect is judged more strictly',
  overridden: 'a rule of yours overrides it',
};

/** An explanation as lines of text. `all` also lists rules that were considered and did not match. */
export function explanationLines({ decision, effects }: Explanation, detail: 'matched' | 'all'): readonly string[] {
  const lines = [
    `${decision.verdict} (${decision.decidedBy}, risk ${decision.risk}, mode ${decision.mode})`,
    ...decision.reason.split('\n').map((line) => `  ${line}`),
  ];
  if (decision.advice !== '') lines.push(`  Instead: ${decision.advice}`);
  if (decision.repair !== null) lines.push(`  Repair: ${decision.repair.explanation}`);
  for (const effect of effects) {
    lines.push(`  ${effect.verdict.padEnd(7)} ${effect.clause}`);
    for (const rule of effect.matched) lines.push(`      ${matchedLine(rule)}`);
    if (effect.matched.length === 0) lines.push('      no rule matches, so it is ask');
    if (detail === 'all')
      for (const rule of effect.silent)
        lines.push(`      - ${rule.id} (${rule.source}): ${rule.verdict}; does not match: ${rule.failing.join(', ')}`);
  }
  return lines;
}

function matchedLine(rule: MatchedRule): string {
  const mark = rule.lost === null || rule.lost === 'milder-effect' ? '=' : '·';
  const priority = rule.priority === 0 ? '' : `, priority ${String(rule.priority)}`;
  const failure = rule.isFailure ? ', could not be evaluated' : '';
  const lost = rule.lost === null ? '' : `; ${LOST_WORDS[rule.lost]}`;
  return `${mark} ${rule.id} (${rule.layer}, ${rule.source}${priority}${failure}): ${rule.verdict}${lost}`;
}
