import type { Outcome } from '../gate/outcome.js';
import type { Plan } from '../plan/plan.js';
import type { DecidedBy } from '../policy/decision.js';
import type { Mode, Verdict } from '../policy/verdict.js';
import type { Rights } from './delegate.js';
import type { Impact } from './impact.js';
import type { Confidentiality } from './label.js';
import type { Labels } from './labels.js';

/**
 * What happened, as audited: the audit holds these very objects, and the state is a fold over them. The same events give the
 * same state. Times in ms since 1970. No event holds file contents or output, only what was found out about them.
 */
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
      readonly lacunaId: string;
      readonly parentId: string | null;
      readonly depth: number;
      /** Sub-agent that proposed it; null for the main agent. */
      readonly subagent: string | null;
      readonly verdict: Verdict;
      readonly by: DecidedBy;
      /** Whether it goes on to be filled: the verdict lets it, or a person said yes. */
      readonly isPermitted: boolean;
      /** Indexes into `impact.keys` of the effects that were refused; empty when it is permitted. */
      readonly refused: readonly number[];
      readonly impact: Impact;
      /** Rights that a permitted Delegate lends, by the name of the sub-agent; null for other kinds. */
      readonly lends: Rights | null;
    }
  | {
      readonly type: 'filled';
      readonly atMs: number;
      readonly lacunaId: string;
      readonly outcome: Outcome['type'];
      /** Null when there was no content to look at. */
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
  /** A person or a policy says that this file, or with `path: null` the session's context, is not so confidential any more. */
  | {
      readonly type: 'declassified';
      readonly atMs: number;
      readonly path: string | null;
      readonly to: Confidentiality;
      readonly by: 'person' | 'policy';
      readonly why: string;
    }
  | { readonly type: 'tokens'; readonly atMs: number; readonly subagent: string | null; readonly count: number }
  /** A person looked at a loop, a refusal or a budget and said to go on. */
  | { readonly type: 'pardoned'; readonly atMs: number; readonly what: 'loop' | 'refusals' | 'budget' | 'drift' }
  | { readonly type: 'ended'; readonly atMs: number };

/** What a step's content looked like, computed once where the content was: the content itself is not kept. */
export interface ContentMarks {
  /** Labels by content alone. */
  readonly labels: Labels;
  /** Hashes of passages of secrets, raw; one match proves that a text holds the secret. */
  readonly secrets: readonly number[];
  /** Fingerprints of sensitive documents, normalised; several matches prove a copy. */
  readonly passages: readonly number[];
  /** Hashes of commands, hosts, packages and paths that untrusted content named. */
  readonly named: readonly number[];
}
