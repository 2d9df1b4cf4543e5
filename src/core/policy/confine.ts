import type { Effect } from '../effects/effect.js';
import type { Confinement } from './decision.js';
import type { DeniedPaths } from './deniedPaths.js';
import type { EffectJudgement } from './judgeEffect.js';
import type { RuleSpec } from './schema.js';
import { strictness } from './verdict.js';

/** Isolation where no rule says more: no network, writes in the workspace, room for an ordinary build. */
export const DEFAULT_CONFINEMENT: Confinement = {
  backend: 'auto',
  hosts: [],
  writable: [],
  unreadable: [],
  unwritable: [],
  image: null,
  timeoutSeconds: 600,
  memoryMiB: 8192,
  processes: 1024,
  fileSizeMiB: 4096,
};

/** One effect with what the policy said of it. */
export interface Judged {
  readonly effect: Effect | null;
  readonly judgement: EffectJudgement;
}

/**
 * Isolation for a Lacuna as a whole. Every limit is the smallest that a deciding rule sets. Hosts are those that rules list
 * and those that its own network effects name where the policy lets them pass; a rule that says `network: false` ends all.
 * Paths outside the workspace are writable only where an effect on them was let pass. What people's rules deny is `denied`: code that
 * nobody could read beforehand is kept from it. Paths are as rules write them.
 */
export function confinementOf(judged: readonly Judged[], denied: DeniedPaths): Confinement {
  const specs = judged.flatMap(({ judgement }) =>
    judgement.deciding.flatMap(({ rule }) => (rule.spec.sandbox === undefined ? [] : [rule.spec.sandbox])),
  );
  const passed = judged.filter(({ judgement }) => strictness(judgement.verdict) <= strictness('sandbox'));
  const least = (field: 'timeoutSeconds' | 'memoryMiB' | 'processes' | 'fileSizeMiB'): number =>
    Math.min(DEFAULT_CONFINEMENT[field], ...specs.flatMap((spec) => spec[field] ?? []));
  const timeouts = specs.flatMap((spec) => spec.timeoutSeconds ?? []);
  const image = specs.find((spec) => spec.image !== undefined)?.image ?? null;
  const backend = specs.find((spec) => spec.backend !== undefined && spec.backend !== 'auto')?.backend;
  return {
    backend: backend ?? (image === null ? 'auto' : 'container'),
    hosts: hostsOf(specs, passed),
    writable: unique([...specs.flatMap((spec) => spec.writable ?? []), ...passed.flatMap(writablePath)]),
    unreadable: unique([...specs.flatMap((spec) => spec.unreadable ?? []), ...denied.unreadable]),
    unwritable: denied.unwritable,
    image,
    // A rule may also give more time than the default; where several speak, the shortest holds.
    timeoutSeconds: timeouts.length > 0 ? Math.min(...timeouts) : DEFAULT_CONFINEMENT.timeoutSeconds,
    memoryMiB: least('memoryMiB'),
    processes: least('processes'),
    fileSizeMiB: least('fileSizeMiB'),
  };
}

type SandboxSpec = NonNullable<RuleSpec['sandbox']>;

function hostsOf(specs: readonly SandboxSpec[], passed: readonly Judged[]): readonly string[] {
  if (specs.some(({ network }) => network === false)) return [];
  const listed = specs.flatMap(({ network }) => (Array.isArray(network) ? network : []));
  const named = passed.flatMap(({ effect }) =>
    effect?.op === 'network' &&
    effect.resource.type === 'url' &&
    effect.resource.host !== '' &&
    effect.certainty === 'exact'
      ? [effect.resource.host]
      : [],
  );
  return unique([...listed, ...named]);
}

/** What an effect that was let pass must be able to write outside the workspace. */
function writablePath({ effect }: Judged): readonly string[] {
  if (effect?.resource.type !== 'path' || effect.certainty !== 'exact') return [];
  const isChange = effect.op === 'write' || effect.op === 'delete' || effect.op === 'move' || effect.op === 'persist';
  return isChange && effect.resource.place !== 'workspace' ? [effect.resource.path] : [];
}

const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];
