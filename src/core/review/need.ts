import type { Effect, Op, Trait } from '../effects/effect.js';
import { RISKS, type Risk } from '../lacuna/kindMetadata.js';
import type { Finding } from '../policy/context.js';
import type { ReviewInput } from '../ports.js';

/** Whether a proposal is put to the reviewer. */
export type ReviewNeed = 'never' | 'sometimes' | 'always';

/**
 * Smart skip as data: what of an effect, or of the session, makes a review worth its while. What stands in no row is never
 * reviewed. `sometimes` is reviewed where something sensitive is in it, the risk is at least `from`, or a clearable question hangs
 * on the answer.
 */
export const REVIEW_NEEDS = {
  /** Effects that are always reviewed, by op. */
  alwaysOps: ['kill', 'privilege', 'persist', 'history', 'install'],
  /** Effects that are always reviewed, by trait, whatever the op. */
  alwaysTraits: [
    'secret',
    'personal',
    'upload',
    'publish',
    'remote-code',
    'covert',
    'metadata',
    'catastrophic',
    'guard-self',
    'removes-check',
    'grants-access',
    'protected-ref',
    'discards',
    'mass',
    'hidden-text',
  ],
  /** Changes that are always reviewed where they reach beyond the workspace and temporary folders. */
  alwaysBeyond: ['write', 'delete', 'move', 'unknown'],
  /** Changes in the workspace that are reviewed where a checkpoint cannot bring back what they take. */
  alwaysDestroying: ['delete', 'move'],
  /** What the session knows that makes every effect other than looking worth a review. */
  findings: [
    'secret-outward',
    'untrusted-outward',
    'trifecta',
    'secret-to-tracked',
    'later-harm',
    'runs-untrusted',
    'runs-tampered',
    'instructed-by-untrusted',
    'refused-before',
    'mass-change',
    'moved-work',
  ],
  /** Ops that are looking only. */
  looking: ['list', 'read'],
  /** Running a program is its effects; it is worth a review by itself only where these say that not all of them are seen. */
  unseenTraits: ['unreviewed', 'own-code', 'daemon', 'interactive'],
  /** Ops that are reviewed sometimes. */
  sometimes: ['network', 'unknown', 'execute', 'write'],
  /** Least risk at which `sometimes` is a yes. */
  from: 'high',
  /** Traits by which an effect is never worth a review by itself. */
  harmlessTraits: ['dry-run', 'build-output', 'loopback'],
} as const satisfies {
  readonly alwaysOps: readonly Op[];
  readonly alwaysTraits: readonly Trait[];
  readonly alwaysBeyond: readonly Op[];
  readonly alwaysDestroying: readonly Op[];
  readonly findings: readonly Finding[];
  readonly looking: readonly Op[];
  readonly unseenTraits: readonly Trait[];
  readonly sometimes: readonly Op[];
  readonly from: Risk;
  readonly harmlessTraits: readonly Trait[];
};

const N = REVIEW_NEEDS;
const within = <T>(list: readonly T[], value: T): boolean => list.includes(value);

function isBeyond({ resource }: Effect): boolean {
  switch (resource.type) {
    case 'path':
      return !['workspace', 'temp'].includes(resource.place);
    case 'ref':
      return resource.remote !== null;
    case 'remote':
    case 'table':
    case 'agent-config':
      return true;
    default:
      return false;
  }
}

function needOf(effect: Effect): ReviewNeed {
  const { op, traits, resource } = effect;
  if (traits.some((trait) => within<Trait>(N.harmlessTraits, trait))) return 'never';
  if (traits.some((trait) => within<Trait>(N.alwaysTraits, trait)) || within<Op>(N.alwaysOps, op)) return 'always';
  if (within<Op>(N.alwaysBeyond, op) && isBeyond(effect)) return 'always';
  if (within<Op>(N.alwaysDestroying, op))
    return resource.type === 'path' && resource.place === 'temp' ? 'never' : 'always';
  if (op === 'execute' && !traits.some((trait) => within<Trait>(N.unseenTraits, trait))) return 'never';
  return within<Op>(N.sometimes, op) ? 'sometimes' : 'never';
}

/** What the effects and the session ask for, before it is known what hangs on the answer. */
export function reviewNeed(input: Pick<ReviewInput, 'analysis' | 'findings'>): ReviewNeed {
  const needs = input.analysis.effects.map(needOf);
  if (needs.includes('always')) return 'always';
  const isAlarming = input.findings.some((finding) => within<string>(N.findings, finding.replace(/:.*$/s, '')));
  const isLooking = input.analysis.effects.every(({ op }) => within<Op>(N.looking, op));
  if (isAlarming && !isLooking) return 'always';
  return needs.includes('sometimes') ? 'sometimes' : 'never';
}

/** Why a proposal is not put to the reviewer; null when it is. A deny stands whatever the reviewer says. */
export function skipReason(input: ReviewInput): string | null {
  const { decision } = input;
  if (decision.verdict === 'deny') return 'A deny is not reviewed.';
  switch (reviewNeed(input)) {
    case 'always':
      return null;
    case 'sometimes':
      if (decision.verdict === 'ask' && decision.isClearable) return null;
      return RISKS.indexOf(decision.risk) >= RISKS.indexOf(N.from) ? null : 'Its risk is low enough without a review.';
    case 'never':
      return 'It reads, or changes only what can be brought back.';
  }
}

/** Whether the verdict on a question could still change what comes of it: if not, the review may come after the question. */
export const canChangeOutcome = ({ decision }: Pick<ReviewInput, 'decision'>): boolean =>
  decision.verdict !== 'ask' || decision.isClearable || RISKS.indexOf(decision.risk) >= RISKS.indexOf('high');
