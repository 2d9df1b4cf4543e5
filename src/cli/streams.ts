import { writeSync } from 'node:fs';

// Node's own stream objects take a tenth of a short process's life to set up, so that input and output go past them as long
// as the system lets them: they are asked for only when a read or a write would have to wait (`EAGAIN`).

const CHUNK_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

/**
 * Writes text to a handle at once; from the first write on that the handle cannot take now, by the stream. Once nobody reads any
 * more (`| head`) nothing is written, and the work goes on to its exit code.
 */
export class TextOut {
  readonly #handle: number;
  readonly #open: () => NodeJS.WritableStream;
  #stream: NodeJS.WritableStream | null = null;
  #isUnread = false;

  constructor(handle: number, stream: () => NodeJS.WritableStream) {
    this.#handle = handle;
    this.#open = stream;
  }

  write(text: string): void {
    let rest = Buffer.from(text);
    try {
      while (rest.length > 0 && this.#stream === null && !this.#isUnread)
        rest = rest.subarray(writeSync(this.#handle, rest));
    } catch (error) {
      this.#failed(error);
    }
    if (rest.length > 0 && !this.#isUnread) this.#stream?.write(rest);
  }

  /** Whatever else is wrong with the handle, the stream either waits for it or says so in Node's own way. */
  #failed(error: unknown): void {
    const code = codeOf(error);
    if (code === null) throw error;
    this.#isUnread = UNREAD.has(code);
    if (this.#isUnread) return;
    this.#stream = this.#open().on('error', (later: unknown) => {
      if (!UNREAD.has(codeOf(later) ?? '')) throw later;
      this.#isUnread = true;
    });
  }
}

/** How systems say that whoever read a pipe is gone; the last is Windows's. */
const UNREAD: ReadonlySet<string> = new Set(['EPIPE', 'EOF']);

/**
 * Lines of an input without their line ends (`\n` or `\r\n`; a last one without an end counts). `read` fills a buffer and says
 * by how much, 0 at the end; once it cannot be had without waiting, `stream` is read instead.
 */
export async function* linesOf(
  read: (buffer: Buffer) => number,
  stream: () => AsyncIterable<Buffer | string>,
): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunksOf(read, stream)) {
    let start = 0;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = bytes.indexOf(LINE_FEED, rest.length); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      yield lineOf(bytes.subarray(start, end));
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) yield lineOf(rest);
}

async function* chunksOf(
  read: (buffer: Buffer) => number,
  stream: () => AsyncIterable<Buffer | string>,
): AsyncGenerator<Buffer> {
  for (;;) {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let count: number;
    try {
      count = read(buffer);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EOF') return; // how Windows says that a pipe has ended
      if (code !== 'EAGAIN') throw error;
      break;
    }
    if (count === 0) return;
    yield buffer.subarray(0, count);
  }
  for await (const chunk of stream()) yield Buffer.from(chunk);
}

const lineOf = (bytes: Buffer): string => {
  const text = bytes.toString('utf8');
  return text.endsWith('\r') ? text.slice(0, -1) : text;
};

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
