import type { Effect } from '../effects/effect.js';
import type { Asked, Intent } from './intents.js';

/**
 * How an effect stands to what was asked. `free`: nobody needs to ask for it; `asked`: the words ask for it; `before`: an earlier
 * request asked, and this one goes on; `near`: it often comes with what was asked; `unasked`; `forbidden`: the words say not to.
 */
export const FITS = ['free', 'asked', 'before', 'near', 'unasked', 'forbidden'] as const;
export type Fit = (typeof FITS)[number];

/** What asks for an effect plainly, and what makes it plausible. Empty `plain`: nobody needs to ask. */
interface Expectation {
  readonly plain: readonly Intent[];
  readonly near: readonly Intent[];
}

const FREE: Expectation = { plain: [], near: [] };
const on = (plain: readonly Intent[], near: readonly Intent[] = []): Expectation => ({ plain, near });

const CHANGE: readonly Intent[] = ['edit', 'create', 'delete', 'move', 'format', 'config'];
const WORK: readonly Intent[] = ['edit', 'run', 'test', 'build', 'serve'];

/** What asks for a path to be written, by what is special about it. */
function ofWriting(effect: Effect): Expectation {
  const has = (trait: Effect['traits'][number]): boolean => effect.traits.includes(trait);
  if (has('discards')) return on(['undo'], ['delete']);
  if (has('grants-access')) return on(['permission'], ['run', 'system']);
  if (has('build-output')) return FREE;
  if (effect.resource.type === 'path' && effect.resource.place === 'temp') return FREE;
  return on(
    [...CHANGE, 'fetch', 'undo', 'install'],
    ['test', 'build', 'run', 'download', 'branch', 'collaborate', 'schedule', 'container', 'database'],
  );
}

function ofRef(effect: Effect): Expectation {
  if (effect.resource.type !== 'ref') return FREE;
  if (effect.resource.remote !== null)
    return effect.op === 'delete'
      ? on(['delete', 'push'], ['branch'])
      : on(['push', 'publish'], ['deploy', 'collaborate']);
  if (effect.op === 'delete') return on(['delete'], ['branch', 'undo']);
  return on(
    ['commit', 'branch', 'undo', 'fetch', 'push', 'publish'],
    ['edit', 'create', 'move', 'collaborate', 'delete'],
  );
}

function ofRemote(effect: Effect): Expectation {
  const service = effect.resource.type === 'remote' ? effect.resource.service : '';
  if (/^(?:docker|podman|container|compose)$/.test(service))
    return effect.op === 'delete'
      ? on(['delete', 'stop'], ['container'])
      : on(['container'], ['run', 'serve', 'build', 'test']);
  if (/^git(?:hub|lab|ea)|bitbucket/.test(service)) return on(['collaborate', 'publish'], ['push', 'send']);
  if (effect.op === 'delete') return on(['delete', 'undo'], ['stop', 'cloud']);
  return on(['deploy', 'cloud', 'send', 'publish', 'config'], ['run', 'create', 'edit']);
}

function ofNetwork(effect: Effect): Expectation {
  if (effect.traits.includes('loopback')) return FREE;
  if (effect.traits.includes('publish')) return on(['publish', 'push', 'deploy', 'collaborate', 'send'], []);
  if (effect.traits.includes('upload'))
    return on(['send', 'push', 'publish', 'deploy'], ['collaborate', 'cloud', 'download']);
  return on(['download', 'fetch', 'install', 'collaborate', 'cloud'], ['look', 'test', 'run', 'push']);
}

function ofDeleting(effect: Effect): Expectation {
  switch (effect.resource.type) {
    case 'ref':
      return ofRef(effect);
    case 'remote':
      return ofRemote(effect);
    case 'table':
      return on(['delete'], ['database', 'undo']);
    case 'process':
      return on(['delete', 'schedule'], ['stop']);
    default:
      if (
        effect.traits.includes('build-output') ||
        (effect.resource.type === 'path' && effect.resource.place === 'temp')
      )
        return on(['delete', 'build', 'run', 'test', 'edit', 'create', 'install', 'move'], ['look']);
      return on(['delete', 'move', 'undo'], ['edit']);
  }
}

/** What asks for an effect. Data by op and, where the op alone does not tell, by resource and traits. */
function expectationOf(effect: Effect): Expectation {
  if (effect.traits.includes('dry-run')) return FREE;
  switch (effect.op) {
    case 'list':
      return FREE;
    case 'read':
      if (effect.traits.includes('secret') || effect.traits.includes('personal')) return on(['secret', 'config'], []);
      if (effect.resource.type === 'remote') return on(['collaborate', 'cloud', 'look', 'container'], ['run', 'test']);
      if (effect.resource.type === 'path' && (effect.resource.place === 'home' || effect.resource.place === 'outside'))
        return on(['look', 'config'], ['edit', 'run']);
      return FREE;
    case 'write':
      if (effect.resource.type === 'ref') return ofRef(effect);
      if (effect.resource.type === 'remote') return ofRemote(effect);
      if (effect.resource.type === 'table') return on(['database'], ['edit', 'create', 'delete']);
      return ofWriting(effect);
    case 'delete':
      return ofDeleting(effect);
    case 'move':
      return on(['move', 'delete', 'edit'], ['undo', 'create']);
    case 'execute':
      if (effect.traits.includes('remote-code')) return on(['install', 'download'], ['run']);
      if (effect.traits.includes('covert')) return on([], []);
      return effect.traits.includes('unreviewed')
        ? on(['run', 'test', 'build', 'format', 'serve'], ['edit', 'create', 'install', 'look'])
        : FREE;
    case 'network':
      return ofNetwork(effect);
    case 'install':
      return on(['install'], WORK);
    case 'kill':
      return on(['stop'], ['serve', 'run']);
    case 'privilege':
      return on(['permission', 'system'], ['install', 'container']);
    case 'history':
      return on(['undo', 'branch', 'commit'], ['fetch', 'delete', 'push']);
    case 'persist':
      return on(['schedule', 'config', 'install'], ['edit', 'create', 'commit']);
    case 'unknown':
      return on(['run'], ['look', 'test', 'build', 'edit', 'create']);
  }
}

const some = (intents: readonly Intent[], set: ReadonlySet<Intent>): boolean =>
  intents.some((intent) => set.has(intent));

/** What asks for an effect plainly. Empty: nobody has to ask, or no words do. */
export const plainlyAskedBy = (effect: Effect): readonly Intent[] => expectationOf(effect).plain;

/** Deeds that have a word of their own, which is the first of those that ask for them. */
const OF_ONE_WORD: ReadonlySet<Effect['op']> = new Set<Effect['op']>(['delete', 'move', 'install', 'kill']);

/**
 * Whether the words say not to do the very deed, though they ask for something that it could serve: "delete the folder, do not move
 * anything" refuses a move.
 */
export function isRefused(effect: Effect, asked: Asked): boolean {
  const [own] = expectationOf(effect).plain;
  return OF_ONE_WORD.has(effect.op) && own !== undefined && asked.forbidden.has(own) && !asked.wanted.has(own);
}

/** How an effect stands to what the person asks, and asked before. */
export function fitOf(effect: Effect, asked: Asked, before: Asked | null): Fit {
  const { plain, near } = expectationOf(effect);
  if (plain.length === 0 && near.length === 0 && !effect.traits.includes('covert')) return 'free';
  const isForbidden = some(plain, asked.forbidden) && !some(plain, asked.wanted);
  if (isForbidden) return 'forbidden';
  if (some(plain, asked.wanted)) return 'asked';
  if (asked.isContinuation && before !== null && some(plain, before.wanted)) return 'before';
  if (asked.isNarrow && !asked.isContinuation) return 'unasked';
  return some(near, asked.wanted) ? 'near' : 'unasked';
}

/** Whether what was asked before asks for an effect that has to be asked for. */
export function isAskedEarlier(effect: Effect, before: Asked | null): boolean {
  return before !== null && some(expectationOf(effect).plain, before.wanted);
}
