import http from 'node:http';
import https from 'node:https';
import type { LookupAddress } from 'node:dns';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Cancel } from '../../core/cancel.js';

/** One request to one checked address. */
export interface PinnedRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly address: LookupAddress;
}

/** What came back. The body is cut at the cap; `isCut` says so. */
export interface Response {
  readonly status: number;
  readonly statusText: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  readonly isCut: boolean;
}

/** The body as it was meant, unpacked if it was packed for the way. */
function unpacked(message: http.IncomingMessage): Readable {
  switch (message.headers['content-encoding']?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return message.pipe(createGunzip());
    case 'deflate':
      return message.pipe(createInflate());
    case 'br':
      return message.pipe(createBrotliDecompress());
    default:
      return message;
  }
}

/** Reads up to a cap of what the body unpacks to, so that a small answer cannot grow without end. */
function readBody(message: http.IncomingMessage, capBytes: number): Promise<{ body: Buffer; isCut: boolean }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let total = 0;
    const stream = unpacked(message);
    const finish = (isCut: boolean): void => {
      resolve({ body: Buffer.concat(chunks).subarray(0, capBytes), isCut });
    };
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      total += chunk.length;
      if (total <= capBytes) return;
      finish(true);
      message.unpipe();
      stream.destroy();
      message.destroy();
    });
    stream.once('end', () => {
      finish(false);
    });
    stream.on('error', reject);
    message.on('error', reject);
  });
}

/** Raised when time is up or the filling is cancelled. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly why: 'time' | 'cancel';
  constructor(why: 'time' | 'cancel') {
    super(why);
    this.why = why;
  }
}

/**
 * Sends one request to the address that was checked and to no other: the name is not looked up again. The certificate is
 * checked against the name. Follows no redirect. Rejects with a system error or {@link Stopped}.
 */
export function send(request: PinnedRequest, capBytes: number, timeoutMs: number, cancel: Cancel): Promise<Response> {
  const { url, address } = request;
  return new Promise((resolve, reject) => {
    const module = url.protocol === 'https:' ? https : http;
    const outgoing = module.request(url, {
      method: request.method,
      headers: request.headers,
      agent: false,
      // Whatever is asked for, the checked address is the answer.
      lookup: (_host, options, answer) => {
        if (options.all === true) answer(null, [address]);
        else answer(null, address.address, address.family);
      },
    });
    const stop = (why: 'time' | 'cancel'): void => {
      outgoing.destroy(new Stopped(why));
    };
    const timer = setTimeout(stop, timeoutMs, 'time');
    const onCancel = (): void => {
      stop('cancel');
    };
    cancel.addEventListener('abort', onCancel, { once: true });
    const settle = (): void => {
      clearTimeout(timer);
      cancel.removeEventListener('abort', onCancel);
    };
    outgoing.on('error', (error) => {
      settle();
      reject(error);
    });
    outgoing.once('response', (message) => {
      readBody(message, capBytes).then(
        ({ body, isCut }) => {
          settle();
          const { statusCode = 0, statusMessage = '', headers } = message;
          resolve({ status: statusCode, statusText: statusMessage, headers, body, isCut });
        },
        (error: unknown) => {
          settle();
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
    if (cancel.aborted) onCancel();
    outgoing.end(request.body ?? undefined);
  });
}
