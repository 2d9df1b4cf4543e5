import { connect } from 'node:net';
import type { EngineCard } from './directory.js';
import { receive, send } from './wire.js';

/** What an engine answered. */
export interface EngineAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

function answerOf(value: unknown): EngineAnswer {
  const fields = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const [stdout, stderr, exitCode]: readonly unknown[] = [
    fields.get('stdout'),
    fields.get('stderr'),
    fields.get('exitCode'),
  ];
  if (typeof stdout !== 'string' || typeof stderr !== 'string' || typeof exitCode !== 'number')
    throw new Error('the engine answered something else');
  return { stdout, stderr, exitCode };
}

/** An engine that says nothing at all for so long, not even that it is alive, is taken for one that hangs. */
const SILENCE_MS = 10_000;

/**
 * Asks an engine. Null when nobody listens there (its window is gone); rejects when it answers late, or not, or nonsense, and
 * when it is silent for so long that it must hang: a person may think for an hour, an engine may not. Rejects as well when it is
 * cancelled, and hangs up: the engine then takes back what it may still ask, and stops what it does.
 */
export function askEngine(
  card: EngineCard,
  agent: string,
  input: string,
  timeoutMs: number,
  silenceMs = SILENCE_MS,
  cancel?: AbortSignal,
): Promise<EngineAnswer | null> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => finish(() => reject(new Error('it was cancelled')));
    const socket = connect(card.address);
    const timer = setTimeout(() => finish(() => reject(new Error('the engine did not answer in time'))), timeoutMs);
    const silence = setTimeout(() => finish(() => reject(new Error('the engine hangs'))), silenceMs);
    socket.on('data', () => silence.refresh());
    let isConnected = false;
    function finish(act: () => void): void {
      clearTimeout(timer);
      clearTimeout(silence);
      cancel?.removeEventListener('abort', onAbort);
      act();
      socket.destroy();
    }
    socket.once('connect', () => {
      isConnected = true;
      send(socket, { secret: card.secret, agent, input });
      receive(socket)
        .then(answerOf)
        .then(
          (answer) => finish(() => resolve(answer)),
          (error: unknown) => finish(() => reject(error instanceof Error ? error : new Error(String(error)))),
        );
    });
    cancel?.addEventListener('abort', onAbort, { once: true });
    if (cancel?.aborted === true) onAbort();
    socket.once('error', (error) => finish(() => (isConnected ? reject(error) : resolve(null))));
  });
}
