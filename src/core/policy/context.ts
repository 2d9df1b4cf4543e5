import type { Platform } from '../effects/facts.js';
import type { Label } from '../session/label.js';
import type { Anchors } from './pathPattern.js';
import type { Mode } from './verdict.js';

/** How a Lacuna relates to the plan. `none`: there is no plan. */
export type PlanFit = 'planned' | 'exploratory' | 'off-plan' | 'none';

/**
 * What the session state has to say about this Lacuna, as words that rules match with `context: { finding: … }`.
 * A closed list with one meaning each; packs turn them into verdicts.
 */
export const FINDINGS = {
  loop: 'the same or nearly the same Lacuna was proposed again and again without progress',
  'refused-before':
    'the same effect was refused earlier in this session, perhaps in another spelling or by another tool',
  'mass-change': 'single changes of this session add up to a mass change',
  'moved-work': 'takes away work that no commit holds from where this session moved it',
  'over-budget': 'the session or sub-agent has used up its count, depth, time or tokens',
  'secret-outward': 'secret or sensitive data that this session has read can leave by this',
  'untrusted-outward': 'untrusted content is in the session and this acts beyond the workspace',
  trifecta: 'untrusted input, secret access and an outward effect come together',
  'secret-to-tracked': 'secret data would be written into a tracked file or a commit',
  'secret-to-model': 'secret data would be sent to a remote model',
  'reads-copy':
    'reads secret or sensitive data in a file whose name does not tell: a copy, an archive, something made from it',
  'later-harm': 'makes something run later that would be stopped if it were run now',
  'runs-harmful':
    'runs code of the project unread while the session has written code that would be stopped if it were run',
  'runs-untrusted': 'runs what was downloaded or came from an untrusted source in this session',
  'runs-tampered': 'runs a program, alias, path or script that this session changed',
  'instructed-by-untrusted': 'the target or command occurs in untrusted content and not in the request',
  unusual: 'departs from the usual behaviour in this workspace',
  drift: 'execution has drifted from the plan',
  'beyond-delegation': 'the sub-agent was not lent this kind or this path',
  requested: "the person's own request names this very action, and nothing in it goes further",
  'made-here': 'what is changed or deleted was made by this session where nothing stood before',
} as const;
export type Finding = keyof typeof FINDINGS;

/** Everything besides effects that a rule may look at. A value of null could not be had: a rule on it is "no verdict". */
export interface PolicyContext {
  /** What relative and `~` patterns are anchored at, and whether names are compared with case. */
  readonly anchors: Anchors;
  readonly platform: Platform;
  readonly mode: Mode;
  /** Cumulative risk of the session, from 0; thresholds are in the policy. */
  readonly risk: number;
  readonly plan: PlanFit;
  readonly agent: string;
  readonly subagent: string | null;
  readonly depth: number;
  readonly branch: string | null;
  readonly isLinkedWorktree: boolean | null;
  readonly isGitClean: boolean | null;
  readonly user: string | null;
  /** Local time of the person. `minutes` since midnight, `weekday` 0 = Sunday; null when there is no clock. */
  readonly time: { readonly minutes: number; readonly weekday: number } | null;
  readonly isHeadless: boolean;
  readonly isTrusted: boolean;
  readonly hasSandbox: boolean;
  /** Labels that the session's context carries. */
  readonly labels: readonly Label[];
  /** Labels of each effect's resource, by index of the effect. */
  readonly effectLabels: readonly (readonly Label[])[];
  readonly findings: readonly { readonly finding: Finding; readonly effect: number | null; readonly why: string }[];
}
