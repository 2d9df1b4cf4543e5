import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { err, ok, type Result } from '../../core/result.js';
import { isSystemError } from '../fill.js';
import { isUntouched, lookAt, type Folder } from './folder.js';

/** Names of files that are being written, before they take their place: process id and a random part. */
const TEMPORARY = /^\.lacuna-(\d+)-[0-9a-f]{12}\.tmp$/;

/** Whether a name is that of a file being written; checkpoints and searches pass it over. */
export const isTemporaryName = (name: string): boolean => TEMPORARY.test(name);

const temporaryName = (): string => `.lacuna-${String(process.pid)}-${randomBytes(6).toString('hex')}.tmp`;

/** Why a file could not be read. */
export type ReadError = 'absent' | 'not-a-file' | 'too-large';

/** A file as it was read: its bytes, and its stats at that moment. */
export interface Snapshot {
  readonly bytes: Buffer;
  readonly stats: Stats;
}

/** Reads a handle to its end, up to a size. */
function readAll(handle: number, capBytes: number): Buffer {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total <= capBytes) {
    const chunk = Buffer.allocUnsafe(Math.min(1 << 20, capBytes + 1 - total));
    const count = readSync(handle, chunk, 0, chunk.length, null);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    total += count;
  }
  return Buffer.concat(chunks);
}

/**
 * Reads a regular file of a held folder; a link in its place is not followed, and a pipe is not waited for.
 * Stats are taken from the very handle that is read.
 */
export function readIn(folder: Folder, name: string, capBytes: number): Result<Snapshot, ReadError> {
  const seen = lookAt(folder.at(name));
  if (seen === null) return err('absent');
  if (!seen.isFile()) return err('not-a-file');
  const handle = openSync(folder.at(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) return err('not-a-file');
    if (stats.size > capBytes) return err('too-large');
    const bytes = readAll(handle, capBytes);
    return bytes.length > capBytes ? err('too-large') : ok({ bytes, stats });
  } finally {
    closeSync(handle);
  }
}

/** Gives a new file the mode and, where that is permitted, the owner of the one it replaces. */
function dress(handle: number, old: Stats): void {
  const fresh = fstatSync(handle);
  if (process.platform !== 'win32' && (fresh.uid !== old.uid || fresh.gid !== old.gid)) {
    try {
      fchownSync(handle, old.uid, old.gid);
    } catch (error) {
      if (!isSystemError(error)) throw error; // only the superuser may: the file is then the writer's own
    }
  }
  fchmodSync(handle, old.mode & 0o7777);
}

function writeAll(handle: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
}

/** A file that is whole on disk under a name of its own, and takes its place in one step or is thrown away. */
export class Pending {
  readonly #folder: Folder;
  readonly #name: string;
  readonly #temporary: string;
  readonly #old: Stats | null;

  private constructor(folder: Folder, name: string, temporary: string, old: Stats | null) {
    this.#folder = folder;
    this.#name = name;
    this.#temporary = temporary;
    this.#old = old;
  }

  /** Writes the bytes beside the target. `old` is what was seen in its place; null for nothing. `mode` only for new files. */
  static write(folder: Folder, name: string, bytes: Buffer, old: Stats | null, mode = 0o666): Pending {
    sweep(folder);
    const temporary = temporaryName();
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const handle = openSync(folder.at(temporary), flags, old === null ? mode : 0o600);
    const pending = new Pending(folder, name, temporary, old);
    let isWhole = false;
    try {
      writeAll(handle, bytes);
      if (old !== null) dress(handle, old);
      fsyncSync(handle);
      isWhole = true;
    } finally {
      closeSync(handle);
      if (!isWhole) pending.discard();
    }
    return pending;
  }

  /** Puts it in place if what stands there is still what was seen, the folder included. No await between look and act. */
  commit(): boolean {
    const now = lookAt(this.#folder.at(this.#name));
    const isAsSeen = this.#old === null ? now === null : now !== null && isUntouched(now, this.#old);
    if (!isAsSeen || !this.#folder.isStillThere()) {
      this.discard();
      return false;
    }
    renameSync(this.#folder.at(this.#temporary), this.#folder.at(this.#name));
    return true;
  }

  discard(): void {
    try {
      unlinkSync(this.#folder.at(this.#temporary));
    } catch (error) {
      if (!isSystemError(error) || error.code !== 'ENOENT') throw error; // gone already is as wanted
    }
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isSystemError(error) && error.code === 'EPERM'; // somebody else's process runs
  }
};

/** Takes away what a process that was killed in the middle of a write left in this folder. */
function sweep(folder: Folder): void {
  for (const name of readdirSync(folder.at('.'))) {
    const pid = TEMPORARY.exec(name)?.[1];
    if (pid === undefined || Number(pid) === process.pid || isRunning(Number(pid))) continue;
    try {
      unlinkSync(folder.at(name));
    } catch (error) {
      if (!isSystemError(error)) throw error; // not ours to remove, or gone already
    }
  }
}
