import {
  constants,
  copyFileSync,
  createReadStream,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { isSystemError } from './disk.js';
import type { LargeFiles } from './scan.js';

/** Where blocks cannot be shared, files up to this size are copied: a second name would not survive a change in place. */
const COPY_BYTES = 64 * 1024 * 1024;
/** Larger files are not hashed: for these a second name counts as unchanged while size and time are. */
const HASH_BYTES = 4 * 1024 ** 3;
const UNHASHED = 'unhashed';

/**
 * Large files beside the objects. A clone where the file system can share blocks, or a copy of a moderate one: both hold whatever
 * happens to the file. Else a second name, which brings the file back after it was deleted, moved or replaced; since a change in
 * place changes it too, its content is hashed when it is kept and again before it is given back.
 */
export class LargeStore implements LargeFiles {
  readonly #folder: string;
  readonly #copyBytes: number;
  #addedBytes = 0;

  constructor(folder: string, copyBytes = COPY_BYTES) {
    this.#folder = folder;
    this.#copyBytes = copyBytes;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  async keep(file: string, sample: string, seen: Stats): Promise<'clone' | 'link' | 'no'> {
    const clone = this.#clone(sample);
    if (existsSync(clone)) return 'clone';
    if (this.#linkOf(sample) !== null) return 'link';
    if (this.#copy(file, clone, seen)) return 'clone';
    const hash = seen.size > HASH_BYTES ? UNHASHED : await hashOf(file);
    const second = path.join(this.#folder, `${sample}.${hash ?? ''}.link`);
    const isLinked = hash !== null && attempt(() => linkSync(file, second));
    if (isLinked && isUntouched(second, seen)) return 'link';
    if (isLinked) rmSync(second, { force: true });
    return 'no';
  }

  #clone(sample: string): string {
    return path.join(this.#folder, `${sample}.clone`);
  }

  /** The second name that was given to a large file, with the hash of its content; null when there is none. */
  #linkOf(sample: string): { readonly path: string; readonly hash: string } | null {
    const name = readdirSync(this.#folder).find((one) => one.startsWith(`${sample}.`) && one.endsWith('.link'));
    return name === undefined ? null : { path: path.join(this.#folder, name), hash: name.split('.')[1] ?? '' };
  }

  /** A copy that is whole and of the very content that was seen, or none. */
  #copy(file: string, clone: string, seen: Stats): boolean {
    const beside = `${clone}.${String(process.pid)}.tmp`;
    const how = seen.size > this.#copyBytes ? constants.COPYFILE_FICLONE_FORCE : constants.COPYFILE_FICLONE;
    const isCopied = attempt(() => copyFileSync(file, beside, how | constants.COPYFILE_EXCL));
    if (isCopied && isUntouched(file, seen)) {
      renameSync(beside, clone);
      this.#addedBytes += seen.size;
      return true;
    }
    rmSync(beside, { force: true });
    return false;
  }

  /** Where the bytes of a sample are; null when they are not kept, or are no longer what they were. */
  async find(sample: string, size: number, mtimeMs: number): Promise<string | null> {
    const clone = this.#clone(sample);
    if (existsSync(clone)) return clone;
    const link = this.#linkOf(sample);
    if (link === null) return null;
    const now = lstatSync(link.path, { throwIfNoEntry: false });
    if (now?.size !== size) return null;
    if (link.hash === UNHASHED) return now.mtimeMs === mtimeMs ? link.path : null;
    return (await hashOf(link.path)) === link.hash ? link.path : null;
  }

  /** Bytes that are held by the store alone. */
  sizeBytes(): number {
    return readdirSync(this.#folder).reduce((sum, name) => {
      const stats = lstatSync(path.join(this.#folder, name));
      return sum + (stats.nlink === 1 ? stats.size : 0);
    }, 0);
  }

  /** Bytes that were added since this was asked the last time. */
  takeAddedBytes(): number {
    const added = this.#addedBytes;
    this.#addedBytes = 0;
    return added;
  }

  keepOnly(samples: ReadonlySet<string>): void {
    for (const name of readdirSync(this.#folder))
      if (!samples.has(name.split('.')[0] ?? '')) rmSync(path.join(this.#folder, name), { force: true });
  }
}

/** Whether a file is what was seen, as far as size and time tell. */
function isUntouched(file: string, seen: Stats): boolean {
  const now = lstatSync(file, { throwIfNoEntry: false });
  return now?.size === seen.size && now.mtimeMs === seen.mtimeMs && now.ino === seen.ino;
}

/** SHA-256 of a file's bytes, read in the background; null when it cannot be read to its end. */
async function hashOf(file: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    for await (const chunk of createReadStream('', { fd, highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}

function attempt(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (isSystemError(error)) return false; // another file system, or one without clones or links, or a full one
    throw error;
  }
}
