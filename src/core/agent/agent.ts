import type { Cancel } from '../cancel.js';
import type { Progress } from '../gate/executor.js';
import type { Outcome } from '../gate/outcome.js';
import type { Kind } from '../lacuna/kinds.js';
import type { Lacuna, Origin, Proposal } from '../lacuna/lacuna.js';
import type { PlanNote } from '../plan/check.js';
import type { Plan } from '../plan/plan.js';
import type { Decision } from '../policy/decision.js';
import type { Clock, Ids } from '../ports.js';
import type { Result } from '../result.js';
import type { SessionEvent } from '../session/event.js';
import type { Brain, BrainFailure, Message } from './brain.js';
import type { AgentLimits } from './limits.js';
import type { Subagents } from './subagents.js';

/** What came back through the gate. `lacuna` differs from the proposed one where it was repaired or changed by the person. */
export interface Handled {
  readonly lacuna: Lacuna;
  readonly decision: Decision;
  readonly outcome: Outcome;
}

/** The gate as the loop sees it: proposals go in, answers come out. A loop has no other way to act. */
export interface Door {
  handle(lacuna: Lacuna, cancel: Cancel, progress: Progress): Promise<Handled>;
  /** Reads that go side by side; the answers are in their order. */
  together(
    lacunas: readonly Lacuna[],
    cancel: Cancel,
    progressOf: (lacuna: Lacuna) => Progress,
  ): Promise<readonly Handled[]>;
}

/** A span of time after which work has to end. The core has no timers, so it comes in by a port. */
export interface Deadline {
  /** Aborted when the time is up or the outer cancel is. */
  readonly cancel: Cancel;
  /** Frees the timer. */
  close(): void;
}

/** Everything a loop needs from outside. */
export interface AgentPorts {
  readonly brain: Brain;
  readonly door: Door;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** A clock that stands still while a person is asked: only the agent's own time counts towards its limit. */
  workingMs(): number;
  readonly ids: Ids;
  readonly subagents: Subagents;
  /** Writes paths in full that could mean more than one place; a sentence for the agent where it must say more. */
  place(proposal: Proposal): Result<Proposal, string>;
  /** Looks at a plan as a whole (product.md §7). Pure. */
  checkPlan(plan: Plan, task: Task): readonly PlanNote[];
  /** How far the session's work has left its plan: a sentence when it is time for another one, else null. */
  drift(): string | null;
  /** Cancels when nothing remains. `remainingMs` is asked again then: time may have stood still meanwhile. */
  deadline(outer: Cancel, remainingMs: () => number): Deadline;
  /** Tells the session what happened besides Lacunas: requests, plans, tokens. */
  record(event: SessionEvent): Promise<void>;
  /** Looks at what would be sent to a remote brain: gives back what may be sent of it, secrets masked, the rest withheld. */
  screen(text: string): Promise<string>;
  /** Hears what goes on, in order. Must not throw. */
  listen(event: AgentEvent): void;
}

/** What a loop is set to do. */
export interface Task {
  readonly sessionId: string;
  readonly origin: Origin;
  /** Standing rules for the brain. */
  readonly rules: string;
  /** Earlier turns of the conversation, oldest first. */
  readonly history: readonly Message[];
  /** The request as the brain reads it: the person's words, and what they attached. */
  readonly request: string;
  readonly kinds: readonly Kind[];
  readonly limits: AgentLimits;
}

/** A group of reads that run side by side and are shown as one. */
export interface Batch {
  readonly number: number;
  readonly size: number;
}

/** What goes on in a run, for whoever shows it. `depth` is 0 for the main agent. */
export type AgentEvent = { readonly depth: number; readonly subagent: string | null } & (
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'plan'; readonly plan: Plan; readonly notes: readonly PlanNote[]; readonly isFirst: boolean }
  /** The work has left the plan, and the brain is asked for another one. */
  | { readonly type: 'drifted'; readonly why: string }
  | { readonly type: 'proposed'; readonly lacuna: Lacuna; readonly batch: Batch | null }
  | { readonly type: 'output'; readonly lacuna: Lacuna; readonly text: string }
  | {
      readonly type: 'settled';
      readonly proposed: Lacuna;
      readonly batch: Batch | null;
      readonly handled: Handled;
    }
  /** A call that could not be read and was sent back. */
  | { readonly type: 'malformed'; readonly name: string; readonly issues: readonly string[] }
  | { readonly type: 'asking-again'; readonly why: BrainFailure; readonly message: string }
  | { readonly type: 'delegated'; readonly lacuna: Lacuna<'Delegate'> }
);

/** How far a run got. */
export interface Tally {
  readonly proposed: number;
  readonly done: number;
  readonly refused: number;
  readonly failed: number;
  readonly turns: number;
  readonly tokens: number;
  readonly durationMs: number;
}

/** How a run ended. Every end can be said in a sentence ({@link sentenceOf}). */
export type Ending = { readonly tally: Tally; readonly text: string } & (
  | { readonly type: 'answered' }
  | { readonly type: 'cancelled' }
  | { readonly type: 'limit'; readonly limit: 'lacunas' | 'time' | 'turns' | 'tokens'; readonly value: number }
  /** The brain went round in circles, or could not make itself understood. */
  | {
      readonly type: 'stuck';
      readonly why: 'repeats' | 'malformed' | 'no-plan' | 'plan-refused';
      readonly about: string;
    }
  | { readonly type: 'brain-failed'; readonly why: BrainFailure; readonly message: string }
  /** A filling failed and left something behind that it could not put back. */
  | { readonly type: 'grave'; readonly message: string }
);

const LIMIT_WORDS = {
  lacunas: 'proposals',
  time: 'seconds',
  turns: 'questions to the model',
  tokens: 'tokens',
} as const;

/** The last sentence of a run, for people; `answered` needs none, the brain has said it. */
export function sentenceOf(ending: Ending): string {
  const { tally } = ending;
  const sum = `${tally.done} done, ${tally.refused} refused, ${tally.failed} failed`;
  switch (ending.type) {
    case 'answered':
      return '';
    case 'cancelled':
      return `Stopped by you: ${sum}.`;
    case 'limit':
      return `Stopped: the limit of ${ending.value} ${LIMIT_WORDS[ending.limit]} is reached (${sum}). Say "go on" to continue.`;
    case 'stuck':
      return `${STUCK[ending.why]} ${ending.about} (${sum})`;
    case 'brain-failed':
      return ending.message;
    case 'grave':
      return `Stopped, because a step failed and left something behind: ${ending.message} (${sum}).`;
  }
}

const STUCK = {
  repeats: 'Stopped: the model asked for the same thing again and again, with the same answer each time.',
  malformed: 'Stopped: the calls of the model could not be read.',
  'no-plan': 'Stopped: the model acted without stating a plan, so nothing was done.',
  'plan-refused': 'Stopped: the plans of the model were refused.',
} as const;
