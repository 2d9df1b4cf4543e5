import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { GitState } from '../core/effects/effect.js';
import type { Entry, Facts, Platform, Repository } from '../core/effects/facts.js';
import { isWithin, joinPath } from '../core/effects/paths.js';
import { gitStatus, isFollowed, repositoryIn, summarise, type StatusEntry } from './git.js';

const MAX_TEXT_BYTES = 256 * 1024;
const MAX_NAMES = 5_000;
const MAX_UNCOMMITTED = 1_000;
const MAX_LINKS = 40;

/** Whether a real path holds each name as it was asked for: elsewhere the disk may spell it in another case. */
const SPELLS_AS_ASKED = process.platform !== 'win32' && process.platform !== 'darwin';
/** An absolute path without `.`, `..`, empty names, or a slash at its end. Its real path is that of its folder, and its name, if it is no link. */
const STRAIGHT = /^\/(?:(?!\.{0,2}(?:\/|$))[^/]+(?:\/(?!\.{0,2}(?:\/|$))[^/]+)*)?$/;

const below = (folder: string, name: string): string => `${folder === '/' ? '' : folder}/${name}`;

/** Where to look, and as which machine. */
export interface FactsOptions {
  /** Workspace folders, absolute; need not exist. */
  readonly roots: readonly string[];
  /** Absent: the home folder of the user. */
  readonly home?: string;
  /** Absent: this machine's. */
  readonly platform?: Platform;
  /** `process`: this process's variables (the default). `unknown`: none but the home folder is known. */
  readonly environment?: 'process' | 'unknown';
}

/** The platform of this process, in the words of the core. Other systems are treated as Linux, whose rules are POSIX. */
export const thisPlatform = (): Platform =>
  process.platform === 'win32' || process.platform === 'darwin' ? process.platform : 'linux';

/** Turns what the file system says into a value; null for "not there" and "may not". */
function quietly<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

const entryOf = (stats: Stats): Entry => {
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isBlockDevice() || stats.isCharacterDevice() ? 'device' : 'other';
};

/** Text of a small regular file, or null. What it is, is looked at before it is opened: opening a pipe would wait. */
function readSmallText(file: string): string | null {
  return quietly(() => {
    if (!lstatSync(realpathSync.native(file)).isFile()) return null;
    const handle = openSync(file, 'r');
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile() || stats.size > MAX_TEXT_BYTES) return null;
      const bytes = Buffer.alloc(stats.size);
      const text = bytes.subarray(0, readSync(handle, bytes, 0, stats.size, 0));
      return text.includes(0) ? null : text.toString('utf8');
    } finally {
      closeSync(handle);
    }
  });
}

/** Facts about this machine's file system and repositories, looked up when asked and remembered for one look. */
class FileSystemFacts implements Facts {
  readonly platform: Platform;
  readonly home: string;
  readonly roots: readonly string[];
  readonly temporary: readonly string[];
  readonly isCaseSensitive: boolean;
  readonly #isThisMachine: boolean;
  readonly #missing: readonly string[];
  /** Folders of which it is known that no part of them is a link. */
  readonly #anchors: readonly string[];
  readonly #environment: 'process' | 'unknown';

  readonly #stats = new Map<string, Stats | null>();
  readonly #real = new Map<string, string>();
  readonly #texts = new Map<string, string | null>();
  readonly #names = new Map<string, readonly string[] | null>();
  readonly #statuses = new Map<string, readonly StatusEntry[] | null>();
  readonly #repositories = new Map<string, Repository | null>();

  constructor(options: FactsOptions) {
    this.platform = options.platform ?? thisPlatform();
    this.#isThisMachine = this.platform === thisPlatform();
    this.isCaseSensitive = this.platform === 'linux';
    this.#environment = this.#isThisMachine ? (options.environment ?? 'process') : 'unknown';
    const home = this.#canonical(options.home ?? os.homedir());
    const roots = options.roots.map((root) => this.#canonical(root));
    const temporary = this.#isThisMachine ? [this.#canonical(os.tmpdir())] : [];
    this.home = home.path;
    this.roots = roots.map((root) => root.path);
    this.temporary = temporary.map((folder) => folder.path);
    this.#anchors = [...roots, home, ...temporary].filter(({ isThere }) => isThere).map((folder) => folder.path);
    this.#missing = [...roots, home]
      .filter((folder) => !folder.isThere && quietly(() => lstatSync(folder.path)) === null)
      .map((folder) => folder.path);
  }

  #canonical(folder: string): { readonly path: string; readonly isThere: boolean } {
    const joined = joinPath(this.platform === 'win32' ? 'C:/' : '/', folder, this.platform);
    const real = this.#isThisMachine ? quietly(() => this.#own(realpathSync.native(joined))) : null;
    return { path: real ?? joined, isThere: real !== null };
  }

  /** The system's spelling of a path in the core's. */
  #own(file: string): string {
    return this.platform === 'win32' ? joinPath('C:/', file, 'win32') : file.normalize('NFC');
  }

  /** Nothing is known of another machine, nor below a workspace or home that is not here. */
  #isKnown(file: string): boolean {
    return this.#isThisMachine && !this.#missing.some((folder) => isWithin(file, folder, this));
  }

  #look(file: string): Stats | null {
    return remember(this.#stats, file, () => {
      // Below what cannot be looked at nothing can.
      if (this.#stats.get(path.posix.dirname(file)) === null) return null;
      // An exception for each file that is not there would cost more than the look.
      return quietly(() => lstatSync(file, { throwIfNoEntry: false }) ?? null);
    });
  }

  entry(file: string): Entry {
    if (!this.#isKnown(file)) return 'unknown';
    const stats = this.#look(file);
    return stats === null ? 'absent' : entryOf(stats);
  }

  realPath(file: string): string {
    return this.#isKnown(file) ? remember(this.#real, file, () => this.#resolve(file, MAX_LINKS)) : file;
  }

  #resolve(file: string, links: number): string {
    const parent = path.posix.dirname(file);
    if (SPELLS_AS_ASKED && STRAIGHT.test(file)) {
      if (parent === file || this.#anchors.some((anchor) => isWithin(anchor, file, this))) return file;
      const folder = links === MAX_LINKS ? this.realPath(parent) : this.#resolve(parent, links);
      const stats = this.#look(file);
      if (stats?.isSymbolicLink() !== true) {
        const name = path.posix.basename(file);
        return below(folder, stats === null ? name : name.normalize('NFC'));
      }
    }
    const whole = quietly(() => realpathSync.native(file));
    if (whole !== null) return this.#own(whole);
    if (parent === file || links === 0) return file;
    const target = this.#look(file)?.isSymbolicLink() === true ? quietly(() => readlinkSync(file)) : null;
    // A link whose target is not there yet: writing through it would create the target.
    if (target !== null) return this.#resolve(joinPath(parent, target, this.platform), links - 1);
    return below(this.#resolve(parent, links), path.posix.basename(file));
  }

  readText(file: string): string | null {
    if (!this.#isKnown(file) || this.#look(file) === null) return null;
    return remember(this.#texts, file, () => readSmallText(file));
  }

  sizeBytes(file: string): number | null {
    return this.#isKnown(file) ? (this.#look(file)?.size ?? null) : null;
  }

  list(file: string): readonly string[] | null {
    if (!this.#isKnown(file) || this.#look(file) === null) return null;
    return remember(this.#names, file, () => quietly(() => readdirSync(file).slice(0, MAX_NAMES)));
  }

  #status(repository: Repository, file: string): readonly StatusEntry[] | null {
    return remember(this.#statuses, file, () => gitStatus(repository.root, file));
  }

  gitState(file: string): GitState {
    if (!this.#isKnown(file)) return 'unknown';
    const repository = this.repository(file);
    if (repository === null) return 'none';
    const entries = this.#status(repository, file);
    if (entries === null) return 'unknown';
    const followed = entries.length > 0 && isFollowed(repository.root, file);
    return summarise(entries, file, { exists: this.#look(file) !== null, isFollowed: followed });
  }

  uncommitted(file: string): readonly string[] | null {
    const repository = this.#isKnown(file) ? this.repository(file) : null;
    const entries = repository === null ? null : this.#status(repository, file);
    if (entries === null) return null;
    return entries
      .filter((entry) => entry.state !== 'ignored')
      .slice(0, MAX_UNCOMMITTED)
      .map((entry) => entry.path);
  }

  repository(file: string): Repository | null {
    if (!this.#isKnown(file)) return null;
    const folder = this.#look(file)?.isDirectory() === true ? file : path.posix.dirname(file);
    return this.#repositoryOver(folder);
  }

  #repositoryOver(folder: string): Repository | null {
    return remember(this.#repositories, folder, () => {
      const own = this.#look(folder) === null ? null : repositoryIn(folder);
      const parent = path.posix.dirname(folder);
      return own ?? (parent === folder ? null : this.#repositoryOver(parent));
    });
  }

  environment(name: string): string | null | undefined {
    if (name === 'HOME' || (name === 'USERPROFILE' && this.platform === 'win32')) return this.home;
    return this.#environment === 'process' ? (process.env[name] ?? null) : undefined;
  }
}

/** The remembered answer, or a new one that is remembered from now on. */
function remember<T>(memory: Map<string, T>, key: string, look: () => T): T {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const answer = look();
  memory.set(key, answer);
  return answer;
}

/** A fresh look at the world: remembers what it saw, for one decision, and changes nothing. */
export const lookAtFileSystem = (options: FactsOptions): Facts => new FileSystemFacts(options);
