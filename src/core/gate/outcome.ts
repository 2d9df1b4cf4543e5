/** Why nothing came of it, in the words an agent reacts to. Six different answers (house style §6). */
export type Refusal = 'rule' | 'person' | 'no-person' | 'state' | 'reviewer' | 'no-verdict';

/** What came of a Lacuna, as the agent and the audit see it. `output` is masked, capped, and marked as data. */
export type Outcome =
  | {
      readonly type: 'filled';
      readonly output: Output;
      /** Absolute paths that were changed, as far as the executor knows. */
      readonly changed: readonly string[];
      readonly durationMs: number;
      /** Exit code of a command, status of a response; null for kinds that have none. */
      readonly status: number | null;
    }
  /** The executor tried and failed, and left the world as it was, or says in `damage` what it could not restore. */
  | {
      readonly type: 'failed';
      readonly message: string;
      readonly output: Output;
      readonly causedBySandbox: SandboxCause | null;
      readonly damage: readonly string[];
      readonly durationMs: number;
    }
  | { readonly type: 'refused'; readonly by: Refusal; readonly message: string; readonly advice: string }
  /** Partly accepted by a person in the diff view; `accepted` is on disk, `rejected` is not. */
  | {
      readonly type: 'partly';
      readonly accepted: readonly string[];
      readonly rejected: readonly string[];
      readonly message: string;
      readonly changed: readonly string[];
      readonly durationMs: number;
    }
  | { readonly type: 'void'; readonly why: 'spent' | 'expired' | 'changed' | 'revoked'; readonly message: string }
  | { readonly type: 'cancelled'; readonly message: string; readonly durationMs: number }
  | { readonly type: 'timed-out'; readonly message: string; readonly output: Output; readonly durationMs: number }
  | { readonly type: 'unavailable'; readonly message: string };

/** Text that came back. Untrusted unless a kind says else. */
export interface Output {
  readonly text: string;
  /** Bytes left out in the middle; 0 when nothing was. */
  readonly droppedBytes: number;
  /** How many secrets were masked. */
  readonly maskedSecrets: number;
  readonly isUntrusted: boolean;
}

/** Which wall of the sandbox was hit, and what wider permission would let it pass. */
export interface SandboxCause {
  readonly type: 'write' | 'read' | 'network' | 'process' | 'memory' | 'time' | 'file-size' | 'output' | 'disk';
  /** The path or host, when it could be told. */
  readonly subject: string | null;
  readonly message: string;
}

/** An output with nothing in it. */
export const noOutput: Output = { text: '', droppedBytes: 0, maskedSecrets: 0, isUntrusted: false };
