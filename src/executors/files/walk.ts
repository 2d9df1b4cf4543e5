import { readdirSync, type Dirent } from 'node:fs';
import type { Cancel } from '../../core/cancel.js';
import { isSystemError } from '../fill.js';
import type { Folder } from './folder.js';
import { isTemporaryName } from './replace.js';

/** Folders that are not walked into unless the walk begins there: what git keeps, and what a package manager laid down. */
const PASSED_OVER: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);
/** Entries between two breaths, so that a long walk does not hold up the others. */
const BREATH = 500;

/** One thing met on a walk. `relative` is `/`-separated, from where the walk began. */
export interface Met {
  readonly folder: Folder;
  readonly name: string;
  readonly relative: string;
  readonly type: 'file' | 'folder' | 'link' | 'other';
}

/** What a walk could not or would not look at. */
export interface Walked {
  /** Relative paths of folders that were passed over. */
  readonly passedOver: readonly string[];
  readonly isCut: boolean;
}

/** How far a walk goes. */
export interface WalkLimits {
  readonly depth: number;
  readonly entries: number;
}

const typeOf = (entry: Dirent): Met['type'] => {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
};

/** Names in a held folder, in order; none when it may not be listed. */
function namesIn(folder: Folder): readonly Dirent[] {
  try {
    return readdirSync(folder.at('.'), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

/**
 * Walks a held folder depth first, names in order, following no link. Calls `meet` for everything, which says whether to go
 * on. Gives way to others between breaths and stops when cancelled.
 */
export async function walk(
  start: Folder,
  limits: WalkLimits,
  cancel: Cancel,
  meet: (met: Met) => boolean,
): Promise<Walked> {
  const passedOver: string[] = [];
  let seen = 0;
  let isCut = false;
  const visit = async (folder: Folder, prefix: string, depth: number): Promise<void> => {
    for (const entry of namesIn(folder)) {
      if (isCut || isTemporaryName(entry.name)) continue;
      seen += 1;
      if (seen % BREATH === 0) await new Promise((resolve) => setImmediate(resolve));
      if (cancel.aborted || seen > limits.entries) {
        isCut = true;
        return;
      }
      const relative = prefix + entry.name;
      const type = typeOf(entry);
      if (!meet({ folder, name: entry.name, relative, type })) {
        isCut = true;
        return;
      }
      if (type !== 'folder' || depth <= 1) continue;
      if (PASSED_OVER.has(entry.name)) passedOver.push(relative);
      else await descend(folder, entry.name, `${relative}/`, depth - 1);
    }
  };
  const descend = async (folder: Folder, name: string, prefix: string, depth: number): Promise<void> => {
    const inner = folder.enter(name);
    if (!inner.ok) return; // it has become a link or is gone: not what this walk is about
    try {
      await visit(inner.value, prefix, depth);
    } finally {
      inner.value.close();
    }
  };
  await visit(start, '', limits.depth);
  return { passedOver, isCut };
}
