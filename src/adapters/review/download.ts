import { createHash, type Hash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { err, ok, type Result } from '../../core/result.js';

/** A model to be fetched: what it must be, byte for byte. */
export interface ModelSource {
  readonly url: string;
  readonly file: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** Why a model was not fetched. What was loaded so far is kept for the next try, but for `damaged`. */
export type DownloadFailure =
  | { readonly type: 'cancelled' }
  | { readonly type: 'no-room'; readonly needBytes: number; readonly freeBytes: number }
  | { readonly type: 'offline'; readonly detail: string }
  | { readonly type: 'proxy' }
  | { readonly type: 'refused'; readonly status: number }
  /** The server's certificate is not trusted: another stands between, or the machine lacks its issuer's. */
  | { readonly type: 'untrusted'; readonly detail: string }
  | { readonly type: 'interrupted'; readonly detail: string }
  /** Something else answers in the server's place, as the sign-in page of a network does. Nothing was written. */
  | { readonly type: 'other' }
  | { readonly type: 'damaged' }
  | { readonly type: 'disk'; readonly detail: string };

/** What a download needs: where to, whom to tell, and how the network is reached. */
export interface DownloadOptions {
  readonly folder: string;
  readonly cancel: AbortSignal;
  readonly progress: (loadedBytes: number, allBytes: number) => void;
  readonly fetch?: typeof fetch; // [that of Node]
  readonly freeBytes?: (folder: string) => number; // [as the file system says]
}

/** Room that is left on the disk beside the model. */
const SPARE_BYTES = 200 * 2 ** 20;

/**
 * Fetches a model into a folder: goes on where an earlier try ended, checks size and SHA-256, and gives the file its name only
 * when it is whole. Resolves with its path. Nothing is fetched when it is there already.
 */
export async function downloadModel(
  source: ModelSource,
  options: DownloadOptions,
): Promise<Result<string, DownloadFailure>> {
  const target = path.join(options.folder, path.basename(source.file));
  const part = `${target}.part`;
  try {
    mkdirSync(options.folder, { recursive: true });
    if (existsSync(target) && (await hashOfFile(target)).digest('hex') === source.sha256) return ok(target);
    const free = (options.freeBytes ?? freeBytesOf)(options.folder);
    const begun = existsSync(part) ? statSync(part).size : 0;
    const need = Math.max(0, source.sizeBytes - begun) + SPARE_BYTES;
    if (free < need) return err({ type: 'no-room', needBytes: need, freeBytes: free });
    const loaded = begun === source.sizeBytes ? ok(await hashOfFile(part)) : await load(source, part, begun, options);
    if (!loaded.ok) return loaded;
    if (loaded.value.digest('hex') !== source.sha256) {
      rmSync(part, { force: true });
      return err({ type: 'damaged' });
    }
    renameSync(part, target);
    return ok(target);
  } catch (error) {
    const failure = failureOf(error, options.cancel);
    return err(failure === 'full' ? noRoom(source, part, options) : failure);
  }
}

/** What is still needed and what there is, on a disk that others filled meanwhile. */
function noRoom(source: ModelSource, part: string, options: DownloadOptions): DownloadFailure {
  const begun = existsSync(part) ? statSync(part).size : 0;
  const free = (options.freeBytes ?? freeBytesOf)(options.folder);
  return { type: 'no-room', needBytes: Math.max(0, source.sizeBytes - begun) + SPARE_BYTES, freeBytes: free };
}

async function load(
  source: ModelSource,
  part: string,
  begun: number,
  options: DownloadOptions,
): Promise<Result<Hash, DownloadFailure>> {
  const headers = begun > 0 && begun < source.sizeBytes ? { range: `bytes=${String(begun)}-` } : {};
  const response = await (options.fetch ?? fetch)(source.url, { headers, signal: options.cancel, redirect: 'follow' });
  // Plain `fetch` hides this status (see failureOf); one that knows the editor's proxy may not.
  if (response.status === 407) return err({ type: 'proxy' });
  if (response.status === 416 && 'range' in headers) {
    // What was begun does not fit what is there: it is of another file, and would be refused at every try.
    rmSync(part, { force: true });
    return load(source, part, 0, options);
  }
  if (!response.ok || response.body === null) return err({ type: 'refused', status: response.status });
  // A server that does not resume sends it all again.
  const isResumed = response.status === 206 && 'range' in headers;
  if (isOther(response, source.sizeBytes)) {
    await response.body.cancel();
    return err({ type: 'other' });
  }
  const hash = isResumed ? await hashOfFile(part) : createHash('sha256');
  let loaded = isResumed ? begun : 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      loaded += chunk.length;
      // More than was promised is not the model: it is not written until the disk is full.
      if (loaded > source.sizeBytes) throw new TooMuch();
      hash.update(chunk);
      options.progress(loaded, source.sizeBytes);
      yield chunk;
    }
  };
  try {
    const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(body, counted, createWriteStream(part, { flags: isResumed ? 'a' : 'w' }), {
      signal: options.cancel,
    });
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    rmSync(part, { force: true });
    return err({ type: 'damaged' });
  }
  if (loaded < source.sizeBytes)
    return err({ type: 'interrupted', detail: `${String(loaded)} of ${String(source.sizeBytes)} bytes` });
  return ok(hash);
}

/** Whether an answer is a page for people. A model is bytes; what it is called varies, but nobody calls it a page. */
function isOther({ headers }: Response, sizeBytes: number): boolean {
  const length = Number(headers.get('content-length') ?? 0);
  return /^\s*text\/html\b/i.test(headers.get('content-type') ?? '') && length < sizeBytes;
}

class TooMuch extends Error {
  override readonly name = 'TooMuch';
}

async function hashOfFile(file: string): Promise<Hash> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash;
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
};

function failureOf(error: unknown, cancel: AbortSignal): DownloadFailure | 'full' {
  if (cancel.aborted) return { type: 'cancelled' };
  const code = codeOf(error);
  const detail =
    error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error);
  // The fetch standard makes a network error without a word of status 407, by which a proxy asks for a name.
  if (detail === '') return { type: 'proxy' };
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'full';
  if (/^(?:EACCES|EPERM|EROFS|EISDIR|EEXIST|ENOTDIR)$/.test(code)) return { type: 'disk', detail };
  if (/^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/.test(code))
    return { type: 'offline', detail };
  if (/CERT|_SIGNATURE|^ERR_TLS/.test(code)) return { type: 'untrusted', detail };
  return { type: 'interrupted', detail };
}
