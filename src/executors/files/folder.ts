import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, rmdirSync, type Stats } from 'node:fs';
import path from 'node:path';
import { err, ok, type Result } from '../../core/result.js';
import { isSystemError } from '../fill.js';

// Linux's O_PATH: a handle that names a folder without the right to list it. Source: open(2); Node does not export it.
const O_PATH = 0o10000000;
const hasProc = process.platform === 'linux' && lookAt('/proc/self/fd') !== null;

/** Why a folder could not be held. `link`: a part of the path is a link or no folder, so it is not what was decided on. */
export type FolderError = 'absent' | 'link';

/**
 * A folder held by handle: `at(name)` leads into this very folder even when its path has been given to another one meanwhile.
 * On Linux by `/proc/self/fd`, as openat(2) would; elsewhere Node has no such way, so callers compare the identity again right
 * before each act ({@link Folder.isStillThere}).
 */
export interface Folder {
  /** Canonical path that it was opened by. */
  readonly path: string;
  /** Path for a system call on an entry of this folder. `name` is a single name. */
  at(name: string): string;
  /** Holds a folder in this one, without following a link. */
  enter(name: string): Result<Folder, FolderError>;
  /** Whether the canonical path still leads to this folder. */
  isStillThere(): boolean;
  close(): void;
}

/** Stats of what stands at a path, links not followed; null when nothing does. */
export function lookAt(file: string): Stats | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Whether two looks saw the same file or folder. */
export const isSameFile = (a: Stats, b: Stats): boolean => a.dev === b.dev && a.ino === b.ino;

/** Whether two looks saw the same file with the same content, as far as stats tell. */
export const isUntouched = (a: Stats, b: Stats): boolean =>
  isSameFile(a, b) && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.mode === b.mode;

const isRealFolder = (stats: Stats | null): boolean => stats?.isDirectory() === true;

/** A folder held by a handle of its own. */
class HeldFolder implements Folder {
  readonly path: string;
  readonly #handle: number;
  readonly #stats: Stats;

  constructor(folder: string, handle: number) {
    this.path = folder;
    this.#handle = handle;
    this.#stats = fstatSync(handle);
  }

  at(name: string): string {
    return `/proc/self/fd/${String(this.#handle)}/${name}`;
  }

  enter(name: string): Result<Folder, FolderError> {
    if (lookAt(this.at(name)) === null) return err('absent');
    const inner = openStep(this.at(name));
    return inner === null ? err('link') : ok(new HeldFolder(path.join(this.path, name), inner));
  }

  isStillThere(): boolean {
    const now = lookAt(this.path);
    return now !== null && isSameFile(now, this.#stats);
  }

  close(): void {
    closeSync(this.#handle);
  }
}

/** A folder known by its path and identity, where handles cannot be used for paths. */
class WatchedFolder implements Folder {
  readonly path: string;
  readonly #stats: Stats;

  constructor(folder: string, stats: Stats) {
    this.path = folder;
    this.#stats = stats;
  }

  at(name: string): string {
    return path.join(this.path, name);
  }

  enter(name: string): Result<Folder, FolderError> {
    const stats = this.isStillThere() ? lookAt(this.at(name)) : null;
    if (stats === null) return err('absent');
    return isRealFolder(stats) ? ok(new WatchedFolder(this.at(name), stats)) : err('link');
  }

  isStillThere(): boolean {
    const now = lookAt(this.path);
    return now !== null && isSameFile(now, this.#stats);
  }

  close(): void {
    // Nothing is held.
  }
}

/** One step of a walk: the folder behind a name, by handle; null when it is a link or no folder. */
function openStep(file: string): number | null {
  try {
    return openSync(file, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if (isSystemError(error) && (error.code === 'ELOOP' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}

/** What a walk does where a folder is missing: gives up, or makes it and tells so. */
type OnMissing = { readonly type: 'stop' } | { readonly type: 'make'; readonly made: string[] };

/** Goes one step down by handle. */
function stepInto(handle: number, part: string, at: string, missing: OnMissing): Result<number, FolderError> {
  const next = `/proc/self/fd/${String(handle)}/${part}`;
  if (lookAt(next) === null) {
    if (missing.type === 'stop') return err('absent');
    mkdirSync(next);
    missing.made.push(at);
  }
  const inner = openStep(next);
  return inner === null ? err('link') : ok(inner);
}

/** Walks from the root by handles, no link followed. */
function walkByHandle(folder: string, missing: OnMissing): Result<Folder, FolderError> {
  let handle = openSync('/', O_PATH | constants.O_DIRECTORY);
  let at = '';
  for (const part of folder.split('/').filter((name) => name !== '')) {
    at += `/${part}`;
    const outer = handle;
    try {
      const inner = stepInto(outer, part, at, missing);
      if (!inner.ok) return inner;
      handle = inner.value;
    } finally {
      closeSync(outer);
    }
  }
  return ok(new HeldFolder(folder, handle));
}

/** Walks by path, looking at each part without following links. */
function walkByPath(folder: string, missing: OnMissing): Result<Folder, FolderError> {
  const { root } = path.parse(folder);
  let at = root;
  for (const part of folder.slice(root.length).split(/[\\/]/)) {
    if (part === '') continue;
    at = path.join(at, part);
    const stats = lookAt(at);
    if (stats === null) {
      if (missing.type === 'stop') return err('absent');
      mkdirSync(at);
      missing.made.push(at);
    } else if (!isRealFolder(stats)) return err('link');
  }
  const stats = lookAt(at);
  return stats === null ? err('absent') : ok(new WatchedFolder(folder, stats));
}

const walk = hasProc ? walkByHandle : walkByPath;

/** Holds the folder at a canonical path. Follows no link: a part that has become one is `link`. */
export const openFolder = (folder: string): Result<Folder, FolderError> => walk(folder, { type: 'stop' });

/** Holds the folder at a canonical path, and makes what is missing of it; `made` lists it, outermost first. */
export function openOrMakeFolder(folder: string, made: string[]): Result<Folder, FolderError> {
  const opened = walk(folder, { type: 'make', made });
  if (!opened.ok) unmake(made);
  return opened;
}

/** Takes folders away again that were made for nothing, innermost first; one that is no longer empty stays. */
export function unmake(made: readonly string[]): void {
  for (const folder of made.toReversed()) {
    try {
      rmdirSync(folder);
    } catch (error) {
      if (isSystemError(error)) return; // someone uses it by now: it is theirs
      throw error;
    }
  }
}
