import type { Analysis } from '../effects/effect.js';
import type { Outcome } from '../gate/outcome.js';
import type { Lacuna } from '../lacuna/lacuna.js';
import type { Decision } from '../policy/decision.js';
import type { Confidentiality } from './label.js';
import type { Mode } from '../policy/verdict.js';
import type { Plan } from '../plan/plan.js';

/** What happened, as audited. State is a fold over these: the same events give the same state. Times in ms since 1970. */
export type SessionEvent =
  | {
      readonly type: 'started';
      readonly atMs: number;
      readonly sessionId: string;
      readonly mode: Mode;
      readonly roots: readonly string[];
    }
  /** A new request of the person. */
  | { readonly type: 'request'; readonly atMs: number; readonly text: string }
  | { readonly type: 'plan'; readonly atMs: number; readonly plan: Plan }
  | {
      readonly type: 'decided';
      readonly atMs: number;
      readonly lacuna: Lacuna;
      readonly analysis: Analysis;
      readonly decision: Decision;
    }
  | {
      readonly type: 'filled';
      readonly atMs: number;
      readonly lacuna: Lacuna;
      readonly outcome: Outcome;
      readonly content: ContentMarks | null;
    }
  /** A person changed the mode, or the engine stepped it up. */
  | {
      readonly type: 'mode';
      readonly atMs: number;
      readonly mode: Mode;
      readonly by: 'person' | 'engine';
      readonly why: string;
    }
  /** A person or a policy says that this is not confidential (any more). */
  | {
      readonly type: 'declassified';
      readonly atMs: number;
      readonly path: string;
      readonly to: Confidentiality;
      readonly by: 'person' | 'policy';
    }
  | { readonly type: 'tokens'; readonly atMs: number; readonly subagent: string | null; readonly count: number }
  | { readonly type: 'ended'; readonly atMs: number };

/** What a step's content looked like, computed once where the content was: it is not kept itself. */
export interface ContentMarks {
  /** Fingerprints of what was read or returned, for recognising it later. */
  readonly fingerprints: readonly number[];
  readonly confidentiality: Confidentiality;
  readonly isUntrusted: boolean;
}
