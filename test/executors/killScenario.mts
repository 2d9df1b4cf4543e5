/**
 * A process that edits, takes checkpoints and restores, and is killed with SIGKILL at its Nth call that changes the disk.
 * Arguments: workspace, state folder, N.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import type { Outcome } from '../../src/core/gate/outcome.js';

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
  'copyFileSync',
  'writeFileSync',
] as const;

const { createExecutors } = await import('../../src/executors/all.js');
const { lookAtFileSystem } = await import('../../src/adapters/facts.js');
const { CheckpointStore, storeFolder } = await import('../../src/adapters/checkpoints/store.js');
const { restore } = await import('../../src/executors/restore.js');
const { AuditFolder } = await import('../../src/adapters/auditFile.js');
const { JournalFolder } = await import('../../src/adapters/journal.js');
const system = await import('../../src/adapters/system.js');
const { collector, noCancel, permitFor } = await import('./permits.js');

const facts = { look: () => lookAtFileSystem({ roots: [root] }) };
const journal = new JournalFolder(path.join(state, 'unfinished'));
const executors = createExecutors({ facts, journal });
const clock = { nowMs: () => Date.now(), nowMicros: () => 0 };
const store = new CheckpointStore({ folder: storeFolder(state, [root]), roots: [root], clock });

const audit = new AuditFolder(path.join(state, 'audit'), system).open('killed');

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

/** Acts as the gate does: what came of it is in the audit before the next act begins. */
async function record(lacunaId: string, act: Promise<Outcome>): Promise<void> {
  await audit.append({ type: 'outcome', lacunaId, outcome: await act });
}

const first = (await store.take('first', null)) ?? '';
await audit.append({ type: 'checkpoint', lacunaId: null, checkpointId: first, why: 'first' });
const write = permitFor('WriteFile', { path: 'a.txt', content: 'new '.repeat(50_000) });
await record('write', executors.WriteFile.fill(write, noCancel, collector()));
const edit = permitFor('EditFile', { path: 'b.txt', edits: [{ oldText: 'old', newText: 'new' }] });
await record('edit', executors.EditFile.fill(edit, noCancel, collector()));
const move = permitFor('MoveFile', { from: 'c.txt', to: 'moved/c.txt' });
await record('move', executors.MoveFile.fill(move, noCancel, collector()));
const remove = permitFor('DeleteFile', { path: 'd', recursive: true });
await record('delete', executors.DeleteFile.fill(remove, noCancel, collector()));
await store.take('second', null);
const restored = await restore(store, first, [], noCancel, journal);
if (restored.ok) await audit.append({ type: 'restored', checkpointId: first, files: restored.value.restored });
await store.close();
process.stdout.write(`calls ${String(calls)}\n`);
