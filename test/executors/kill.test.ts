import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AuditFolder } from '../../src/adapters/auditFile.js';
import { CheckpointStore, storeFolder } from '../../src/adapters/checkpoints/store.js';
import { JournalFolder } from '../../src/adapters/journal.js';
import * as system from '../../src/adapters/system.js';
import { restore } from '../../src/executors/restore.js';
import { finishWhatWasLeft } from '../../src/executors/unfinished.js';
import { snapshot } from '../adapters/checkpoints/snapshot.js';

const POINTS = 24;
const scenario = path.join(import.meta.dirname, 'killScenario.mts');
const OLD = 'old '.repeat(50_000);
const NEW = 'new '.repeat(50_000);

describe('SIGKILL at any moment (@slow)', function () {
  this.timeout(300_000);
  let folder = '';
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-kill-')));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const plant = (name: string): { root: string; state: string } => {
    const root = path.join(folder, name, 'ws');
    mkdirSync(path.join(root, 'd/e'), { recursive: true });
    writeFileSync(path.join(root, 'a.txt'), OLD);
    writeFileSync(path.join(root, 'b.txt'), 'an old word\n');
    writeFileSync(path.join(root, 'c.txt'), 'C');
    writeFileSync(path.join(root, 'd/e/f.txt'), 'F');
    return { root, state: path.join(folder, name, 'state') };
  };
  const runUntil = (root: string, state: string, at: number): { text: string; isKilled: boolean } => {
    const child = spawnSync(process.execPath, ['--import=tsx', scenario, root, state, String(at)], {
      encoding: 'utf8',
    });
    assert.ok(child.signal === 'SIGKILL' || child.status === 0, child.stderr);
    return { text: child.stdout, isKilled: child.signal === 'SIGKILL' };
  };
  const oneOf = (file: string, ...wanted: readonly string[]): void => {
    assert.ok(wanted.includes(readFileSync(file, 'utf8')), `${file} is half written`);
  };

  it('leaves every file whole, and a store that brings all of it back', async () => {
    const whole = plant('whole');
    const before = snapshot(whole.root);
    const calls = Number(/calls (\d+)/.exec(runUntil(whole.root, whole.state, 0).text)?.[1]);
    assert.ok(calls > POINTS, String(calls));
    assert.deepEqual(snapshot(whole.root), before, 'the restore at its end brings all back');
    let killed = 0;
    let told = 0;
    for (let point = 0; point < POINTS; point += 1) {
      const at = 1 + Math.floor((point * (calls - 1)) / (POINTS - 1));
      const { root, state } = plant(`point${String(point)}`);
      killed += runUntil(root, state, at).isKilled ? 1 : 0;
      oneOf(path.join(root, 'a.txt'), OLD, NEW);
      oneOf(path.join(root, 'b.txt'), 'an old word\n', 'an new word\n');
      assert.ok(existsSync(path.join(root, 'c.txt')) || existsSync(path.join(root, 'moved/c.txt')), `at ${String(at)}`);
      const clock = { nowMs: () => Date.now(), nowMicros: () => 0 };
      const store = new CheckpointStore({ folder: storeFolder(state, [root]), roots: [root], clock });
      assert.deepEqual(await store.verify(), [], `store at ${String(at)}`);
      const [first] = await store.list();
      const journal = new JournalFolder(path.join(state, 'unfinished'));
      const interrupted = finishWhatWasLeft(journal);
      for (const { act, settle } of interrupted) {
        assert.equal(act.checkpointId, first?.id);
        settle();
      }
      told += interrupted.length;
      const trash = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.trash'));
      assert.deepEqual(trash, [], `what was left of a deletion at ${String(at)}`);
      assert.deepEqual(journal.left(), []);
      if (first !== undefined) {
        const result = await restore(store, first.id, [], new AbortController().signal);
        assert.ok(result.ok);
        assert.deepEqual(
          snapshot(root).filter((line) => !line.includes('.lacuna-')),
          before,
          `restored at ${String(at)}: ${result.value.skipped.join('; ')}`,
        );
      }
      await store.close();
      const audits = new AuditFolder(path.join(state, 'audit'), system);
      assert.deepEqual(audits.verify('killed').faults, [], `audit at ${String(at)}`);
      await audits.open('killed').append({ type: 'failure', lacunaId: null, what: 'killed' });
      assert.deepEqual(audits.verify('killed').faults, [], `audit written on at ${String(at)}`);
    }
    assert.ok(told >= 3, `told of ${String(told)} restores that were interrupted`);
    assert.ok(killed >= 20, `killed at ${String(killed)} points`);
  });
});
