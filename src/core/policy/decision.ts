import type { Risk } from '../lacuna/kindMetadata.js';
import type { Proposal } from '../lacuna/lacuna.js';
import type { Layer, Mode, Verdict } from './verdict.js';

/** Who had the last word. `default`: nothing matched. `failure`: no verdict could be had, and `onFailure` answered. */
export type DecidedBy = 'protection' | 'rule' | 'default' | 'state' | 'reviewer' | 'person' | 'failure';

/** Why a matching rule did not decide. */
export type Lost =
  | 'lower-priority'
  | 'milder'
  | 'weaker-layer'
  | 'replaced-pack'
  | 'untrusted'
  | 'unverified'
  | 'milder-effect'
  | 'overridden';

/** A rule that matched, for one effect. All are kept, winners and losers. */
export interface MatchedRule {
  readonly id: string;
  readonly layer: Layer;
  /** File or pack that holds it, for people: `lacuna:git`, `.lacuna/policy.yaml`. */
  readonly source: string;
  readonly verdict: Verdict;
  readonly priority: number;
  readonly isFirm: boolean;
  readonly isClearable: boolean;
  /** Index of the effect it matched. */
  readonly effect: number;
  /** Null for a rule that decided its effect. */
  readonly lost: Lost | null;
  /** Whether it could not be evaluated, and its `onFailure` is what stands in `verdict`. */
  readonly isFailure: boolean;
  readonly reason: string;
  readonly advice: string;
}

/** Isolation under which a permit may be filled. Absent lists mean "nothing", never "everything". */
export interface Confinement {
  /** `auto`: the best back end at hand. */
  readonly backend: 'auto' | 'sandbox-runtime' | 'container';
  /** Hosts that may be reached; empty: no network at all. */
  readonly hosts: readonly string[];
  /** Paths that may be written besides the workspace and the own temporary folder. */
  readonly writable: readonly string[];
  /** Paths that may not be read, besides the built-in secrets. */
  readonly unreadable: readonly string[];
  /** Paths that may not be changed, besides those that make something run later. */
  readonly unwritable: readonly string[];
  readonly image: string | null;
  readonly timeoutSeconds: number;
  readonly memoryMiB: number;
  readonly processes: number;
  readonly fileSizeMiB: number;
}

/** A credential that an executor adds and the agent never sees: from the editor's secret storage or the environment. */
export interface Credential {
  readonly from:
    { readonly type: 'secret'; readonly key: string } | { readonly type: 'environment'; readonly name: string };
  /** Where it goes: a header of a request or a variable of a command. `{}` in the template stands for the value. */
  readonly into: { readonly type: 'header' | 'variable'; readonly name: string; readonly template: string };
}

/** A change that policy makes to a Lacuna before it is judged again. Shown before and after. */
export interface Repair {
  readonly before: Proposal;
  readonly after: Proposal;
  /** In words: "adds LIMIT 1000". */
  readonly explanation: string;
  readonly ruleId: string;
}

/** Limits of a filling, whatever its verdict; null where no rule sets one. */
export interface FillingLimits {
  readonly timeoutSeconds: number | null;
  readonly outputKiB: number | null;
  readonly rows: number | null;
}

/** Things to do besides filling. */
export interface Obligations {
  readonly checkpoint: boolean;
  readonly credentials: readonly Credential[];
  /** Columns whose values are masked in results. */
  readonly maskColumns: readonly string[];
  /** How often a failed filling may be tried again. */
  readonly retries: number;
  readonly limits: FillingLimits;
}

/** The answer to one Lacuna, with everything that led to it. Frozen JSON. */
export interface Decision {
  readonly verdict: Verdict;
  /** What policy alone said, before a person was asked. Equal to `verdict` when nobody was. */
  readonly policyVerdict: Verdict;
  readonly decidedBy: DecidedBy;
  readonly risk: Risk;
  readonly mode: Mode;
  readonly rules: readonly MatchedRule[];
  /** For people: why. One sentence, then details on further lines. */
  readonly reason: string;
  /** For the agent: what it may do instead; empty when there is nothing to say. */
  readonly advice: string;
  /** Whether an ask can be lowered by the reviewer: every effect's ask must be clearable. */
  readonly isClearable: boolean;
  /** Null unless the verdict is `sandbox`, or a person approved with isolation. */
  readonly confinement: Confinement | null;
  readonly repair: Repair | null;
  readonly obligations: Obligations;
}
