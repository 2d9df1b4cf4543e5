import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { ownFolder } from '../adapters/stateFolder.js';

/** Runs that write a cache: each adds what it was the first to compile. */
const MOST_RUNS = 3;
/** A cache above this is none of ours. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Code that V8 has compiled, by the name of the file that it comes from. */
export interface CodeCache {
  /** How many runs have written to it. */
  readonly runs: number;
  readonly parts: ReadonlyMap<string, Buffer>;
}

/** No compiled code at hand: everything is compiled anew. */
export const EMPTY_CACHE: CodeCache = { runs: 0, parts: new Map() };

/** Whether another run may add something to a cache. */
export const isComplete = ({ runs }: CodeCache): boolean => runs >= MOST_RUNS;

/**
 * Compiled code from a file. It is run as it is, so it must be as hard to come by as the program itself: a plain file in a
 * plain folder, both the owner's, and nobody else's to read or write. The checksum tells a damaged one, which V8 would not.
 * Anything else is no cache.
 */
export function readCodeCache(file: string): CodeCache {
  try {
    if (!isOwn(lstatSync(path.dirname(file)))) return EMPTY_CACHE;
    const handle = openSync(file, 'r');
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile() || !isOwn(stats) || stats.size > MAX_BYTES) return EMPTY_CACHE;
      return parse(readFileSync(handle)) ?? EMPTY_CACHE;
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (isSystemError(error)) return EMPTY_CACHE;
    throw error;
  }
}

/**
 * Writes compiled code whole or not at all, and removes that of earlier builds. Where nothing can be written (no home, a
 * read-only disk) the next start is as slow as this one was.
 */
export function writeCodeCache(file: string, cache: CodeCache): void {
  const folder = path.dirname(file);
  const draft = `${file}.${process.pid}`;
  try {
    ownFolder(folder);
    writeFileSync(draft, serialise(cache), { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
    const build = buildOf(file);
    for (const name of readdirSync(folder))
      if (buildOf(name) !== build) rmSync(path.join(folder, name), { force: true });
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}

/** Files of one build and one Node begin alike, up to the last dash. */
const buildOf = (file: string): string => path.basename(file).replace(/-[^-]*$/, '');

const isOwn = ({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean =>
  process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);

const isSystemError = (error: unknown): boolean => error instanceof Error && 'code' in error;

/** Line one: length of the header, checksum of all that follows it. Line two: the header. Then the parts, one after another. */
function serialise({ runs, parts }: CodeCache): Buffer {
  const sizes = [...parts].map(([name, bytes]) => [name, bytes.length] as const);
  const body = Buffer.concat([Buffer.from(`${JSON.stringify({ runs, sizes })}\n`), ...parts.values()]);
  return Buffer.concat([Buffer.from(`${crc32(body).toString(16).padStart(8, '0')}\n`), body]);
}

const CHECKSUM_LENGTH = 9;

/** Null when the bytes are not what was written. */
function parse(bytes: Buffer): CodeCache | null {
  const body = bytes.subarray(CHECKSUM_LENGTH);
  if (parseInt(bytes.toString('latin1', 0, CHECKSUM_LENGTH - 1), 16) !== crc32(body)) return null;
  const end = body.indexOf('\n');
  const { runs, sizes } = JSON.parse(body.toString('utf8', 0, end)) as {
    readonly runs: number;
    readonly sizes: readonly (readonly [string, number])[];
  };
  const parts = new Map<string, Buffer>();
  let at = end + 1;
  for (const [name, size] of sizes) {
    parts.set(name, body.subarray(at, at + size));
    at += size;
  }
  return { runs, parts };
}
