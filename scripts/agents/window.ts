import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { publishCard } from '../../src/adapters/engine/directory.js';
import { listenForHooks } from '../../src/adapters/engine/server.js';
import { clock } from '../../src/adapters/system.js';
import { openSession } from '../../src/core/gate/openSession.js';
import type { Approval, Question } from '../../src/core/ports.js';
import { HookEngine } from '../../src/hooks/hookEngine.js';
import { HOOK_AGENTS } from '../../src/hooks/hookEvent.js';
import { engineAt } from '../../test/support/liveEngine.js';
import type { TrialPlace } from './trial.js';

/** What stands where a hook process looks for an editor's window. */
export interface Window {
  /** Questions that a person was asked, in words. */
  readonly asked: readonly string[];
  close(): void;
}

/** An editor's engine without an editor: the same socket, the same sessions, and a person who answers by a function. */
export async function openWindow(
  { home, workspace, state }: TrialPlace,
  answer: (question: Question) => Approval,
): Promise<Window> {
  const asked: string[] = [];
  const { engine } = await engineAt(
    { root: workspace, home, state },
    {
      ask: (question) => {
        asked.push(JSON.stringify(question.lacuna.params));
        return Promise.resolve(answer(question));
      },
    },
  );
  const hooks = new HookEngine({
    clock,
    platform: 'linux',
    open: (sessionId) => openSession({ sessionId, mode: 'balanced', hasLastingTerminal: true }, engine),
  });
  const listening = await listenForHooks(state, [workspace], ({ agent, input }, hungUp) => {
    const known = HOOK_AGENTS.find((name) => name === agent);
    if (known === undefined) throw new Error(`no hook of ${agent} was expected`);
    return hooks.answer(known, JSON.parse(input), hungUp);
  });
  return { asked, close: () => listening.close() };
}

/** A window that is gone and has left its card, or one that hangs: it takes calls and never says a word. */
export async function brokenWindow(how: 'gone' | 'hangs', { base, workspace, state }: TrialPlace): Promise<Window> {
  const address = path.join(base, 'window.sock');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => sockets.delete(socket));
  });
  if (how === 'hangs') await new Promise<void>((resolve) => server.listen(address, resolve));
  const withdraw = publishCard(state, { pid: process.pid, address, secret: 'none', roots: [workspace] });
  return {
    asked: [],
    close: () => {
      withdraw();
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
