import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CheckpointStore } from '../../../src/adapters/checkpoints/store.js';
import { buildLookWorker } from '../../support/lookWorker.js';

const FILES = 2_400;

describe('checkpoints of a large workspace, looked at by threads (@slow)', function () {
  this.timeout(60_000);
  let folder = '';
  let root = '';
  before(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-lookers-')));
    root = path.join(folder, 'ws');
    const old = new Date(Date.now() - 3_600_000);
    for (let index = 0; index < FILES; index += 1) {
      const file = place(index);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, `file ${String(index)}\n`);
      utimesSync(file, old, old);
    }
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const place = (index: number): string => path.join(root, `d${String(index % 40)}`, `f${String(index)}.txt`);
  const open = (name: string, lookWorker: string | null): CheckpointStore =>
    new CheckpointStore({
      folder: path.join(folder, name),
      roots: [root],
      // Later than all that is written here: nothing is too recent to prove anything, so that the threads are believed.
      clock: { nowMs: () => Date.now() + 60_000, nowMicros: () => 0 },
      lookWorker,
    });

  const CHANGES: Readonly<Record<string, () => void>> = {
    'a file got another content': () => writeFileSync(place(7), 'other'),
    'a file got another content of the same length, with its time put back': () => {
      const old = new Date(Date.now() - 3_600_000);
      writeFileSync(place(8), 'FILE 8\n');
      utimesSync(place(8), old, old);
    },
    'a file is gone': () => rmSync(place(9)),
    'a file was moved to another folder': () => renameSync(place(10), path.join(root, 'd1/moved.txt')),
    'a mode changed': () => chmodSync(place(11), 0o755),
    'a link took the place of a file': () => {
      rmSync(place(12));
      symlinkSync('f52.txt', place(12));
    },
    'a folder is gone': () => rmSync(path.join(root, 'd13'), { recursive: true }),
    'a folder came': () => {
      mkdirSync(path.join(root, 'new/deep'), { recursive: true });
      writeFileSync(path.join(root, 'new/deep/f.txt'), 'new');
    },
    'a file in a folder that came later changed': () => writeFileSync(path.join(root, 'new/deep/f.txt'), 'newer'),
  };

  it('sees every kind of change, as without threads', async () => {
    const threaded = open('threads', buildLookWorker(folder));
    const plain = open('plain', null);
    for (const store of [threaded, plain]) assert.notEqual(await store.take('first', null), null);
    assert.equal(await threaded.take('nothing', null), null);
    for (const [what, change] of Object.entries(CHANGES)) {
      change();
      assert.notEqual(await threaded.take(what, null), null, what);
      await plain.take(what, null);
      assert.equal(await threaded.take('nothing', null), null, `nothing after: ${what}`);
    }
    const trees = async (store: CheckpointStore): Promise<unknown> =>
      (await store.list()).map(({ why, files, sizeBytes }) => [why, files, sizeBytes]);
    assert.deepEqual(await trees(threaded), await trees(plain));
    for (const store of [threaded, plain]) {
      assert.deepEqual(await store.verify(), []);
      await store.close();
    }
  });

  it('goes on without threads that cannot work', async () => {
    const broken = path.join(folder, 'broken.cjs');
    writeFileSync(broken, 'process.exit(1);');
    for (const script of [broken, path.join(folder, 'nowhere.cjs')]) {
      const store = open(`without-${path.basename(script)}`, script);
      assert.notEqual(await store.take('first', null), null);
      writeFileSync(place(20), `changed for ${script}`);
      assert.notEqual(await store.take('second', null), null);
      assert.equal(await store.take('third', null), null);
      await store.close();
    }
  });
});
