import type { Socket } from 'node:net';

/** Longest message, in bytes: a call with a file of this size in it is refused, not cut. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** A message as one line of JSON. */
export const send = (socket: Socket, message: object): void => void socket.write(`${JSON.stringify(message)}\n`);

/** How often an engine that is thinking, or waiting for a person, says that it is alive. */
export const HEARTBEAT_MS = 2_000;

/** Says that an answer is on its way: an empty line, which {@link receive} passes over. */
export const beat = (socket: Socket): void => void socket.write('\n');

/** Resolves with the first line a peer sends that is not empty, parsed; rejects when it hangs up before, sends too much, or sends no JSON. */
export function receive(socket: Socket): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (act: () => void): void => {
      socket.off('data', take);
      act();
    };
    function take(chunk: Buffer): void {
      if (size === 0) while (chunk[0] === 10) chunk = chunk.subarray(1);
      size += chunk.length;
      chunks.push(chunk);
      if (size > MAX_MESSAGE_BYTES) return done(() => reject(new Error('the message is too long')));
      if (!chunk.includes(10)) return;
      const line = Buffer.concat(chunks).toString('utf8').split('\n', 1)[0] ?? '';
      done(() => {
        try {
          resolve(JSON.parse(line));
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    }
    socket.on('data', take);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
}
