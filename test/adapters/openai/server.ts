import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server was asked. */
export interface Seen {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: {
    model?: string;
    stream?: boolean;
    messages?: { role: string; content: unknown; tool_calls?: unknown; tool_call_id?: string }[];
    tools?: { function: { name: string; parameters: unknown } }[];
  };
}

/** Answers one request; the n-th request is answered by the n-th script, the last one again and again. */
export type Script = (response: ServerResponse, seen: Seen) => void | Promise<void>;

/** A small server on 127.0.0.1 that speaks the chat completions API, in the ways it is told to. */
export class ApiServer {
  readonly seen: Seen[] = [];
  scripts: readonly Script[] = [];
  #server: Server | null = null;

  async start(): Promise<void> {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const seen: Seen = {
          path: request.url ?? '',
          headers: request.headers,
          body: JSON.parse(Buffer.concat(chunks).toString() || '{}') as Seen['body'],
        };
        this.seen.push(seen);
        const script = this.scripts[Math.min(this.seen.length, this.scripts.length) - 1];
        void Promise.resolve(script?.(response, seen));
      });
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
  }

  /** Begins a test: forgets what was seen. */
  play(...scripts: Script[]): void {
    this.seen.length = 0;
    this.scripts = scripts;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server?.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}

/** One piece of a streamed answer. */
export const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
export const text = (content: string): string => chunk({ content });
export const usage = (input: number, output: number): string =>
  `data: ${JSON.stringify({ id: 'x', choices: [], usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } })}\n\n`;
export const DONE = 'data: [DONE]\n\n';
export const STOP = chunk({}, 'stop');

/** Streams pieces, each in its own packet. */
export const stream =
  (...pieces: (string | Buffer)[]): Script =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) {
      response.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };

/** Streams pieces, then breaks the connection. */
export const cut =
  (...pieces: string[]): Script =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) response.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 20));
    response.destroy();
  };

/** Streams pieces, then keeps silent with the connection open. */
export const hang =
  (...pieces: string[]): Script =>
  (response) => {
    if (pieces.length === 0) return;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) response.write(piece);
  };

/** An error of the API. */
export const error =
  (status: number, message: string, headers: Record<string, string> = {}, code: string | null = null): Script =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message, type: 'x', code } }));
  };
