import type { Op } from '../effects/effect.js';
import type { Kind } from '../lacuna/kinds.js';
import type { PlanFit } from '../policy/context.js';
import type { Labels } from './labels.js';

/**
 * Who made the content of a file that this session touched. `agent`: written by a Lacuna. `download`: fetched from elsewhere.
 * `derived`: made by a command from something else. `job`: only the number of a process that the session's shell started.
 * `unknown`: changed in a way that cannot be told.
 */
export type Provenance = 'agent' | 'download' | 'derived' | 'job' | 'unknown';

/** What a step does to one file or folder, as far as labels and provenance go. Marks on a folder hold for all below it. */
export interface FileImpact {
  /** Canonical. */
  readonly path: string;
  /** `device:inode` when facts know it, so that labels follow a file that is renamed behind the session's back. */
  readonly identity: string | null;
  readonly change: 'write' | 'append' | 'delete';
  readonly labels: Labels;
  readonly provenance: Provenance;
  /** Nothing stood there before: deleting it again loses nothing of the person's. */
  readonly isNew: boolean;
  /** What it is a copy of, where it is one of something that is not the session's own. */
  readonly copyOf?: string; // [none]
}

/** Places to which a session moved work that no commit holds, as one step changes them. */
export interface WorkMoved {
  readonly to: readonly string[];
  /** Places from which it is gone again: moved on, or taken away. */
  readonly gone: readonly string[];
}

/** What an effect comes to, whichever tool and spelling: the memory of refusals compares these. */
export interface EffectKey {
  /** `destroy` joins delete, move away and overwrite with nothing kept. */
  readonly act: 'destroy' | Exclude<Op, 'delete' | 'move'>;
  /** `path:/a/b`, `url:host/path`, `package:npm:x`, …; a path key covers everything below it. */
  readonly subject: string;
  /** Content that would be written, as a key; null when it is not known or not to be compared. */
  readonly content: string | null;
  /** Whether it overrides a check: refusing the plain form refuses the forced one too, not the other way round. */
  readonly isForced: boolean;
}

/** Everything that a step means for later ones. JSON without contents, so that the audit can hold it and a replay needs no more. */
export interface Impact {
  readonly kind: Kind;
  /** One line for people, secrets masked. */
  readonly summary: string;
  /** What the context of the agent carries after it has seen the result. */
  readonly context: Labels;
  /** Where marked data came from, in words: "~/.ssh/id_ed25519 (secret)". */
  readonly sources: readonly string[];
  readonly files: readonly FileImpact[];
  readonly variables: readonly { readonly name: string; readonly labels: Labels }[];
  /** Labels of what goes into the index, and of what goes into commits of this session. */
  readonly staged: Labels | null;
  readonly committed: Labels | null;
  /** Files of code that it writes and whose text is known: why each would be stopped if it were run; null when it would not. */
  readonly harmful?: readonly { readonly path: string; readonly why: string | null }[]; // [none]
  readonly keys: readonly EffectKey[];
  /** Work without a commit that is moved. */
  readonly work?: WorkMoved; // [none]
  /** Work without a commit that is destroyed, path by path. */
  readonly destroyed: readonly string[];
  readonly isIrreversible: boolean;
  /** Whether it changes anything at all: a repetition after a change is no loop. */
  readonly isProgress: boolean;
  readonly fingerprint: { readonly exact: string; readonly near: string };
  readonly risk: number;
  readonly riskReasons: readonly string[];
  readonly fit: PlanFit;
  readonly planStep: string | null;
  /** What the baseline learns and compares: `shell:git push`, `host:api.example`, `place:home`. */
  readonly behaviour: readonly string[];
}
