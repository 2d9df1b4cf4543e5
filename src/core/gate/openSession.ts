import type { Circumstances } from '../check/judge.js';
import type { Facts } from '../effects/facts.js';
import type { Confinement } from '../policy/decision.js';
import { troubleLines } from '../policy/lastGood.js';
import type { PolicyStore } from '../policy/store.js';
import type { AuditRecord } from '../audit/record.js';
import type { Mode } from '../policy/verdict.js';
import type { Approver, AuditSink, Bindings, Checkpoints, Clock, Ids, LazySyntax, Reviewer } from '../ports.js';
import type { Baseline } from '../session/baseline.js';
import type { SessionLimits } from '../session/limits.js';
import { initialState } from '../session/state.js';
import type { Executors } from './executor.js';
import { Gate, type GatePorts } from './gate.js';
import { Ledger } from './ledger.js';
import { liveJudge } from './liveJudge.js';

/** What sessions share: everything but the session itself. */
export interface Engine {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly syntax: LazySyntax;
  readonly look: () => Facts;
  readonly identity: (path: string) => string | null;
  readonly policy: PolicyStore;
  readonly circumstances: () => Circumstances;
  /** Isolation for a command that no rule has isolated; null without a sandbox. */
  readonly sandbox: () => Confinement | null;
  readonly bindings: Bindings;
  readonly reviewer: Reviewer;
  readonly approver: Approver;
  readonly checkpoints: Checkpoints;
  readonly executors: Executors;
  readonly audit: (sessionId: string) => AuditSink;
  /** What is usual in these folders, but for this session; null when nothing is known, or the person has switched it off. */
  readonly usual: (roots: readonly string[], sessionId: string) => Baseline | null;
  readonly proposeRule: GatePorts['proposeRule'];
  readonly addRule: GatePorts['addRule'];
}

/** What is particular to one session. */
export interface SessionOptions {
  readonly sessionId: string;
  /** Mode to start in, where the policy asks for none. */
  readonly mode: Mode;
  readonly limits?: SessionLimits; // [those of an agent that keeps its own]
  /** Whether the agent's terminal lasts from line to line: folder, variables, aliases. [a new one each time] */
  readonly hasLastingTerminal?: boolean;
}

/** A session under way: the gate for what its agent wants, and the book of what became of it. */
export interface Session {
  readonly gate: Gate;
  /**
   * The gate of what we fill ourselves in this session: the same as `gate`, but where an agent's host fills the rest in a terminal of
   * its own. Our commands start in a new one and leave the agent's as it is.
   */
  readonly own: Gate;
  readonly ledger: Ledger;
}

/**
 * Opens a session, new or interrupted: what its audit tells is taken in first, so that a reload or a crash loses nothing. A new
 * one is recorded as started. `own`: how we fill what is ours in the session of an agent whose host fills the rest.
 */
export async function openSession(
  options: SessionOptions,
  engine: Engine,
  own: Engine = engine, // [the same]
): Promise<Session> {
  const { clock, policy } = engine;
  const { roots } = engine.look();
  const mode = policy.mode ?? options.mode;
  const sink = engine.audit(options.sessionId);
  const ledger = await Ledger.reopen(initialState(options.sessionId, roots, mode, clock.nowMs()), sink, () =>
    clock.nowMs(),
  );
  const records = await sink.read();
  if (records.length === 0)
    await ledger.event({ type: 'started', atMs: clock.nowMs(), sessionId: options.sessionId, mode, roots });
  await recordTrouble(policy, records, ledger);
  const gate = gateOver(ledger, options, engine);
  const isSame = own === engine && options.hasLastingTerminal !== true;
  return { gate, own: isSame ? gate : gateOver(ledger, { ...options, hasLastingTerminal: false }, own), ledger };
}

/** A gate over the book of a session. Where the agent's terminal lasts, it is known after each line in which folder it is. */
function gateOver(ledger: Ledger, options: SessionOptions, engine: Engine): Gate {
  const { clock, policy } = engine;
  const { roots } = engine.look();
  const judge = liveJudge({
    ledger,
    clock,
    syntax: engine.syntax,
    look: engine.look,
    identity: engine.identity,
    policy: () => policy.policy,
    circumstances: engine.circumstances,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    terminal: () => (options.hasLastingTerminal === true ? ledger.terminal : null),
    baseline: engine.usual(roots, options.sessionId),
    sandbox: engine.sandbox,
  });
  return new Gate({ ...engine, ledger, judge, movesTerminal: options.hasLastingTerminal === true });
}

/** Writes down which policies are broken and what holds instead, once as long as it stays so. */
async function recordTrouble(policy: PolicyStore, records: readonly AuditRecord[], ledger: Ledger): Promise<void> {
  const what = policy.loaded.flatMap(troubleLines).join('\n');
  const isKnown = records.some((record) => record.type === 'failure' && record.what === what);
  if (what !== '' && !isKnown) await ledger.write({ type: 'failure', lacunaId: null, what });
}
