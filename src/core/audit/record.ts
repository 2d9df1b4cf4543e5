import type { Effect, Flow, SimpleCommand } from '../effects/effect.js';
import type { SavedTerminal } from '../effects/savedTerminal.js';
import type { Outcome } from '../gate/outcome.js';
import type { Lacuna } from '../lacuna/lacuna.js';
import type { Decision } from '../policy/decision.js';
import type { Verdict } from '../policy/verdict.js';
import type { Review } from '../review/review.js';
import type { SessionEvent } from '../session/event.js';

/**
 * What a line of the audit says, before it is chained. The `session` lines are the very events of the session's fold, so that
 * its state can be had again from them. Source: product.md §10.
 */
export type AuditBody =
  /** Reads that were proposed together: one line that holds each of them. `bodiesOf` takes it apart. */
  | { readonly type: 'group'; readonly groupId: string; readonly lacunas: readonly Lacuna[] }
  /** The decision on a group: on all whose answer was known at once, and, in a second line, on those that a person was asked about. */
  | {
      readonly type: 'group-decided';
      readonly groupId: string;
      /** The strictest of its members'. */
      readonly verdict: Verdict;
      readonly members: readonly GroupMember[];
    }
  | { readonly type: 'proposed'; readonly lacuna: Lacuna }
  | Analysed
  | { readonly type: 'reviewed'; readonly lacunaId: string; readonly review: Review }
  | { readonly type: 'asked'; readonly lacunaId: string; readonly question: string }
  | { readonly type: 'decided'; readonly lacunaId: string; readonly decision: Decision; readonly micros: number }
  | {
      readonly type: 'outcome';
      readonly lacunaId: string;
      readonly outcome: Outcome;
    }
  | {
      readonly type: 'checkpoint';
      readonly lacunaId: string | null;
      readonly checkpointId: string;
      readonly why: string;
    }
  | { readonly type: 'restored'; readonly checkpointId: string; readonly files: readonly string[] }
  /** Something was done that no verdict covers, or the guard itself was touched. */
  | { readonly type: 'alarm'; readonly what: string; readonly details: string }
  /** A fault of our own or of the machine: shown as "no verdict". */
  | { readonly type: 'failure'; readonly lacunaId: string | null; readonly what: string }
  | { readonly type: 'session'; readonly event: SessionEvent }
  | {
      readonly type: 'feedback';
      readonly lacunaId: string;
      readonly says: 'false-alarm' | 'should-stop';
      readonly note: string;
    };

/** What was found out of a Lacuna. */
export interface Analysed {
  readonly type: 'analysed';
  readonly lacunaId: string;
  readonly effects: readonly Effect[];
  readonly commands: readonly SimpleCommand[];
  readonly flows: readonly Flow[];
  /** The terminal afterwards; null for what runs in none. */
  readonly terminal: SavedTerminal | null;
}

/** What was decided on one of a group, and what that means for the session. */
export interface GroupMember {
  readonly lacunaId: string;
  /** Null where it has a line of its own: it was asked about. */
  readonly analysed: Analysed | null;
  readonly decision: Decision;
  readonly micros: number;
  readonly events: readonly SessionEvent[];
}

/** A chained line. `mac` is HMAC-SHA-256 over the canonical JSON of all the rest, `previous` included. */
export type AuditRecord = AuditBody & Stamp & { readonly mac: string };

/** What every line carries besides its body. */
export interface Stamp {
  readonly v: 1;
  /** From 0, without gaps. */
  readonly seq: number;
  readonly atMs: number;
  readonly sessionId: string;
  /** `mac` of the line before; 64 zeros at the first. */
  readonly previous: string;
}

/** Where a session's audit ends, kept apart from the lines: without it a cut at the end could not be seen. */
export interface AuditHead {
  readonly sessionId: string;
  readonly seq: number;
  readonly mac: string;
  /** HMAC-SHA-256 over the canonical JSON of the three fields above. */
  readonly seal: string;
}
