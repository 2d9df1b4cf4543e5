import type { Effect, Op } from '../effects/effect.js';
import type { Anchors } from './pathPattern.js';

const VERBS: Readonly<Record<Op, string>> = {
  list: 'lists',
  read: 'reads',
  write: 'writes',
  delete: 'deletes',
  move: 'moves away',
  execute: 'runs',
  network: 'reaches',
  install: 'installs',
  kill: 'stops',
  privilege: 'gains rights over',
  history: 'rewrites history of',
  persist: 'makes something run later through',
  unknown: 'may do anything with',
};

/** An effect as a clause for people: "deletes src/a.ts and all in it". Paths as short as they are clear. */
export function effectClause(effect: Effect, anchors: Anchors): string {
  const verb = effect.op === 'write' && effect.traits.includes('create') ? 'creates' : VERBS[effect.op];
  const subject = resourceName(effect, anchors);
  const below = effect.traits.includes('recursive') ? ' and all in it' : '';
  const how = effect.certainty === 'dynamic' ? ' (known only when it runs)' : '';
  return `${verb} ${subject}${below}${how}`;
}

/** The resource of an effect in words. */
export function resourceName({ resource }: Pick<Effect, 'resource'>, anchors: Anchors): string {
  switch (resource.type) {
    case 'path':
    case 'agent-config':
      return resource.path === '' ? 'a path that cannot be known' : shownPath(resource.path, anchors);
    case 'url':
      return resource.host === '' ? 'a host that cannot be known' : resource.host;
    case 'process':
      return resource.process === '' ? 'a program that cannot be known' : resource.process;
    case 'package':
      return `${resource.ecosystem}:${resource.name}`;
    case 'table':
      return `table ${resource.database === '' ? '' : `${resource.database}.`}${resource.table}`;
    case 'environment':
      return `$${resource.name}`;
    case 'ref':
      return resource.remote === null ? `branch ${resource.ref}` : `${resource.ref} on ${resource.remote}`;
    case 'tool':
      return `tool ${resource.server === null ? '' : `${resource.server}.`}${resource.tool}`;
    case 'remote':
      return `${resource.service} ${resource.name}`.trim();
    case 'unknown':
      return resource.what === '' ? 'something that could not be understood' : resource.what;
  }
}

/** A path for people: relative to its workspace folder, with `~` for home, else as it is. */
export function shownPath(path: string, { roots, home }: Anchors): string {
  for (const root of roots) {
    if (path === root) return 'the workspace';
    if (path.startsWith(`${root}/`)) return path.slice(root.length + 1);
  }
  if (path === home) return 'the home folder';
  return path.startsWith(`${home}/`) ? `~/${path.slice(home.length + 1)}` : path;
}
