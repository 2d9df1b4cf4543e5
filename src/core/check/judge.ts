import type { Analysis } from '../effects/effect.js';
import type { View } from '../effects/view.js';
import type { Lacuna, Proposal } from '../lacuna/lacuna.js';
import type { PolicyContext } from '../policy/context.js';
import type { Decision, MatchedRule, Repair } from '../policy/decision.js';
import { strictness } from '../policy/verdict.js';
import { harmlessLater, harmLater, harmWritten } from './later.js';
import { assess, type AssessOptions, type Assessment } from '../session/assess.js';
import type { SessionState } from '../session/state.js';

/** What a rule may look at that neither the action nor the session knows. */
export interface Circumstances {
  readonly user: string | null;
  readonly time: PolicyContext['time'];
  readonly isHeadless: boolean;
  readonly isTrusted: boolean;
  readonly hasSandbox: boolean;
}

/** The two engines, with policy and parser bound. */
export interface JudgePorts {
  readonly analyse: (proposal: Proposal, view: View) => Analysis;
  readonly decide: (proposal: Proposal, analysis: Analysis, context: PolicyContext) => Decision;
}

/** A Lacuna with everything that was found out about it. */
export interface Judged {
  /** The Lacuna that would be filled: the repaired one if policy repaired it. */
  readonly lacuna: Lacuna;
  readonly analysis: Analysis;
  readonly assessment: Assessment;
  readonly context: PolicyContext;
  readonly decision: Decision;
  /** What policy changed, in order; empty when it changed nothing. */
  readonly repairs: readonly Repair[];
}

/** More repairs than this of one Lacuna go round in circles. */
const MOST_REPAIRS = 4;

/** Facts of git that rules may ask for. Looked up only when a rule does: each costs milliseconds. */
function gitContext(view: View): Pick<PolicyContext, 'branch' | 'isLinkedWorktree' | 'isGitClean'> {
  const { facts } = view;
  const place = view.terminal.cwd ?? facts.roots[0] ?? '/';
  let repository: ReturnType<typeof facts.repository> | undefined;
  const repositoryHere = (): ReturnType<typeof facts.repository> => (repository ??= facts.repository(place));
  return {
    get branch() {
      return repositoryHere()?.branch ?? null;
    },
    get isLinkedWorktree() {
      return repositoryHere()?.isLinkedWorktree ?? null;
    },
    get isGitClean() {
      const root = repositoryHere()?.root;
      const uncommitted = root === undefined ? null : facts.uncommitted(root);
      return uncommitted === null ? null : uncommitted.length === 0;
    },
  };
}

/** Joins what the session, the circumstances and git have to say into what rules look at. */
export function policyContext(
  lacuna: Lacuna,
  assessment: Assessment,
  circumstances: Circumstances,
  view: View,
): PolicyContext {
  return Object.defineProperties(
    {
      anchors: {
        roots: view.facts.roots,
        home: view.facts.home,
        isCaseSensitive: view.facts.isCaseSensitive,
        realPath: (path: string) => view.facts.realPath(path),
      },
      platform: view.facts.platform,
      mode: assessment.mode,
      risk: assessment.risk,
      plan: assessment.plan,
      agent: lacuna.origin.agent,
      subagent: lacuna.origin.subagent,
      depth: lacuna.depth,
      user: circumstances.user,
      time: circumstances.time,
      isHeadless: circumstances.isHeadless,
      isTrusted: circumstances.isTrusted,
      hasSandbox: circumstances.hasSandbox,
      labels: assessment.labels,
      effectLabels: assessment.effectLabels,
      findings: assessment.findings,
      branch: null,
      isLinkedWorktree: null,
      isGitClean: null,
    },
    Object.getOwnPropertyDescriptors(gitContext(view)),
  );
}

/**
 * The line from Lacuna to Decision that the gate, the hooks and `lacuna check` share: analyse, assess in the light of the session,
 * decide by policy. A repaired Lacuna is judged again from the start; its verdict is never milder than `modify`, and the first
 * and last form stand in `decision.repair`. A repair that does not come to an end is an ask. Asks no one and changes nothing.
 */
export function judge(
  lacuna: Lacuna,
  state: SessionState,
  view: View,
  options: AssessOptions,
  circumstances: Circumstances,
  ports: JudgePorts,
): Judged {
  let current = lacuna;
  const repairs: Repaired[] = [];
  for (;;) {
    const analysis = ports.analyse(current, view);
    const assessment = assess(state, current, analysis, {
      ...options,
      terminal: view.terminal,
      isHarmlessLater: harmlessLater(current, analysis, view, ports.analyse),
      harmLater: harmLater(current, analysis, view, ports.analyse),
      harmWritten: harmWritten(current, analysis, view, ports.analyse),
    });
    const context = policyContext(current, assessment, circumstances, view);
    const decision = ports.decide(current, analysis, context);
    const { repair } = decision;
    if (decision.verdict === 'modify' && repair !== null && repairs.length < MOST_REPAIRS) {
      repairs.push({ repair, decision });
      current = Object.freeze({ ...current, ...repair.after });
      continue;
    }
    return {
      lacuna: current,
      analysis,
      assessment,
      context,
      decision: withRepairs(decision, repairs, circumstances.isHeadless),
      repairs: repairs.map(({ repair: one }) => one),
    };
  }
}

/** A repair with the decision that asked for it. */
interface Repaired {
  readonly repair: Repair;
  readonly decision: Decision;
}

/** The last decision with what led to it: the first and the last form, and the rules that changed it. */
function withRepairs(decision: Decision, repaired: readonly Repaired[], isHeadless: boolean): Decision {
  const first = repaired[0]?.repair;
  const last = repaired.at(-1)?.repair;
  if (first === undefined || last === undefined) return decision;
  const repair: Repair = {
    before: first.before,
    after: last.after,
    explanation: repaired.map(({ repair: { explanation } }) => explanation).join('; '),
    ruleId: [...new Set(repaired.map(({ repair: { ruleId } }) => ruleId))].join(', '),
  };
  const changing = repaired.flatMap(({ decision: { rules } }) =>
    rules.filter(({ lost, verdict }) => lost === null && verdict === 'modify'),
  );
  const rules = [...changing.filter((rule) => !decision.rules.some((one) => isSameRule(one, rule))), ...decision.rules];
  if (decision.verdict === 'modify') {
    const verdict = isHeadless ? 'deny' : 'ask';
    const reason = `Asks first: the repair did not come to an end: ${repair.explanation}.`;
    return { ...decision, verdict, policyVerdict: 'ask', decidedBy: 'failure', reason, repair, rules };
  }
  const changed = changing.map(({ id, source, reason }) => `${reason} (rule ${id}, ${source})`.trim());
  const change = `${repair.explanation}. ${[...new Set(changed)].join(' ')}`.trim();
  if (strictness(decision.verdict) > strictness('modify'))
    return { ...decision, reason: `${decision.reason}\nIt was changed first: ${change}`, repair, rules };
  return {
    ...decision,
    verdict: 'modify',
    policyVerdict: 'modify',
    decidedBy: 'rule',
    reason: `Changed before it runs: ${change}\n${decision.reason}`,
    repair,
    rules,
  };
}

const isSameRule = (a: MatchedRule, b: MatchedRule): boolean => a.id === b.id && a.layer === b.layer;
