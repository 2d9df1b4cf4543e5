import { isAbsolute, joinPath } from '../effects/paths.js';
import type { Platform } from '../effects/facts.js';
import type { Proposal } from '../lacuna/lacuna.js';
import { err, ok, type Result } from '../result.js';

/** A folder of a workspace, as the person sees it named. */
export interface Folder {
  readonly name: string;
  readonly path: string;
}

/** What is known of a workspace of several folders. */
export interface Folders {
  readonly folders: readonly Folder[];
  readonly platform: Platform;
  readonly isThere: (path: string) => boolean;
}

/** Parameters that are paths, by whichever kind. */
const PATHS: ReadonlySet<string> = new Set(['path', 'from', 'to', 'cwd']);

/**
 * Writes relative paths of a proposal in full where a workspace has several folders, since one path could mean a file in each:
 * `app/src/a.ts` is in the folder `app`, and `src/a.ts` is where it is there in one folder only. A sentence for the agent where
 * neither tells. One folder, and none, leave it as it is.
 */
export function inFolders(proposal: Proposal, world: Folders): Result<Proposal, string> {
  if (world.folders.length < 2) return ok(proposal);
  const params: Record<string, unknown> = { ...proposal.params };
  for (const [name, value] of Object.entries(params)) {
    if (!PATHS.has(name) || typeof value !== 'string' || isAbsolute(value, world.platform) || value.startsWith('~'))
      continue;
    const full = fullPath(value, world);
    if (full === null) return err(ambiguous(name, value, world));
    params[name] = full;
  }
  return ok({ ...proposal, params } as Proposal);
}

/** Null where more than one folder could be meant. */
function fullPath(relative: string, { folders, platform, isThere }: Folders): string | null {
  const parts = relative.replace(/^(\.[\\/])+/, '').split(platform === 'win32' ? /[\\/]/ : '/');
  const [first = '', ...rest] = parts;
  const named = folders.filter(({ name }) => name === first);
  if (named[0] !== undefined && named.length === 1) return joinPath(named[0].path, rest.join('/') || '.', platform);
  if (parts.every((part) => part === '.' || part === '')) return null;
  const there = folders.map(({ path }) => joinPath(path, relative, platform)).filter(isThere);
  return there.length === 1 ? (there[0] ?? null) : null;
}

const ambiguous = (name: string, value: string, { folders }: Folders): string =>
  `${name}: "${value}" could be in any folder of this workspace. Begin it with the name of one ` +
  `(${folders.map((folder) => folder.name).join(', ')}) or write it in full (${folders.map(({ path }) => path).join(', ')}).`;
