import type { Effect } from '../effects/effect.js';

const hasAny = (effect: Effect, traits: readonly Effect['traits'][number][]): boolean =>
  effect.traits.some((trait) => traits.includes(trait));

/** Goes nowhere but to this machine, or only says what it would do. */
const staysHere = (effect: Effect): boolean => hasAny(effect, ['loopback', 'dry-run']);

/** Whether data of this machine can leave it by this effect. */
export function isOutward(effect: Effect): boolean {
  if (staysHere(effect)) return false;
  if (hasAny(effect, ['outward', 'upload', 'publish'])) return true;
  if (effect.op === 'network') return true;
  return (
    effect.resource.type === 'ref' && effect.resource.remote !== null && effect.op !== 'read' && effect.op !== 'list'
  );
}

/** Whether it sends something that others then hold: more than asking for a page. */
export function isSending(effect: Effect): boolean {
  if (!isOutward(effect)) return false;
  if (hasAny(effect, ['upload', 'publish'])) return true;
  const { resource } = effect;
  if (resource.type === 'url') return resource.method !== null && !/^(GET|HEAD|OPTIONS)$/i.test(resource.method);
  return resource.type === 'ref' || resource.type === 'remote' || resource.type === 'table';
}

/** Whether it changes something outside the workspace and the folders for temporary files. */
export function isBeyondWorkspace(effect: Effect): boolean {
  if (hasAny(effect, ['dry-run'])) return false;
  const { op, resource } = effect;
  if (isSending(effect)) return true;
  switch (op) {
    case 'write':
    case 'delete':
    case 'move':
    case 'persist':
      if (resource.type === 'path') return !['workspace', 'temp', 'unknown'].includes(resource.place);
      return ['table', 'remote', 'agent-config', 'ref'].includes(resource.type) && !isLocalRef(effect);
    case 'install':
    case 'privilege':
      return true;
    default:
      return false;
  }
}

const isLocalRef = (effect: Effect): boolean => effect.resource.type === 'ref' && effect.resource.remote === null;

/** Whether it takes away what was there. */
export const isDestroying = (effect: Effect): boolean =>
  !hasAny(effect, ['dry-run']) && (effect.op === 'delete' || hasAny(effect, ['discards']));

/** Whether it changes anything at all. */
export const isChange = (effect: Effect): boolean =>
  !hasAny(effect, ['dry-run']) && !['list', 'read', 'execute', 'unknown'].includes(effect.op);
