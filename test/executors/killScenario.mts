/**
 * A process that edits, takes checkpoints and restores, and is killed with SIGKILL at its Nth call that changes the disk.
 * Arguments: workspace, state folder, N.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [root = '', state = '', at = '0'] = process.argv.slice(2);
let calls = 0;
const tick = (): void => {
  calls += 1;
  if (calls === Number(at)) process.kill(process.pid, 'SIGKILL');
};
const names = [
  'openSync',
  'writeSync',
  'renameSync',
  'unlinkSync',
  'linkSync',
  'mkdirSync',
  'rmdirSync',
  'fsyncSync',
  'rmSync',
  'chmodSync',
  'symlinkSync',
] as const;

const { createExecutors } = await import('../../src/executors/all.js');
const { lookAtFileSystem } = await import('../../src/adapters/facts.js');
const { CheckpointStore, storeFolder } = await import('../../src/adapters/checkpoints/store.js');
const { restore } = await import('../../src/executors/restore.js');
const { collector, noCancel, permitFor } = await import('./permits.js');

const facts = { look: () => lookAtFileSystem({ roots: [root] }) };
const executors = createExecutors({ facts });
const clock = { nowMs: () => Date.now(), nowMicros: () => 0 };
const store = new CheckpointStore({ folder: storeFolder(state, [root]), roots: [root], clock });

for (const name of names) {
  const real = fs[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (...args: unknown[]) => {
      // Opening for reading changes nothing.
      if (name !== 'openSync' || (args[1] !== 'r' && args[1] !== undefined && args[1] !== 0)) tick();
      return real(...args);
    },
  });
}
syncBuiltinESMExports();

const first = (await store.take('first', null)) ?? '';
await executors.WriteFile.fill(
  permitFor('WriteFile', { path: 'a.txt', content: 'new '.repeat(50_000) }),
  noCancel,
  collector(),
);
await executors.EditFile.fill(
  permitFor('EditFile', { path: 'b.txt', edits: [{ oldText: 'old', newText: 'new' }] }),
  noCancel,
  collector(),
);
await executors.MoveFile.fill(permitFor('MoveFile', { from: 'c.txt', to: 'moved/c.txt' }), noCancel, collector());
await executors.DeleteFile.fill(permitFor('DeleteFile', { path: 'd', recursive: true }), noCancel, collector());
await store.take('second', null);
await restore(store, first, [], noCancel);
await store.close();
process.stdout.write(`calls ${String(calls)}\n`);
