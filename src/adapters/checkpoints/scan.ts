import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Dirent,
  type Stats,
} from 'node:fs';
import { isSystemError, sha256 } from './disk.js';
import { IgnoreRules } from './ignored.js';
import type { Batch } from './objects.js';
import { encodeTree, type TreeRow } from './tree.js';

/** How much is taken into a checkpoint. */
export interface ScanLimits {
  /** Larger files are kept by reference. */
  readonly largeBytes: number;
  /** Larger ignored files are left out. */
  readonly ignoredFileBytes: number;
  /** An ignored folder with more in it is left out as a whole. */
  readonly ignoredFolderFiles: number;
  readonly ignoredFolderBytes: number;
  /** Files of one workspace folder. */
  readonly files: number;
}

export const SCAN_LIMITS: ScanLimits = {
  largeBytes: 16 * 1024 * 1024,
  ignoredFileBytes: 1024 * 1024,
  ignoredFolderFiles: 500,
  ignoredFolderBytes: 16 * 1024 * 1024,
  files: 200_000,
};

/** Keeps the bytes of large files somewhere, if that costs nothing. */
export interface LargeFiles {
  keep(file: string, sample: string, seen: Stats): Promise<'clone' | 'link' | 'no'>;
}

/** What was seen of a file or link, so that an unchanged one need not be read again. */
export interface SeenFile {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly sizeBytes: number;
  readonly mode: number;
  readonly row: TreeRow;
}

/** What was seen of a folder. `names` hold while its time of change does. */
export interface SeenFolder {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly row: TreeRow;
  readonly names: readonly SeenName[];
  readonly files: ReadonlyMap<string, SeenFile>;
  readonly folders: ReadonlyMap<string, SeenFolder>;
  readonly hash: string;
  readonly fileCount: number;
  readonly sizeBytes: number;
}

/** A name in a folder, and what it was when the folder was listed. */
export interface SeenName {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'special';
  readonly isIgnored: boolean;
}

/**
 * Times closer to now than this do not prove anything: a file can change twice within one tick of its clock. Source: git's
 * "racy git" problem; two seconds is the coarsest clock of file systems in use (FAT).
 */
const RACY_MS = 2_000;
/** Times after this prove nothing in a pass that began then. */
export const racyFrom = (startedAtMs: number): number => startedAtMs - RACY_MS;

/** Folders with the files that were compared and found as they were. */
type Untouched = ReadonlyMap<string, ReadonlyMap<string, SeenFile>>;

/** How long the scan holds the thread before it gives way. */
const BREATH_MS = 12;
/** Folders that package managers and builds fill, and can fill again. */
const REBUILT: ReadonlySet<string> = new Set([
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  '.tox',
  '.gradle',
  '.terraform',
]);
const OWN_TEMPORARY = /^\.lacuna-\d+-[0-9a-f]{12}\.tmp$/;

const PERMISSIONS = 0o7777;
const SAMPLE_BYTES = 64 * 1024;

const typeOf = (entry: Dirent): SeenName['type'] => {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
};

/** Where a folder stands in the pass. `isAnew`: a rule above has changed, so every name is judged again. */
interface Place {
  /** Empty at the top. */
  readonly name: string;
  readonly rules: IgnoreRules;
  readonly isAnew: boolean;
}

/** Whether the `.gitignore` here is another than the one by which names were judged. */
function haveRulesChanged(folder: string, names: readonly SeenName[], known: SeenFolder | null): boolean {
  const old = known?.files.get('.gitignore');
  const isThere = names.some(({ name }) => name === '.gitignore');
  if (!isThere || old === undefined) return known !== null && isThere !== (old !== undefined);
  const now = lookAt(`${folder}/.gitignore`);
  return now === null || !isUntouched(old, now);
}

/** One pass over a workspace folder. */
export class Scan {
  readonly #batch: Batch;
  readonly #limits: ScanLimits;
  readonly #large: LargeFiles;
  readonly #startedAtMs: number;
  readonly #untouched: Untouched | null;
  #breathAt = performance.now() + BREATH_MS;
  #files = 0;
  #steps = 0;

  /** `untouched`: folders whose files have been compared with what is known already; null when none have. */
  constructor(
    batch: Batch,
    limits: ScanLimits,
    large: LargeFiles,
    startedAtMs: number,
    untouched: Untouched | null = null,
  ) {
    this.#batch = batch;
    this.#limits = limits;
    this.#large = large;
    this.#startedAtMs = startedAtMs;
    this.#untouched = untouched;
  }

  /** Takes in a workspace folder. `known`: what the last pass saw. New content goes into the batch. */
  async root(folder: string, known: SeenFolder | null): Promise<SeenFolder | null> {
    const stats = lookAt(folder);
    if (stats?.isDirectory() !== true) return null;
    return this.#folder(folder, { name: '', rules: IgnoreRules.at(folder), isAnew: false }, stats, known);
  }

  /** Whether a time is so recent that a later change may not show in it. */
  #isRacy(stats: Pick<Stats, 'mtimeMs' | 'ctimeMs'>): boolean {
    return Math.max(stats.mtimeMs, stats.ctimeMs) > racyFrom(this.#startedAtMs);
  }

  async #breathe(): Promise<void> {
    this.#steps += 1;
    if (this.#steps % 16 !== 0 || performance.now() < this.#breathAt) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#breathAt = performance.now() + BREATH_MS;
  }

  /** Names in a folder: the known ones while nothing was added or removed. Not yet judged by any rule. */
  #list(folder: string, stats: Stats, known: SeenFolder | null): readonly SeenName[] {
    const isSame = known !== null && known.mtimeMs === stats.mtimeMs && known.ino === stats.ino && !this.#isRacy(stats);
    if (isSame) return known.names;
    return list(folder)
      .filter(({ name }) => !OWN_TEMPORARY.test(name) && !name.includes('\ufffd'))
      .map((entry) => ({ name: entry.name, type: typeOf(entry), isIgnored: false }));
  }

  /** Judges which names are ignored, as far as that is not known from the last pass. */
  #judged(
    folder: string,
    names: readonly SeenName[],
    known: SeenFolder | null,
    rules: IgnoreRules,
  ): readonly SeenName[] {
    if (names === known?.names) return names;
    const before = new Map(known?.names.map((one) => [one.name, one]));
    return names.map((one): SeenName => {
      const old = before.get(one.name);
      if (old?.type === one.type) return old;
      const isIgnored = REBUILT.has(one.name) || rules.isIgnored(`${folder}/${one.name}`, one.type === 'folder');
      return { ...one, isIgnored };
    });
  }

  async #folder(folder: string, place: Place, stats: Stats, known: SeenFolder | null): Promise<SeenFolder> {
    const listed = this.#list(folder, stats, known);
    const isRepository = listed.some(({ name }) => name === '.git');
    if (isRepository && place.name !== '') return leaf(stats, ['r', place.name]);
    const hasRules = place.name !== '' && listed.some(({ name }) => name === '.gitignore');
    const rules = place.rules.within(folder, hasRules);
    const isAnew = place.isAnew || haveRulesChanged(folder, listed, known);
    const names = this.#judged(folder, listed, isAnew && known !== null ? { ...known, names: [] } : known, rules);
    const isSame = known !== null && names === known.names && this.#areUntouched(folder, known);
    const files = isSame ? known.files : await this.#filesIn(folder, names, known);
    const folders = await this.#foldersIn(folder, names, known, { rules, isAnew });
    const { mtimeMs, ctimeMs, ino } = stats;
    const mode = stats.mode & PERMISSIONS;
    if (isSame && folders === known.folders && known.ctimeMs === ctimeMs && known.mtimeMs === mtimeMs) return known;
    const hash = await this.#tree([...files.values(), ...folders.values()].map(rowOf), known);
    const row: TreeRow = ['d', place.name, mode, hash];
    const inner = [...folders.values()];
    const fileCount = files.size + inner.reduce((sum, one) => sum + one.fileCount, 0);
    const sizeBytes = [...files.values(), ...inner].reduce((sum, one) => sum + one.sizeBytes, 0);
    return { mtimeMs, ctimeMs, ino, row, names, files, folders, hash, fileCount, sizeBytes };
  }

  /** Whether all files of a folder are what they were. The way that nearly every folder takes, so it looks and does no more. */
  #areUntouched(folder: string, known: SeenFolder): boolean {
    if (this.#untouched?.get(folder) === known.files) {
      this.#files += known.files.size;
      return true;
    }
    for (const [name, file] of known.files) {
      const stats = lookAt(`${folder}/${name}`);
      if (stats === null || !isUntouched(file, stats) || this.#isRacy(stats)) return false;
    }
    this.#files += known.files.size;
    return true;
  }

  async #filesIn(
    folder: string,
    names: readonly SeenName[],
    known: SeenFolder | null,
  ): Promise<ReadonlyMap<string, SeenFile>> {
    const files = new Map<string, SeenFile>();
    for (const one of names) {
      if (one.type === 'folder' || one.name === '.git') continue;
      await this.#breathe();
      const file = await this.#file(`${folder}/${one.name}`, one, known?.files.get(one.name) ?? null);
      if (file !== null) files.set(one.name, file);
    }
    return files;
  }

  /** Folders in a folder; the very map that is known when nothing in any of them differs. */
  async #foldersIn(
    folder: string,
    names: readonly SeenName[],
    known: SeenFolder | null,
    place: Pick<Place, 'rules' | 'isAnew'>,
  ): Promise<ReadonlyMap<string, SeenFolder>> {
    const folders = new Map<string, SeenFolder>();
    let isSame = true;
    for (const one of names) {
      if (one.type !== 'folder' || one.name === '.git') continue;
      await this.#breathe();
      const before = known?.folders.get(one.name) ?? null;
      const inner = await this.#inner(`${folder}/${one.name}`, one, before, { ...place, name: one.name });
      if (inner !== null) folders.set(one.name, inner);
      isSame &&= inner === before;
    }
    return known !== null && isSame && folders.size === known.folders.size ? known.folders : folders;
  }

  /** Adds the tree of a folder, unless it is the one that is known. */
  async #tree(rows: readonly TreeRow[], seen: SeenFolder | null): Promise<string> {
    const isSame =
      seen !== null &&
      rows.length === seen.files.size + seen.folders.size &&
      rows.every((row) => isKnownRow(row, seen));
    return isSame && seen.hash !== '' ? seen.hash : this.#batch.add(encodeTree(rows));
  }

  /** A folder in a folder: an ignored one with its limits, or an ordinary one. */
  async #inner(
    at: string,
    { name, isIgnored }: SeenName,
    known: SeenFolder | null,
    place: Place,
  ): Promise<SeenFolder | null> {
    const stats = lookAt(at);
    if (stats?.isDirectory() !== true) return null;
    if (isIgnored) {
      if (REBUILT.has(name)) return leaf(stats, ['o', name, 'made by a build or package manager']);
      const isDecided = !place.isAnew && known !== null && known.mtimeMs === stats.mtimeMs && known.ino === stats.ino;
      const isLeftOut = isDecided ? known.row[0] === 'o' : this.#isTooLarge(at);
      if (isLeftOut) return leaf(stats, ['o', name, 'ignored and large']);
    }
    if (this.#files > this.#limits.files) return leaf(stats, ['o', name, 'too many files']);
    return this.#folder(at, place, stats, known);
  }

  /** Whether an ignored folder holds more than is taken in. Stops counting there. */
  #isTooLarge(folder: string): boolean {
    let { ignoredFolderFiles: files, ignoredFolderBytes: bytes } = this.#limits;
    const queue = [folder];
    for (let at = queue.pop(); at !== undefined; at = queue.pop())
      for (const entry of list(at)) {
        const file = `${at}/${entry.name}`;
        files -= 1;
        if (entry.isDirectory()) queue.push(file);
        else bytes -= lookAt(file)?.size ?? 0;
        if (files < 0 || bytes < 0) return true;
      }
    return false;
  }

  async #file(at: string, one: SeenName, known: SeenFile | null): Promise<SeenFile | null> {
    const stats = lookAt(at);
    if (stats === null) return null; // gone since the folder was listed
    this.#files += 1;
    if (known !== null && isUntouched(known, stats) && !this.#isRacy(stats)) return known;
    const row = await this.#row(at, one, stats);
    if (row === null) return null;
    const { mtimeMs, ctimeMs, ino, size, mode } = stats;
    return { mtimeMs, ctimeMs, ino, sizeBytes: size, mode, row };
  }

  async #row(at: string, { name, isIgnored }: SeenName, stats: Stats): Promise<TreeRow | null> {
    if (stats.isSymbolicLink()) return linkRow(at, name);
    if (!stats.isFile()) return ['o', name, 'neither file, folder nor link'];
    const mode = stats.mode & PERMISSIONS;
    if (isIgnored && stats.size > this.#limits.ignoredFileBytes) return ['o', name, 'ignored and large'];
    if (stats.size > this.#limits.largeBytes) {
      const sample = sampleOf(at, stats);
      if (sample === null) return ['o', name, 'not readable'];
      return ['L', name, mode, stats.size, stats.mtimeMs, sample, await this.#large.keep(at, sample, stats)];
    }
    const bytes = readFile(at, this.#limits.largeBytes);
    if (bytes === null) return ['o', name, 'not readable'];
    return ['f', name, mode, bytes.length, await this.#batch.add(bytes)];
  }
}

/** Whether a row is the very one that was seen before. */
function isKnownRow(row: TreeRow, seen: SeenFolder): boolean {
  const file = seen.files.get(row[1]);
  if (file !== undefined) return file.row === row || isSameRow(file.row, row);
  const folder = seen.folders.get(row[1]);
  return folder !== undefined && isSameRow(folder.row, row);
}

const rowOf = ({ row }: { readonly row: TreeRow }): TreeRow => row;

const isSameRow = (a: TreeRow, b: TreeRow): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

/** A folder that is not looked into. */
const leaf = ({ mtimeMs, ctimeMs, ino }: Stats, row: TreeRow): SeenFolder => ({
  mtimeMs,
  ctimeMs,
  ino,
  row,
  names: [],
  files: new Map(),
  folders: new Map(),
  hash: '',
  fileCount: 0,
  sizeBytes: 0,
});

const isUntouched = (known: SeenFile, now: Stats): boolean =>
  known.mtimeMs === now.mtimeMs &&
  known.ctimeMs === now.ctimeMs &&
  known.sizeBytes === now.size &&
  known.ino === now.ino &&
  known.mode === now.mode;

function lookAt(file: string): Stats | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}

function list(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

function linkRow(at: string, name: string): TreeRow | null {
  try {
    return ['l', name, readlinkSync(at)];
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}

/** All bytes of a regular file, no link followed; null when it cannot be read or has grown too large. */
function readFile(file: string, capBytes: number): Buffer | null {
  return withHandle(file, (handle, size) => {
    let bytes = Buffer.allocUnsafe(size + 1);
    let at = 0;
    for (;;) {
      const count = readSync(handle, bytes, at, bytes.length - at, null);
      at += count;
      if (count === 0) return bytes.subarray(0, at);
      if (at > capBytes) return null;
      if (at === bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2);
    }
  });
}

/** What tells a large file from another without reading all of it: size, time, and parts of it. */
function sampleOf(file: string, { size, mtimeMs, ino }: Stats): string | null {
  return withHandle(file, (handle) => {
    const parts = [0, Math.floor(size / 2), Math.max(0, size - SAMPLE_BYTES)].map((from) => {
      const bytes = Buffer.alloc(SAMPLE_BYTES);
      return bytes.subarray(0, readSync(handle, bytes, 0, SAMPLE_BYTES, from));
    });
    return sha256(Buffer.concat([Buffer.from(`${String(size)} ${String(mtimeMs)} ${String(ino)}\n`), ...parts]));
  });
}

function withHandle<T>(file: string, use: (handle: number, size: number) => T | null): T | null {
  let handle: number | null = null;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(handle);
    return stats.isFile() ? use(handle, stats.size) : null;
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  } finally {
    if (handle !== null) closeSync(handle);
  }
}
