import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { askEngine } from '../../src/adapters/engine/client.js';
import { enginesFor, publishCard, type EngineCard } from '../../src/adapters/engine/directory.js';
import { listenForHooks, type ListeningEngine } from '../../src/adapters/engine/server.js';

describe('the resident engine', () => {
  let state: string;
  const open: (ListeningEngine | Server)[] = [];
  const reply = { stdout: '{}', stderr: '', exitCode: 0 };

  beforeEach(() => {
    state = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lac-')));
  });
  afterEach(() => {
    for (const one of open.splice(0)) one.close();
    rmSync(state, { recursive: true, force: true });
  });

  const listen = async (answer: Parameters<typeof listenForHooks>[2]): Promise<EngineCard> => {
    open.push(await listenForHooks(state, ['/w'], answer));
    const [card] = enginesFor(state, '/w/sub');
    assert.ok(card);
    return card;
  };
  /** A peer that is not ours, at the address of an engine. */
  const impostor = async (behave: (socket: import('node:net').Socket) => void): Promise<EngineCard> => {
    const card: EngineCard = { pid: 1, address: path.join(state, 'x.sock'), secret: 's', roots: ['/w'] };
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      behave(socket);
    });
    open.push(server);
    await new Promise<void>((resolve) => server.listen(card.address, resolve));
    return card;
  };

  it('is found by folder and answers', async () => {
    const card = await listen(({ agent, input }) => Promise.resolve({ ...reply, stdout: `${agent}:${input}` }));
    assert.deepEqual(await askEngine(card, 'claude', 'in', 2000), { ...reply, stdout: 'claude:in' });
    assert.deepEqual(enginesFor(state, '/elsewhere'), []);
    assert.deepEqual(enginesFor(state, '/wide'), [], 'a name that only begins alike is another folder');
  });

  it('is for its owner only', async function () {
    if (process.platform === 'win32') this.skip();
    const card = await listen(() => Promise.resolve(reply));
    for (const file of [card.address, path.join(state, 'engines', `${String(process.pid)}.json`)])
      assert.equal(statSync(file).mode & 0o077, 0, file);
  });

  it('without the secret there is no answer', async () => {
    const card = await listen(() => Promise.resolve(reply));
    await assert.rejects(askEngine({ ...card, secret: 'guessed' }, 'claude', 'in', 2000), /closed/);
  });

  it('one that hangs, babbles or hangs up is no answer, in time', async () => {
    await assert.rejects(askEngine(await impostor(() => undefined), 'claude', 'in', 100), /in time/);
    open.pop()?.close();
    await assert.rejects(
      askEngine(await impostor((socket) => void socket.write('nonsense\n')), 'claude', 'in', 2000),
      /JSON|Unexpected/,
    );
    open.pop()?.close();
    await assert.rejects(
      askEngine(await impostor((socket) => void socket.write('{"stdout":5}\n')), 'claude', 'in', 2000),
      /something else/,
    );
    open.pop()?.close();
    await assert.rejects(askEngine(await impostor((socket) => void socket.destroy()), 'claude', 'in', 2000));
  });

  it('a call that is cancelled hangs up, and the engine hears it', async () => {
    const cancel = new AbortController();
    let hasHungUp: () => void = () => assert.fail('the engine was not asked');
    const heard = new Promise<void>((resolve) => (hasHungUp = resolve));
    const card = await listen((_request, hungUp) => {
      hungUp.addEventListener('abort', () => hasHungUp());
      cancel.abort();
      return new Promise(() => undefined);
    });
    await assert.rejects(askEngine(card, 'mcp', 'in', 2000, 2000, cancel.signal), /cancelled/);
    await heard;
    await assert.rejects(askEngine(card, 'mcp', 'in', 2000, 2000, cancel.signal), /cancelled/);
  });

  it('a card without a listener is as if there were none', async () => {
    const card: EngineCard = { pid: 1, address: path.join(state, 'gone.sock'), secret: 's', roots: ['/w'] };
    publishCard(state, card);
    assert.equal(enginesFor(state, '/w').length, 1);
    assert.equal(await askEngine(card, 'claude', 'in', 2000), null);
    writeFileSync(path.join(state, 'engines', '2.json'), '{"half');
    assert.equal(enginesFor(state, '/w').length, 1);
  });

  it('a caller that hangs up is noticed, and closing takes the card away', async () => {
    let noticed: () => void = () => undefined;
    const hungUp = new Promise<void>((resolve) => (noticed = resolve));
    const card = await listen((_request, signal) => {
      signal.addEventListener('abort', () => noticed());
      return new Promise(() => undefined);
    });
    const socket = connect(card.address, () =>
      socket.write(`${JSON.stringify({ secret: card.secret, agent: 'a', input: '' })}\n`),
    );
    setTimeout(() => socket.destroy(), 50);
    await hungUp;
    open.splice(0).forEach((one) => one.close());
    assert.ok(!existsSync(path.join(state, 'engines', `${String(process.pid)}.json`)));
  });
});
