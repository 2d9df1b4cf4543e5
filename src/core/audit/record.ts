import type { Effect, SimpleCommand } from '../effects/effect.js';
import type { Outcome } from '../gate/outcome.js';
import type { Kind } from '../lacuna/kinds.js';
import type { Origin } from '../lacuna/lacuna.js';
import type { Decision } from '../policy/decision.js';
import type { Review } from '../review/review.js';
import type { SessionEvent } from '../session/event.js';

/** What a line of the audit says, before it is chained. Secrets are masked before it gets here. Source: product.md §10. */
export type AuditBody =
  | {
      readonly type: 'proposed';
      readonly lacunaId: string;
      readonly parentId: string | null;
      readonly depth: number;
      readonly kind: Kind;
      readonly params: unknown;
      readonly origin: Origin;
      readonly description: string;
      readonly planStep: string | null;
    }
  | {
      readonly type: 'analysed';
      readonly lacunaId: string;
      readonly effects: readonly Effect[];
      readonly commands: readonly Pick<SimpleCommand, 'program' | 'carrier' | 'cwd' | 'wrappers'>[];
    }
  | { readonly type: 'reviewed'; readonly lacunaId: string; readonly review: Review }
  | { readonly type: 'asked'; readonly lacunaId: string; readonly question: string }
  | { readonly type: 'decided'; readonly lacunaId: string; readonly decision: Decision; readonly micros: number }
  | { readonly type: 'outcome'; readonly lacunaId: string; readonly outcome: Outcome }
  | {
      readonly type: 'checkpoint';
      readonly lacunaId: string | null;
      readonly checkpointId: string;
      readonly why: string;
    }
  | { readonly type: 'restored'; readonly checkpointId: string; readonly files: readonly string[] }
  | { readonly type: 'alarm'; readonly what: string; readonly details: string }
  | { readonly type: 'failure'; readonly lacunaId: string | null; readonly what: string }
  /** Other events of the session's fold: request, plan, mode, declassification, feedback of a person. */
  | { readonly type: 'session'; readonly event: SessionEvent }
  | {
      readonly type: 'feedback';
      readonly lacunaId: string;
      readonly says: 'false-alarm' | 'should-stop';
      readonly note: string;
    };

/** A chained line. `mac` is HMAC-SHA-256 over `previous` and the canonical JSON of the rest. */
export type AuditRecord = AuditBody & {
  readonly v: 1;
  readonly seq: number;
  readonly atMs: number;
  readonly sessionId: string;
  /** `mac` of the line before; 64 zeros at the first. */
  readonly previous: string;
  readonly mac: string;
};
