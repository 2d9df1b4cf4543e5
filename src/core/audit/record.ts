import type { Effect, Flow, SimpleCommand } from '../effects/effect.js';
import type { SavedTerminal } from '../effects/savedTerminal.js';
import type { Outcome } from '../gate/outcome.js';
import type { Lacuna } from '../lacuna/lacuna.js';
import type { Decision } from '../policy/decision.js';
import type { Review } from '../review/review.js';
import type { SessionEvent } from '../session/event.js';

/**
 * What a line of the audit says, before it is chained. The `session` lines are the very events of the session's fold, so that
 * its state can be had again from them. Source: product.md §10.
 */
export type AuditBody =
  /** Reads that were proposed together, and are judged and asked about as one. */
  | { readonly type: 'group'; readonly groupId: string; readonly lacunaIds: readonly string[] }
  | { readonly type: 'proposed'; readonly lacuna: Lacuna }
  | {
      readonly type: 'analysed';
      readonly lacunaId: string;
      readonly effects: readonly Effect[];
      readonly commands: readonly SimpleCommand[];
      readonly flows: readonly Flow[];
      /** The terminal afterwards; null for what runs in none. */
      readonly terminal: SavedTerminal | null;
    }
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
