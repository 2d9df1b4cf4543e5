import type { Analysis, Effect, Trait } from '../effects/effect.js';
import { KINDS, type Kind } from '../lacuna/kinds.js';
import { RISKS, type Risk } from '../lacuna/kindMetadata.js';

/** The riskier of two. Associative, commutative, idempotent; `low` is neutral. */
export const riskier = (a: Risk, b: Risk): Risk => (RISKS.indexOf(a) >= RISKS.indexOf(b) ? a : b);

/** What a trait says about risk, whatever is done. */
const TRAIT_RISK: Partial<Readonly<Record<Trait, Risk>>> = {
  catastrophic: 'critical',
  'guard-self': 'critical',
  'remote-code': 'critical',
  metadata: 'critical',
  'grants-access': 'high',
  'protected-ref': 'high',
  publish: 'high',
  upload: 'high',
  secret: 'high',
  personal: 'high',
  discards: 'high',
  'rows-unbounded': 'high',
  'removes-check': 'high',
  covert: 'high',
  'hidden-text': 'high',
  'fewer-checks': 'medium',
  'adds-process': 'medium',
  'adds-network': 'medium',
  mass: 'medium',
  unreviewed: 'medium',
  'own-code': 'medium',
  daemon: 'medium',
};

/** What is done, on something of no special standing. */
const OP_RISK: Readonly<Record<Effect['op'], Risk>> = {
  list: 'low',
  read: 'low',
  write: 'low',
  execute: 'low',
  delete: 'medium',
  move: 'medium',
  network: 'medium',
  install: 'medium',
  kill: 'medium',
  history: 'high',
  persist: 'high',
  privilege: 'high',
  unknown: 'medium',
};

/**
 * Risk of one effect. From op and traits; raised outside the workspace and where nothing can undo it; lowered where
 * nothing is really done or can be made again.
 */
export function effectRisk(effect: Effect): Risk {
  if (effect.traits.includes('dry-run')) return 'low';
  const fromTraits = effect.traits.map((trait) => TRAIT_RISK[trait] ?? 'low').reduce(riskier, 'low');
  return riskier(fromTraits, riskOfOp(effect));
}

function riskOfOp(effect: Effect): Risk {
  const { op, resource, traits } = effect;
  if (op === 'list' || op === 'read') return 'low';
  if (traits.includes('loopback') || traits.includes('build-output')) return 'low';
  if (resource.type === 'path' && resource.place === 'temp') return 'low';
  const base = OP_RISK[op];
  const changes = op === 'write' || op === 'delete' || op === 'move';
  if (changes && resource.type === 'path') {
    if (resource.place === 'system' || resource.place === 'device') return op === 'write' ? 'high' : 'critical';
    if (resource.place !== 'workspace') return op === 'write' ? 'medium' : 'high';
    if (op === 'write') return traits.includes('overwrite') && effect.reversible === 'no' ? 'medium' : 'low';
    return resource.git === 'ignored' || resource.git === 'tracked' || resource.git === 'absent' ? 'low' : base;
  }
  return effect.reversible === 'no' && changes ? riskier(base, 'high') : base;
}

/**
 * Risk of the action as a whole: the riskiest of its effects. Where nothing was found to be done, a kind that could have
 * been analysed is low, and any other has the risk of its kind.
 */
export function actionRisk(kind: Kind, { effects }: Analysis): Risk {
  if (effects.length === 0) return kind === 'ExecuteShell' ? 'low' : KINDS[kind].defaultRisk;
  return effects.map(effectRisk).reduce(riskier, 'low');
}
