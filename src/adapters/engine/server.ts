import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { z } from 'zod';
import { ownFolder } from '../stateFolder.js';
import { cardsFolder, engineAddress, publishCard } from './directory.js';
import { beat, HEARTBEAT_MS, receive, send } from './wire.js';

const requestSchema = z.strictObject({ secret: z.string(), agent: z.string(), input: z.string() });

/** What a hook process sends, the secret checked: which agent, and what it wrote, as text. */
export interface EngineRequest {
  readonly agent: string;
  readonly input: string;
}

/** What the hook process prints and how it ends. */
export interface EngineReply {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** A listening engine. */
export interface ListeningEngine {
  readonly address: string;
  close(): void;
}

function isSame(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Listens for hook processes of this person on this machine: a socket in a folder that only its owner can enter, and a secret of
 * this window. A caller without the secret gets no answer. `answer` is told when the caller hangs up.
 */
export async function listenForHooks(
  state: string,
  roots: readonly string[],
  answer: (request: EngineRequest, hungUp: AbortSignal) => Promise<EngineReply>,
): Promise<ListeningEngine> {
  const secret = randomBytes(32).toString('hex');
  const address = engineAddress(state, process.pid);
  ownFolder(cardsFolder(state));
  if (process.platform !== 'win32') rmSync(address, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const hungUp = new AbortController();
    socket.on('error', () => hungUp.abort());
    socket.on('close', () => {
      hungUp.abort();
      sockets.delete(socket);
    });
    void serve(socket, secret, answer, hungUp.signal);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, resolve);
  });
  if (process.platform !== 'win32') chmodSync(address, 0o600);
  const withdraw = publishCard(state, { pid: process.pid, address, secret, roots: [...roots] });
  return {
    address,
    close: () => {
      withdraw();
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function serve(
  socket: Socket,
  secret: string,
  answer: (request: EngineRequest, hungUp: AbortSignal) => Promise<EngineReply>,
  hungUp: AbortSignal,
): Promise<void> {
  let heart: NodeJS.Timeout | undefined;
  try {
    const request = requestSchema.safeParse(await receive(socket));
    if (!request.success || !isSame(request.data.secret, secret)) return;
    heart = setInterval(() => beat(socket), HEARTBEAT_MS);
    hungUp.addEventListener('abort', () => clearInterval(heart));
    const reply = await answer({ agent: request.data.agent, input: request.data.input }, hungUp);
    clearInterval(heart);
    send(socket, reply);
  } catch (error) {
    // The caller reads a closed connection as "no verdict" and refuses by itself.
    if (!(error instanceof Error)) throw error;
  } finally {
    clearInterval(heart);
    socket.end();
  }
}
