import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { CheckpointStore, storeFolder } from '../../src/adapters/checkpoints/store.js';
import { restore } from '../../src/executors/restore.js';
import { snapshot } from '../adapters/checkpoints/snapshot.js';
import { Workspace } from './workspace.js';

/** A generator of numbers that gives the same ones for the same seed: a failure can be seen again. Source: mulberry32. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

describe('restore after a hundred random steps (@slow)', function () {
  this.timeout(120_000);
  for (const seed of [1, 2])
    it(`brings back every recorded state, byte for byte and mode for mode (seed ${String(seed)})`, async () => {
      const ws = new Workspace();
      const next = numbers(seed);
      const clock = { nowMs: () => Date.now(), nowMicros: () => 0 };
      const folder = storeFolder(path.join(ws.outside, 'state'), [ws.root]);
      const store = new CheckpointStore({ folder, roots: [ws.root], clock });
      const name = (): string => `${['', 'd/', 'd/e/', 'x/'][next(4)] ?? ''}f${String(next(8))}`;
      const steps: readonly (() => Promise<unknown>)[] = [
        () => ws.fill('WriteFile', { path: name(), content: `content ${String(next(1e6))}\n` }),
        () => ws.fill('WriteFile', { path: name(), content: 'same length\n' }),
        () => ws.fill('EditFile', { path: name(), edits: [{ oldText: 'content', newText: 'edited content' }] }),
        () => ws.fill('DeleteFile', { path: name() }),
        () => ws.fill('DeleteFile', { path: ['d', 'd/e', 'x'][next(3)] ?? 'x', recursive: true }),
        () => ws.fill('MoveFile', { from: name(), to: name() }),
        () => ws.fill('MoveFile', { from: 'd', to: 'x/moved' }),
        () =>
          ws.fill('ExecuteShell', { command: `mkdir -p d/e x && printf 'shell %s' ${String(next(1e6))} > ${name()}` }),
        () => ws.fill('ExecuteShell', { command: `chmod ${['644', '755', '600', '444'][next(4)] ?? '644'} ${name()}` }),
        () => ws.fill('ExecuteShell', { command: `rm -f ${name()}; ln -s ${name()} ${name()}` }),
        () => ws.fill('ExecuteShell', { command: 'mkdir -p d x; chmod 750 d; chmod 711 x; mkdir -p d/empty' }),
      ];
      const recorded: { id: string; lines: readonly string[] }[] = [];
      mkdirSync(ws.at('d/e'), { recursive: true });
      symlinkSync('nowhere', ws.at('dangling'));
      for (let step = 0; step < 100; step += 1) {
        await steps[next(steps.length)]?.();
        if (step % 10 !== 0) continue;
        const id = await store.take(`step ${String(step)}`, null);
        if (id !== null) recorded.push({ id, lines: snapshot(ws.root) });
      }
      assert.ok(recorded.length > 5);
      for (const { id, lines } of [...recorded].sort(() => next(3) - 1)) {
        const result = await restore(store, id, [], new AbortController().signal);
        assert.ok(result.ok);
        assert.deepEqual(result.value.skipped, []);
        assert.deepEqual(snapshot(ws.root), lines);
      }
      assert.deepEqual(await store.verify(), []);
      await store.close();
      for (const entry of readdirSync(ws.root)) {
        chmodSync(ws.root, 0o755);
        rmSync(ws.at(entry), { recursive: true, force: true });
      }
      ws.dispose();
    });
});
