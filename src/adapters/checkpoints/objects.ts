import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { isSystemError, sha256, syncFolder } from './disk.js';

/** Where an object lies: in which segment, in which packed block of it, and where in the unpacked block. */
interface Location {
  readonly segment: string;
  readonly blockOffset: number;
  readonly blockBytes: number;
  readonly offset: number;
  readonly sizeBytes: number;
}

const MAGIC = Buffer.from('LACSEG1\n');
/** Hash, block offset, block size, offset in the block, size. */
const ROW_BYTES = 32 + 8 + 4 + 4 + 4;
/** Number of rows, then the magic again: a file without it was not finished. */
const TRAILER_BYTES = 8 + MAGIC.length;
/** Small files are packed together up to this size: one block is one call of the packer. */
const BLOCK_BYTES = 512 * 1024;
const OPEN_BLOCKS = 8;
/** A segment in the making that is older than this was left by a process that died. */
const ABANDONED_MS = 60 * 60_000;

const pack = promisify(deflateRaw);

/** Reads exactly so many bytes; throws when the file is shorter. */
function readAt(handle: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length;) {
    const count = readSync(handle, bytes, at, length - at, offset + at);
    if (count === 0) throw new Error('segment is cut short');
    at += count;
  }
  return bytes;
}

/** The rows of a finished segment; null for one that was not finished or is damaged. */
function readIndex(file: string): { readonly hash: string; readonly location: Location }[] | null {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    if (size < MAGIC.length + TRAILER_BYTES) return null;
    const trailer = readAt(handle, size - TRAILER_BYTES, TRAILER_BYTES);
    if (!trailer.subarray(8).equals(MAGIC)) return null;
    const count = Number(trailer.readBigUInt64LE(0));
    const start = size - TRAILER_BYTES - count * ROW_BYTES;
    if (start < MAGIC.length) return null;
    const rows = readAt(handle, start, count * ROW_BYTES);
    const segment = path.basename(file);
    return Array.from({ length: count }, (_unused, index) => {
      const at = index * ROW_BYTES;
      return {
        hash: rows.toString('hex', at, at + 32),
        location: {
          segment,
          blockOffset: Number(rows.readBigUInt64LE(at + 32)),
          blockBytes: rows.readUInt32LE(at + 40),
          offset: rows.readUInt32LE(at + 44),
          sizeBytes: rows.readUInt32LE(at + 48),
        },
      };
    });
  } finally {
    closeSync(handle);
  }
}

/**
 * Content-addressed objects in append-only segments: each batch of new objects becomes one file that is whole or is not there.
 * Much faster than a file for each object, and nothing to repair after a crash.
 */
export class ObjectStore {
  readonly #folder: string;
  readonly #known = new Map<string, Location>();
  readonly #segments = new Set<string>();
  readonly #blocks = new Map<string, Buffer>();

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.refresh();
  }

  /** Takes in segments that another process has added, and forgets those that it has removed. */
  refresh(): void {
    const names = new Set(readdirSync(this.#folder).filter((name) => name.endsWith('.seg')));
    for (const name of this.#segments) if (!names.has(name)) this.#forget(name);
    for (const name of names) if (!this.#segments.has(name)) this.#load(name);
  }

  #load(name: string): void {
    const rows = readIndex(path.join(this.#folder, name));
    if (rows === null) return; // damaged: its objects are missing, and reading them says so
    this.#segments.add(name);
    for (const { hash, location } of rows) if (!this.#known.has(hash)) this.#known.set(hash, location);
  }

  #forget(name: string): void {
    this.#segments.delete(name);
    for (const [hash, { segment }] of this.#known) if (segment === name) this.#known.delete(hash);
    for (const key of this.#blocks.keys()) if (key.startsWith(`${name}:`)) this.#blocks.delete(key);
  }

  has(hash: string): boolean {
    return this.#known.has(hash);
  }

  /** The bytes of an object, checked against its hash; null when it is not there or is damaged. */
  read(hash: string): Buffer | null {
    const location = this.#known.get(hash);
    if (!location) return null;
    try {
      const block = this.#block(location);
      const bytes = block.subarray(location.offset, location.offset + location.sizeBytes);
      return sha256(bytes) === hash ? bytes : null;
    } catch (error) {
      if (error instanceof Error) return null; // cut short or not to be unpacked: damaged
      throw error;
    }
  }

  #block({ segment, blockOffset, blockBytes }: Location): Buffer {
    const key = `${segment}:${String(blockOffset)}`;
    const known = this.#blocks.get(key);
    if (known) return known;
    const handle = openSync(path.join(this.#folder, segment), 'r');
    try {
      const block = inflateRawSync(readAt(handle, blockOffset, blockBytes));
      const [oldest] = this.#blocks.keys();
      if (this.#blocks.size >= OPEN_BLOCKS && oldest !== undefined) this.#blocks.delete(oldest);
      this.#blocks.set(key, block);
      return block;
    } finally {
      closeSync(handle);
    }
  }

  /** A batch of new objects. Nothing of it is there until it is committed. */
  begin(): Batch {
    return new Batch(
      this.#folder,
      (hash) => this.#known.has(hash),
      (name) => {
        this.#load(name);
      },
    );
  }

  /** Bytes that the segments take on disk. */
  sizeBytes(): number {
    return [...this.#segments].reduce((sum, name) => sum + sizeOf(path.join(this.#folder, name)), 0);
  }

  /**
   * Drops all objects that are not wanted. A segment that holds mostly wanted ones stays as it is; the wanted ones of the others
   * are written anew first, so that a crash at any point loses nothing.
   */
  async keepOnly(wanted: ReadonlySet<string>): Promise<void> {
    const bySegment = new Map<string, string[]>();
    const liveBytes = new Map<string, number>();
    const totalBytes = new Map<string, number>();
    for (const [hash, { segment, sizeBytes }] of this.#known) {
      totalBytes.set(segment, (totalBytes.get(segment) ?? 0) + sizeBytes);
      if (!wanted.has(hash)) continue;
      liveBytes.set(segment, (liveBytes.get(segment) ?? 0) + sizeBytes);
      const hashes = bySegment.get(segment);
      if (hashes) hashes.push(hash);
      else bySegment.set(segment, [hash]);
    }
    const isThin = (name: string): boolean => (liveBytes.get(name) ?? 0) < (totalBytes.get(name) ?? 0) / 2;
    const thin = [...this.#segments].filter((name) => !bySegment.has(name) || isThin(name));
    if (thin.length === 0) return;
    const moved = new Batch(
      this.#folder,
      () => false,
      () => undefined,
    );
    for (const name of thin)
      for (const hash of bySegment.get(name) ?? []) {
        const bytes = this.read(hash);
        if (bytes !== null) await moved.add(Buffer.from(bytes), hash);
      }
    await moved.commit();
    for (const name of thin) rmSync(path.join(this.#folder, name), { force: true });
    for (const name of thin) this.#forget(name);
    this.refresh();
    for (const name of this.#segments) this.#load(name);
  }

  /** Removes what a process that died left half made. */
  sweep(nowMs: number): void {
    for (const name of readdirSync(this.#folder)) {
      if (!name.endsWith('.tmp')) continue;
      const file = path.join(this.#folder, name);
      if (nowMs - statSync(file).mtimeMs > ABANDONED_MS) rmSync(file, { force: true });
    }
  }

  /** Hashes whose bytes are damaged or gone. Reads everything. */
  verify(): readonly string[] {
    return [...this.#known.keys()].filter((hash) => this.read(hash) === null);
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch (error) {
    if (isSystemError(error)) return 0;
    throw error;
  }
}

/** New objects on their way into one segment. */
export class Batch {
  readonly #folder: string;
  readonly #isKnown: (hash: string) => boolean;
  readonly #onCommit: (name: string) => void;
  readonly #added = new Set<string>();
  readonly #rows: Buffer[] = [];
  #block: { readonly hash: string; readonly bytes: Buffer }[] = [];
  #blockBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #file: { readonly path: string; readonly handle: number } | null = null;
  #offset = 0;

  constructor(folder: string, isKnown: (hash: string) => boolean, onCommit: (name: string) => void) {
    this.#folder = folder;
    this.#isKnown = isKnown;
    this.#onCommit = onCommit;
  }

  get isEmpty(): boolean {
    return this.#added.size === 0;
  }

  /** Adds bytes under their hash, unless they are there already. Returns the hash. The bytes must not change afterwards. */
  async add(bytes: Buffer, hash = sha256(bytes)): Promise<string> {
    if (this.#isKnown(hash) || this.#added.has(hash)) return hash;
    this.#added.add(hash);
    this.#block.push({ hash, bytes });
    this.#blockBytes += bytes.length;
    if (this.#blockBytes >= BLOCK_BYTES) await this.#flush();
    return hash;
  }

  /** Packs the block at hand and writes it. Packing of one block goes on while the next is filled. */
  async #flush(): Promise<void> {
    const block = this.#block;
    this.#block = [];
    this.#blockBytes = 0;
    if (block.length === 0) return;
    const before = this.#writing;
    const packing = pack(Buffer.concat(block.map(({ bytes }) => bytes)), { level: 1 });
    this.#writing = (async () => {
      const packed = await packing;
      await before;
      this.#write(packed, block);
    })();
    await before; // one block is packed while one is filled, and no more
  }

  #write(packed: Buffer, block: readonly { readonly hash: string; readonly bytes: Buffer }[]): void {
    this.#file ??= this.#open();
    let offset = 0;
    for (const { hash, bytes } of block) {
      const row = Buffer.alloc(ROW_BYTES);
      row.write(hash, 0, 'hex');
      row.writeBigUInt64LE(BigInt(this.#offset), 32);
      row.writeUInt32LE(packed.length, 40);
      row.writeUInt32LE(offset, 44);
      row.writeUInt32LE(bytes.length, 48);
      this.#rows.push(row);
      offset += bytes.length;
    }
    this.#append(packed);
  }

  #open(): { readonly path: string; readonly handle: number } {
    const file = path.join(this.#folder, `${String(process.pid)}-${randomBytes(6).toString('hex')}.tmp`);
    const handle = openSync(file, 'wx', 0o600);
    this.#file = { path: file, handle };
    this.#append(MAGIC);
    return this.#file;
  }

  #append(bytes: Buffer): void {
    const handle = this.#file?.handle;
    if (handle === undefined) return;
    for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
    this.#offset += bytes.length;
  }

  /** Makes all added objects part of the store, on disk, in one step. */
  async commit(): Promise<void> {
    await this.#flush();
    await this.#writing;
    if (this.#file === null) return;
    const trailer = Buffer.alloc(TRAILER_BYTES);
    trailer.writeBigUInt64LE(BigInt(this.#rows.length), 0);
    MAGIC.copy(trailer, 8);
    this.#append(Buffer.concat([...this.#rows, trailer]));
    const { path: file, handle } = this.#file;
    fsyncSync(handle);
    closeSync(handle);
    this.#file = null;
    const name = `${path.basename(file, '.tmp')}.seg`;
    renameSync(file, path.join(this.#folder, name));
    syncFolder(this.#folder);
    this.#onCommit(name);
  }

  /** Throws everything away that was added. */
  async discard(): Promise<void> {
    this.#block = [];
    await this.#writing;
    if (this.#file === null) return;
    closeSync(this.#file.handle);
    if (existsSync(this.#file.path)) rmSync(this.#file.path);
    this.#file = null;
  }
}
