import type { Resource } from '../effect.js';
import type { Facts } from '../facts.js';
import type { PathEffect } from '../pathEffects.js';

/** Facts about a machine that is not this one: nothing can be looked up; the layout is assumed to be the usual one. */
export const factsElsewhere = (facts: Facts): Facts => ({
  platform: 'linux',
  home: facts.platform === 'linux' ? facts.home : '/root',
  roots: facts.platform === 'linux' ? facts.roots : ['/workspace'],
  temporary: ['/tmp'],
  isCaseSensitive: true,
  entry: () => 'unknown',
  realPath: (path) => path,
  readText: () => null,
  sizeBytes: () => null,
  list: () => null,
  gitState: () => 'unknown',
  uncommitted: () => null,
  repository: () => null,
  environment: () => undefined,
});

/** Names a machine, container or cluster for people and for the names of what lies in it. */
export function placeName(where: Resource): string {
  switch (where.type) {
    case 'url':
      return where.host || where.url;
    case 'remote':
      return where.name;
    case 'path':
    case 'agent-config':
      return where.path;
    case 'process':
      return where.process;
    case 'unknown':
      return where.what;
    default:
      return where.type;
  }
}

/** The same effect on a path that lies elsewhere: it is no path of this machine, and git here knows nothing of it. */
export function moveElsewhere(effect: PathEffect, where: Resource): PathEffect {
  const { resource } = effect;
  if (resource.type !== 'path' && resource.type !== 'agent-config') return effect;
  const service = where.type === 'remote' ? where.service : 'host';
  return {
    ...effect,
    resource: { type: 'remote', service, name: `${placeName(where)}:${resource.path}` },
    reversible: effect.op === 'list' || effect.op === 'read' ? 'yes' : 'no',
    traits: effect.traits.filter((trait) => trait !== 'build-output' && trait !== 'discards' && trait !== 'guard-self'),
  };
}
