import type { Analysis, TerminalState } from './effects/effect.js';
import type { Facts } from './effects/facts.js';
import type { LazySyntax, Syntax } from './effects/syntax.js';
import type { AuditBody, AuditRecord } from './audit/record.js';
import type { Binding, World } from './gate/permit.js';
import type { Cancel } from './cancel.js';
import type { Lacuna } from './lacuna/lacuna.js';
import type { PlanFit } from './policy/context.js';
import type { Decision } from './policy/decision.js';
import type { Review } from './review/review.js';

/** SHA-256 and HMAC-SHA-256 over UTF-8 text; 64 lower-case hex digits. */
export interface Hasher {
  sha256(text: string): string;
  hmac(key: string, text: string): string;
}

export interface Clock {
  nowMs(): number;
  /** Microseconds of a monotonic clock, for durations. */
  nowMicros(): number;
}

/** Random identifiers, unguessable. */
export interface Ids {
  next(): string;
}

/** Facts about the world as it is now. Each call gives a fresh view: nothing is remembered between decisions but what is proven unchanged. */
export interface FactsSource {
  look(): Facts;
}

export type { Facts, LazySyntax, Syntax };

/** Appends to the audit of one session. The chain is worked out before; the sink keeps the bytes and the order. */
export interface AuditSink {
  append(body: AuditBody): Promise<void>;
  /** All lines of a session so far, oldest first. */
  read(): Promise<readonly AuditRecord[]>;
}

/** Asks a person. Resolves with what they chose; a closed dialog is a no; without a person it is `nobody`. */
export interface Approver {
  ask(question: Question, cancel: Cancel): Promise<Approval>;
}

/** What a person is shown. Everything in it is for eyes; nothing is obeyed. */
export interface Question {
  readonly lacuna: Lacuna;
  readonly analysis: Analysis;
  readonly decision: Decision;
  readonly review: Review;
  /** What led here, oldest first: request, plan step, what was read, labels gained, risk. */
  readonly chain: readonly string[];
  /** The exact rule that "always" would write; null when always is not offered (destructive, secret, irreversible). */
  readonly alwaysRule: string | null;
}

export type Approval =
  | { readonly type: 'once' }
  | { readonly type: 'session' }
  /** `rule` is the YAML of the rule as the person saw it last, perhaps changed by them. */
  | { readonly type: 'always'; readonly rule: string }
  /** The person changed the proposal; it is judged again from the start. */
  | { readonly type: 'changed'; readonly params: unknown }
  | { readonly type: 'no'; readonly reason: string }
  /** The agent's own host will ask, in its own dialog, before it does the filling itself. */
  | { readonly type: 'left-to-host' }
  | { readonly type: 'nobody'; readonly why: 'headless' | 'timed-out' | 'cancelled' };

/** The small brain. Never throws: down, slow and nonsense are values. */
export interface Reviewer {
  review(input: ReviewInput, cancel: Cancel): Promise<Review>;
}

/** What the reviewer sees. All of it is data; the adapter marks it so. */
export interface ReviewInput {
  readonly request: string;
  readonly lacuna: Lacuna;
  readonly analysis: Analysis;
  readonly decision: Decision;
  readonly labels: readonly string[];
  readonly findings: readonly string[];
  /** Effects, by their place in the analysis, that touch only what this session made or started itself. */
  readonly madeHere: readonly number[];
  readonly planStep: string | null;
  readonly chain: readonly string[];
  readonly plan: PlanFit;
  /** Requests of the person before this one, oldest first. */
  readonly earlier: readonly string[];
  /** What the latest steps did, oldest first, one line each. */
  readonly trail: readonly string[];
  /** The workspace's folders. */
  readonly roots: readonly string[];
}

/** Takes and restores snapshots of the workspace, outside of it. */
export interface Checkpoints {
  /** Resolves with the checkpoint's id, or null when nothing differs from the newest one. */
  take(why: string, lacunaId: string | null): Promise<string | null>;
}

/** Looks at the subjects of a permit. */
export interface Bindings extends World {
  bind(lacuna: Lacuna, analysis: Analysis): Promise<Binding>;
}

/** Remembers terminals by name; the agent's shell lines run in one. */
export interface Terminals {
  get(name: string): TerminalState;
  set(name: string, state: TerminalState): void;
}
