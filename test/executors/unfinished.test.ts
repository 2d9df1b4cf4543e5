import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { JournalFolder } from '../../src/adapters/journal.js';
import { finishWhatWasLeft } from '../../src/executors/unfinished.js';
import { Workspace } from './workspace.js';

describe('what a dead process left in the middle', () => {
  let ws: Workspace;
  let folder = '';
  let journal: JournalFolder;
  beforeEach(() => {
    ws = new Workspace();
    folder = path.join(ws.outside, 'unfinished');
    journal = new JournalFolder(folder);
  });
  afterEach(() => {
    ws.dispose();
  });

  /** Makes the notes of this process those of one that has died. */
  const die = (): void => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name);
      writeFileSync(file, readFileSync(file, 'utf8').replace(`"pid":${String(process.pid)}`, `"pid":${String(dead)}`));
    }
  };
  const aside = (): string => ws.at('.lacuna-1-0123456789ab.trash');
  const begin = (): void => {
    mkdirSync(aside());
    writeFileSync(path.join(aside(), 'rest.txt'), 'rest');
    const { dev: device, ino: inode, birthtimeMs: bornMs } = lstatSync(aside());
    journal.begin({ type: 'delete', path: aside(), device, inode, bornMs });
  };

  it('a deletion is finished', () => {
    begin();
    die();
    assert.deepEqual(finishWhatWasLeft(journal), []);
    assert.deepEqual(readdirSync(ws.root), []);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('what a living process has begun is left to it', () => {
    begin();
    finishWhatWasLeft(journal);
    assert.equal(existsSync(path.join(aside(), 'rest.txt')), true);
  });

  it('another folder that stands there by now is not touched', () => {
    begin();
    die();
    rmSync(aside(), { recursive: true });
    mkdirSync(aside()); // often with the very number that just became free
    writeFileSync(path.join(aside(), 'precious.txt'), 'mine');
    finishWhatWasLeft(journal);
    assert.equal(readFileSync(path.join(aside(), 'precious.txt'), 'utf8'), 'mine');
  });

  it('a restore is told of, until it is settled', () => {
    const act = { type: 'restore', roots: [ws.root], checkpointId: 'a', before: 'b', paths: [] } as const;
    journal.begin(act);
    die();
    const [first] = finishWhatWasLeft(journal);
    assert.deepEqual(first?.act, act);
    assert.equal(finishWhatWasLeft(journal).length, 1);
    first.settle();
    assert.deepEqual(finishWhatWasLeft(journal), []);
  });

  it('nothing is left of an act that came to its end', async () => {
    const noted = new Workspace({ journal });
    noted.write('d/f.txt', 'x');
    await noted.fill('DeleteFile', { path: 'd', recursive: true });
    assert.deepEqual(readdirSync(folder), []);
    assert.deepEqual(readdirSync(noted.root), []);
    noted.dispose();
  });
});
