import type { SandboxCause } from '../../core/gate/outcome.js';
import type { Confinement } from '../../core/policy/decision.js';
import type { Result } from '../../core/result.js';
import type { Ended, Launch } from '../process/run.js';

/** A command that shall run behind walls. */
export interface Enclosure {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly confinement: Confinement;
  /** Workspace folders, canonical: the only ones that are written, with those that the confinement lists. */
  readonly roots: readonly string[];
  /** Canonical. */
  readonly home: string;
}

/** A command behind its walls, ready to be started once. */
export interface Enclosed {
  readonly launch: Launch;
  /** Ends what signals to the process group do not reach. */
  kill(): Promise<void>;
  /** Called once after the end, however it came. Takes back what must not stay; tells what the walls stopped. */
  finish(ended: Ended, text: string): Promise<Aftermath>;
}

/** What is to be said after a run behind walls. */
export interface Aftermath {
  /** The wall that the command ran into; null when it ended for reasons of its own. */
  readonly cause: SandboxCause | null;
  /** Sentences about what was taken back. */
  readonly notes: readonly string[];
}

/** Builds walls around commands. One per kind of isolation. */
export interface Sandbox {
  readonly name: 'sandbox-runtime' | 'container';
  /** An error is a sentence: why this cannot be enclosed. */
  enclose(enclosure: Enclosure): Promise<Result<Enclosed, string>>;
  /** Lets go of everything that was kept warm: proxies, temporary folders, containers. */
  dispose(): Promise<void>;
}
