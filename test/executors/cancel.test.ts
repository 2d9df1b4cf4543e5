import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Kind, ParamsOf } from '../../src/core/lacuna/kinds.js';
import { Workspace } from './workspace.js';

const isThere = (text: string): boolean =>
  execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' }).includes(text);

/** A server that takes connections and never says anything: a request, or a database, that hangs. */
async function silent(): Promise<{ readonly port: number; readonly sockets: Set<net.Socket>; close(): void }> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.resume(); // else its end would never be seen
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port, sockets, close };
}

describe('cancel reaches every kind', () => {
  let ws: Workspace;
  let server: Awaited<ReturnType<typeof silent>>;
  beforeEach(async () => {
    server = await silent();
    ws = new Workspace({
      databases: () => [{ name: 'main', url: `postgres://x@127.0.0.1:${String(server.port)}/x`, passwordKey: null }],
      tools: { call: () => new Promise(() => undefined) },
    });
    for (let index = 0; index < 300; index += 1)
      ws.write(`many/d${String(index % 20)}/f${String(index)}.txt`, 'needle');
  });
  afterEach(() => {
    server.close();
    ws.dispose();
  });

  const mark = `92${String(process.pid)}.5`;
  const ALL: { readonly [K in Exclude<Kind, 'Delegate'>]: (port: number) => ParamsOf[K] } = {
    ListFiles: () => ({ path: 'many', recursive: true }),
    ReadFile: () => ({ path: 'many/d0/f0.txt' }),
    SearchFiles: () => ({ query: 'needle', path: 'many' }),
    WriteFile: () => ({ path: 'new.txt', content: 'x' }),
    EditFile: () => ({ path: 'many/d0/f0.txt', edits: [{ oldText: 'needle', newText: 'x' }] }),
    DeleteFile: () => ({ path: 'many', recursive: true }),
    MoveFile: () => ({ from: 'many', to: 'moved' }),
    ExecuteShell: () => ({ command: `sleep ${mark} & sleep ${mark}; touch ran` }),
    HttpRequest: (port) => ({ url: `http://127.0.0.1:${String(port)}/`, method: 'GET' }),
    QueryDatabase: () => ({ database: 'main', sql: 'SELECT 1' }),
    CallTool: () => ({ tool: 'deaf', input: {} }),
  };

  for (const kind of Object.keys(ALL) as (keyof typeof ALL)[]) {
    it(`${kind}: cancelled before it begins, nothing is done`, async () => {
      const before = readdirSync(ws.root, { recursive: true }).length;
      const outcome = await ws.fill(kind, ALL[kind](server.port) as never, { cancel: AbortSignal.abort() });
      assert.equal(outcome.type, 'cancelled');
      assert.equal(readdirSync(ws.root, { recursive: true }).length, before);
      assert.equal(server.sockets.size, 0);
    });

    it(`${kind}: cancelled at its last look, it is not done`, async () => {
      const controller = new AbortController();
      const before = readdirSync(ws.root, { recursive: true }).length;
      const outcome = await ws.fill(kind, ALL[kind](server.port) as never, {
        cancel: controller.signal,
        atLook: () => controller.abort(),
      });
      assert.equal(outcome.type === 'cancelled' || kind === 'ReadFile', true, JSON.stringify(outcome));
      assert.equal(readdirSync(ws.root, { recursive: true }).length, before);
    });
  }

  for (const kind of ['ExecuteShell', 'HttpRequest', 'QueryDatabase', 'CallTool'] as const)
    it(`${kind}: cancelled in the middle, it ends at once and leaves nothing`, async () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 150);
      const startedAt = performance.now();
      const outcome = await ws.fill(kind, ALL[kind](server.port) as never, { cancel: controller.signal });
      assert.equal(outcome.type, 'cancelled', JSON.stringify(outcome));
      assert.ok(performance.now() - startedAt < 5_000);
      assert.equal(isThere(`sleep ${mark}`), false);
      assert.equal(existsSync(ws.at('ran')), false);
      for (let tries = 0; tries < 100 && server.sockets.size > 0; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 20));
      assert.equal(server.sockets.size, 0, 'no connection is left open');
    });
});
