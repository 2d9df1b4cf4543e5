import { decidedEvents } from '../check/decidedEvents.js';
import { judge, type Circumstances } from '../check/judge.js';
import { sessionBounds } from '../check/sessionBounds.js';
import { analyse } from '../effects/analyse.js';
import { freshTerminal, type TerminalState } from '../effects/effect.js';
import type { Facts } from '../effects/facts.js';
import { joinPath } from '../effects/paths.js';
import type { Lacuna } from '../lacuna/lacuna.js';
import type { CompiledPolicy } from '../policy/compile.js';
import { declaredLabels } from '../policy/declaredLabels.js';
import { decideOnce } from '../policy/decideOnce.js';
import type { Confinement } from '../policy/decision.js';
import type { Clock, LazySyntax } from '../ports.js';
import { reviewInputOf } from '../review/input.js';
import type { Baseline } from '../session/baseline.js';
import type { SessionLimits } from '../session/limits.js';
import type { Judged } from './gate.js';
import type { Ledger } from './ledger.js';

/** What the judgement of a live session needs. Functions are asked anew for each Lacuna, so that a change counts at once. */
export interface LiveJudgePorts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly syntax: LazySyntax;
  readonly look: () => Facts;
  readonly identity: (path: string) => string | null;
  readonly policy: () => CompiledPolicy;
  readonly circumstances: () => Circumstances;
  /** Limits of the session where no policy sets one. */
  readonly limits?: SessionLimits; // [DEFAULT_LIMITS]
  /** The terminal that a command of this Lacuna would run in, for agents whose terminal lasts; null for a new one each time. */
  readonly terminal: (lacuna: Lacuna) => TerminalState | null;
  /** What is usual in the workspace; null when nothing is known of it, or it is switched off. */
  readonly baseline: Baseline | null;
  /** Isolation for a command that no rule has isolated; null without a sandbox. */
  readonly sandbox: () => Confinement | null;
}

/** Where a Lacuna starts: its agent's terminal, or a new one in its folder. */
function terminalOf(lacuna: Lacuna, facts: Facts, ports: LiveJudgePorts): TerminalState {
  const lasting = ports.terminal(lacuna);
  const root = facts.roots[0] ?? '/';
  const cwd =
    lacuna.kind === 'ExecuteShell' && lacuna.params.cwd !== undefined
      ? joinPath(root, lacuna.params.cwd, facts.platform)
      : null;
  if (lasting === null) return freshTerminal(cwd ?? root);
  return cwd === null ? lasting : { ...lasting, cwd };
}

/**
 * The judgement of a live session: the same line as `lacuna check`, with the world and the state of this moment. What wants a grammar
 * that is not loaded yet is judged again with it.
 */
export function liveJudge(ports: LiveJudgePorts): (lacuna: Lacuna) => Promise<Judged> {
  const judgeNow = judgeWith(ports);
  return async (lacuna) => {
    const judged = judgeNow(lacuna);
    return (await ports.syntax.catchUp()) ? judgeNow(lacuna) : judged;
  };
}

function judgeWith(ports: LiveJudgePorts): (lacuna: Lacuna) => Judged {
  return (lacuna) => {
    const facts = ports.look();
    const policy = ports.policy();
    const judged = judge(
      lacuna,
      ports.ledger.state,
      { facts, syntax: ports.syntax, terminal: terminalOf(lacuna, facts, ports) },
      {
        facts,
        identity: ports.identity,
        policyLabels: declaredLabels(policy.layers, facts),
        nowMs: ports.clock.nowMs(),
        baseline: ports.baseline,
        ...sessionBounds(policy.layers, ports.limits),
      },
      ports.circumstances(),
      { analyse, decide: (proposal, analysis, context) => decideOnce(policy, proposal, analysis, context) },
    );
    const { assessment } = judged;
    const reviewed = reviewInputOf(judged, ports.ledger.state, ports.clock.nowMs());
    return {
      lacuna: judged.lacuna,
      analysis: judged.analysis,
      decision: judged.decision,
      chain: reviewed.chain,
      reviewed,
      sandbox: ports.sandbox(),
      context: assessment.impact.context,
      events: (decision, isPermitted, atMs) => decidedEvents(judged, decision, isPermitted, assessment.lends, atMs),
    };
  };
}
