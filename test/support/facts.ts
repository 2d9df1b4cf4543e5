import type { Analysis, Effect, GitState, Resource } from '../../src/core/effects/effect.js';
import type { Entry, Facts, Platform } from '../../src/core/effects/facts.js';
import { shownPath } from '../../src/core/effects/paths.js';

/** A made-up machine: what stands where, all paths relative to the workspace unless they are absolute. */
export interface World {
  readonly platform?: Platform;
  readonly files?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
  /** Path → how git sees it; other files are tracked and clean. */
  readonly git?: Readonly<Record<string, GitState>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** The workspace is the top of a repository; left out: there is none. */
  readonly repository?: { readonly branch?: string };
}

/** Facts of a made-up machine: workspace `/home/dev/shop` (Windows: `C:/Users/dev/shop`); what is not listed is absent. */
export function factsOf(world: World = {}): Facts {
  const platform = world.platform ?? 'linux';
  const home = platform === 'win32' ? 'C:/Users/dev' : '/home/dev';
  const root = `${home}/shop`;
  const absolute = (path: string): string => (/^(\/|[A-Z]:)/.test(path) ? path : `${root}/${path}`);
  const keyed = <T>(record: Readonly<Record<string, T>> = {}): Map<string, T> =>
    new Map(Object.entries(record).map(([path, value]) => [absolute(path), value]));
  const files = keyed(world.files);
  const git = keyed(world.git);
  const links = new Map([...keyed(world.links)].map(([from, to]) => [from, absolute(to)]));
  const below = (path: string): string[] => [...files.keys()].filter((file) => file.startsWith(`${path}/`));
  const entry = (path: string): Entry => {
    if (links.has(path)) return 'link';
    if (files.has(path)) return 'file';
    return below(path).length > 0 || path === root || path === home || path === '/' ? 'folder' : 'absent';
  };
  return {
    platform,
    home,
    roots: [root],
    temporary: [],
    isCaseSensitive: platform === 'linux',
    entry,
    realPath: (path) => {
      for (const [from, to] of links)
        if (path === from || path.startsWith(`${from}/`)) return to + path.slice(from.length);
      return path;
    },
    readText: (path) => files.get(path) ?? null,
    sizeBytes: (path) => files.get(path)?.length ?? null,
    list: (path) => {
      const names = new Set(below(path).map((file) => file.slice(path.length + 1).split('/')[0] ?? ''));
      return entry(path) === 'folder' ? [...names] : null;
    },
    gitState: (path) => {
      const known = git.get(path);
      if (known) return known;
      if (files.has(path)) return 'tracked';
      const states = new Set(below(path).map((file) => git.get(file) ?? 'tracked'));
      const [first] = states;
      return first === undefined ? 'absent' : states.size === 1 ? first : 'mixed';
    },
    uncommitted: (path) =>
      [...files.keys()].filter(
        (file) => (file === path || file.startsWith(`${path}/`)) && /modified|untracked/.test(git.get(file) ?? ''),
      ),
    repository: () =>
      world.repository === undefined
        ? null
        : {
            root,
            gitFolder: `${root}/.git`,
            isLinkedWorktree: false,
            branch: world.repository.branch ?? 'main',
            remotes: new Map(),
            aliases: new Map(),
            configuration: new Map(),
            textsAt: () => null,
          },
    environment: (name) => world.environment?.[name] ?? (name === 'HOME' || name === 'USERPROFILE' ? home : null),
  };
}

function shownResource(resource: Resource, facts: Facts): string {
  switch (resource.type) {
    case 'path':
    case 'agent-config':
      return shownPath(resource.path, facts);
    case 'url':
      return resource.host === '' ? '?' : resource.host + (resource.port === null ? '' : `:${String(resource.port)}`);
    case 'process':
      return resource.process;
    case 'package':
      return `${resource.ecosystem}:${resource.name}`;
    case 'table':
      return `${resource.database}/${resource.table}`;
    case 'environment':
      return `$${resource.name}`;
    case 'ref':
      return `${resource.remote ?? ''}#${resource.ref}`;
    case 'tool':
      return `${resource.server ?? ''}:${resource.tool}`;
    case 'remote':
      return `${resource.service}:${resource.name}`;
    case 'unknown':
      return '';
  }
}

/** One effect as a case writes it: `delete src/old.ts dynamic +recursive +force`; exact is not said, traits are sorted. */
export function shownEffect(effect: Effect, facts: Facts): string {
  const certainty = effect.certainty === 'exact' || effect.op === 'unknown' ? [] : [effect.certainty];
  const traits = [...effect.traits].sort().map((trait) => `+${trait}`);
  return [effect.op, shownResource(effect.resource, facts), ...certainty, ...traits]
    .filter((part) => part !== '')
    .join(' ');
}

/** All effects of an analysis as cases write them, in order. */
export const shownEffects = ({ effects }: Analysis, facts: Facts): readonly string[] =>
  effects.map((effect) => shownEffect(effect, facts));
