import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SCAN_LIMITS } from '../../../src/adapters/checkpoints/scan.js';
import { CheckpointStore, storeFolder, type CheckpointOptions } from '../../../src/adapters/checkpoints/store.js';
import { previewRestore, restore } from '../../../src/executors/restore.js';
import { snapshot } from './snapshot.js';

const never = new AbortController().signal;

describe('checkpoints', () => {
  let folder: string;
  let root: string;
  let store: CheckpointStore;
  let nowMs = Date.now();

  const open = (more: Partial<CheckpointOptions> = {}): CheckpointStore =>
    new CheckpointStore({
      folder: storeFolder(path.join(folder, 'state'), [root]),
      roots: [root],
      clock: { nowMs: () => nowMs, nowMicros: () => 0 },
      ...more,
    });
  const write = (name: string, content: string | Buffer): void => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  };
  const writeInPlace = (name: string, content: Buffer, at = 0): void => {
    const handle = openSync(path.join(root, name), 'r+');
    writeSync(handle, content, 0, content.length, at);
    closeSync(handle);
  };
  const take = async (): Promise<string> => {
    const id = await store.take('test', null);
    assert.ok(id !== null);
    return id;
  };
  const bringBack = async (id: string, paths: readonly string[] = []): Promise<readonly string[]> => {
    const result = await restore(store, id, paths, never);
    assert.ok(result.ok);
    return result.value.skipped;
  };

  beforeEach(() => {
    nowMs = Date.now();
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-checkpoints-')));
    root = path.join(folder, 'ws');
    mkdirSync(root);
    store = open();
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('brings back contents, modes, links, empty folders and what was deleted', async () => {
    write('a.txt', 'A');
    write('bin/run', '#!/bin/sh');
    chmodSync(path.join(root, 'bin/run'), 0o755);
    mkdirSync(path.join(root, 'empty/deep'), { recursive: true });
    chmodSync(path.join(root, 'empty'), 0o750);
    symlinkSync('a.txt', path.join(root, 'link'));
    write('blob.bin', Buffer.from([0, 255, 1, 254]));
    const before = snapshot(root);
    const id = await take();
    rmSync(path.join(root, 'bin'), { recursive: true });
    rmSync(path.join(root, 'empty'), { recursive: true });
    rmSync(path.join(root, 'link'));
    mkdirSync(path.join(root, 'link'));
    write('link/x', 'in the way');
    write('a.txt', 'changed');
    write('new/n.txt', 'new');
    rmSync(path.join(root, 'blob.bin'));
    symlinkSync('/etc/passwd', path.join(root, 'blob.bin'));
    assert.deepEqual(await bringBack(id), []);
    assert.deepEqual(snapshot(root), before);
  });

  it('takes none when nothing differs, also in a new process', async () => {
    write('a.txt', 'A');
    await take();
    assert.equal(await store.take('again', null), null);
    await store.close();
    store = open();
    assert.equal(await store.take('again', null), null);
    write('a.txt', 'B');
    assert.notEqual(await store.take('again', null), null);
  });

  it('sees a change that keeps size and time of a file', async () => {
    write('a.txt', 'AAAA');
    const when = new Date(Date.now() - 60_000);
    utimesSync(path.join(root, 'a.txt'), when, when);
    const id = await take();
    writeFileSync(path.join(root, 'a.txt'), 'BBBB');
    utimesSync(path.join(root, 'a.txt'), when, when);
    await take();
    assert.deepEqual(await bringBack(id), []);
    assert.equal(readFileSync(path.join(root, 'a.txt'), 'utf8'), 'AAAA');
  });

  it('takes a checkpoint of its own before it restores, so that a restore can be taken back', async () => {
    write('a.txt', 'one');
    const id = await take();
    write('a.txt', 'two');
    write('b.txt', 'made later');
    const changed = snapshot(root);
    const result = await restore(store, id, [], never);
    assert.ok(result.ok);
    assert.deepEqual(readdirSync(root), ['a.txt']);
    assert.deepEqual(await bringBack(result.value.before), []);
    assert.deepEqual(snapshot(root), changed);
  });

  it('restores one file and leaves the others', async () => {
    write('a.txt', 'one');
    write('d/b.txt', 'one');
    const id = await take();
    write('a.txt', 'two');
    write('d/b.txt', 'two');
    await bringBack(id, [path.join(root, 'd')]);
    assert.equal(readFileSync(path.join(root, 'a.txt'), 'utf8'), 'two');
    assert.equal(readFileSync(path.join(root, 'd/b.txt'), 'utf8'), 'one');
  });

  it('previews what it would change and changes nothing', async () => {
    write('a.txt', 'one');
    const id = await take();
    write('a.txt', 'two');
    write('n.txt', 'new');
    const preview = await previewRestore(store, id, []);
    assert.ok(preview.ok);
    assert.deepEqual(
      preview.value.changes.map(({ path: file, from, to }) => [path.basename(file), from?.type, to?.type]).sort(),
      [
        ['a.txt', 'file', 'file'],
        ['n.txt', 'file', undefined],
      ],
    );
    assert.equal(readFileSync(path.join(root, 'a.txt'), 'utf8'), 'two');
  });

  it('keeps small ignored files, and leaves large ignored folders and packages alone', async () => {
    write('.gitignore', '*.log\n/out/\n/cache/\nnode_modules\n');
    write('.env.log', 'precious');
    write('out/a', 'small');
    for (let index = 0; index < 600; index += 1) write(`cache/f${String(index)}`, 'x');
    write('node_modules/p/index.js', 'x');
    const id = await take();
    write('.env.log', 'lost');
    rmSync(path.join(root, 'out'), { recursive: true });
    rmSync(path.join(root, 'cache'), { recursive: true });
    write('node_modules/p/index.js', 'changed');
    const skipped = await bringBack(id);
    assert.equal(readFileSync(path.join(root, '.env.log'), 'utf8'), 'precious');
    assert.equal(readFileSync(path.join(root, 'out/a'), 'utf8'), 'small');
    assert.equal(readFileSync(path.join(root, 'node_modules/p/index.js'), 'utf8'), 'changed');
    assert.deepEqual(skipped, [`${root}/cache: not in the checkpoint (ignored and large)`]);
  });

  it('judges names anew when a rule about what is ignored changes', async () => {
    write('.gitignore', '');
    for (let index = 0; index < 600; index += 1) write(`data/f${String(index)}`, 'x');
    const first = await take();
    write('.gitignore', '/data/\n');
    await take();
    const back = await store.changes(first, (await store.list()).at(-1)?.id ?? '', []);
    assert.ok(back.some(({ path: file, to }) => file === `${root}/data` && to?.type === 'omitted'));
  });

  it('leaves repositories in the workspace alone', async () => {
    write('own.txt', 'one');
    write('sub/.git/HEAD', 'ref: refs/heads/main');
    write('sub/f.txt', 'one');
    write('module/.git', 'gitdir: ../.git/modules/module');
    write('module/f.txt', 'one');
    const id = await take();
    write('own.txt', 'two');
    write('sub/f.txt', 'two');
    write('module/f.txt', 'two');
    await bringBack(id);
    assert.equal(readFileSync(path.join(root, 'own.txt'), 'utf8'), 'one');
    assert.equal(readFileSync(path.join(root, 'sub/f.txt'), 'utf8'), 'two');
    assert.equal(readFileSync(path.join(root, 'module/f.txt'), 'utf8'), 'two');
  });

  it('works in a linked worktree and names the commit of HEAD', async () => {
    const git = (args: readonly string[], cwd: string): string =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd, encoding: 'utf8' }).trim();
    git(['init', '-q', '-b', 'main'], root);
    write('a.txt', 'A');
    git(['add', '-A'], root);
    git(['commit', '-qm', 'one'], root);
    const linked = path.join(folder, 'linked');
    git(['worktree', 'add', '-q', '-b', 'side', linked], root);
    const there = new CheckpointStore({
      folder: storeFolder(path.join(folder, 'state'), [linked]),
      roots: [linked],
      clock: { nowMs: () => nowMs, nowMicros: () => 0 },
    });
    const id = (await there.take('test', null)) ?? '';
    writeFileSync(path.join(linked, 'a.txt'), 'B');
    assert.ok((await restore(there, id, [], never)).ok);
    assert.equal(readFileSync(path.join(linked, 'a.txt'), 'utf8'), 'A');
    assert.equal((await there.list())[0]?.roots[0]?.head, git(['rev-parse', 'HEAD'], linked));
    await there.close();
  });

  it('keeps large files by reference: brings back deleted and replaced ones, and says when it cannot', async () => {
    const small = { ...SCAN_LIMITS, largeBytes: 1_000 };
    store = open({ limits: small });
    write('big.bin', Buffer.alloc(5_000, 1));
    write('other.bin', Buffer.alloc(5_000, 2));
    const id = await take();
    rmSync(path.join(root, 'big.bin'));
    renameSync(path.join(root, 'other.bin'), path.join(root, 'moved.bin'));
    assert.deepEqual(await bringBack(id), []);
    assert.deepEqual(readFileSync(path.join(root, 'big.bin')), Buffer.alloc(5_000, 1));
    assert.deepEqual(readdirSync(root).sort(), ['big.bin', 'other.bin']);
  });

  it('brings back a large file that was changed in place, where a copy was kept', async () => {
    store = open({ limits: { ...SCAN_LIMITS, largeBytes: 1_000 }, copyBytes: 10_000 });
    write('big.bin', Buffer.alloc(5_000, 1));
    const id = await take();
    writeInPlace('big.bin', Buffer.alloc(5_000, 9));
    assert.deepEqual(await bringBack(id), []);
    assert.deepEqual(readFileSync(path.join(root, 'big.bin')), Buffer.alloc(5_000, 1));
  });

  it('holds to its size cap when large files change again and again', async () => {
    const capBytes = 400_000;
    store = open({ limits: { ...SCAN_LIMITS, largeBytes: 1_000 }, copyBytes: 100_000, capBytes });
    for (let index = 0; index < 20; index += 1) {
      write('big.bin', Buffer.alloc(60_000, index));
      await take();
    }
    assert.deepEqual(await store.verify(), []); // waits for what is under way
    const large = path.join(storeFolder(path.join(folder, 'state'), [root]), 'large');
    const held = readdirSync(large).reduce((sum, name) => sum + statSync(path.join(large, name)).size, 0);
    assert.ok(held <= capBytes, String(held));
    assert.ok((await store.list()).length < 20, 'old checkpoints made room by themselves');
  });

  it('never gives a changed file out for the one it was: the second name of one changed in place is not used', async () => {
    store = open({ limits: { ...SCAN_LIMITS, largeBytes: 1_000 }, copyBytes: 0 });
    write('big.bin', Buffer.alloc(500_000, 1));
    const when = new Date(Date.now() - 60_000);
    utimesSync(path.join(root, 'big.bin'), when, when);
    const id = await take();
    const isLinked = statSync(path.join(root, 'big.bin')).nlink === 2;
    // Changed where no sample is taken, with its time put back: only the content itself can tell.
    writeInPlace('big.bin', Buffer.alloc(10, 9), 100_000);
    utimesSync(path.join(root, 'big.bin'), when, when);
    rmSync(path.join(root, 'big.bin'));
    const preview = await previewRestore(store, id, []);
    assert.ok(preview.ok);
    const skipped = await bringBack(id);
    if (isLinked) {
      assert.match(skipped.join(), /big\.bin: too large to be kept as a copy, and it was changed in place since/);
      assert.deepEqual(preview.value.cannot, skipped);
      assert.equal(existsSync(path.join(root, 'big.bin')), false);
    } else assert.deepEqual(readFileSync(path.join(root, 'big.bin')), Buffer.alloc(500_000, 1)); // blocks are shared here
  });

  it('does not follow a link that has taken a folder’s place', async () => {
    const outside = path.join(folder, 'outside');
    mkdirSync(outside);
    writeFileSync(path.join(outside, 'f.txt'), 'outside');
    write('d/f.txt', 'inside');
    const id = await take();
    write('d/f.txt', 'changed');
    await take();
    rmSync(path.join(root, 'd'), { recursive: true });
    symlinkSync(outside, path.join(root, 'd'));
    assert.deepEqual(await bringBack(id), []);
    assert.equal(readFileSync(path.join(outside, 'f.txt'), 'utf8'), 'outside');
    assert.equal(readFileSync(path.join(root, 'd/f.txt'), 'utf8'), 'inside');
  });

  it('drops old checkpoints by age and size, and keeps what newer ones need', async () => {
    write('kept.txt', 'kept'.repeat(1_000));
    await take();
    for (let index = 0; index < 8; index += 1) {
      nowMs += 24 * 60 * 60_000;
      write('noise.bin', Buffer.from(Array.from({ length: 50_000 }, () => Math.floor(Math.random() * 256))));
      await take();
    }
    const state = storeFolder(path.join(folder, 'state'), [root]);
    await store.prune();
    assert.equal((await store.list()).length, 9);
    const capped = open({ capBytes: 150_000, maxAgeMs: 5 * 24 * 60 * 60_000 });
    await capped.prune();
    const left = await capped.list();
    assert.ok(left.length >= 1 && left.length <= 4, String(left.length));
    const bytes = readdirSync(path.join(state, 'objects')).length;
    assert.ok(bytes > 0);
    assert.deepEqual(await capped.verify(), []);
    const last = left.at(-1)?.id ?? '';
    rmSync(path.join(root, 'kept.txt'));
    assert.ok((await restore(capped, last, [], never)).ok);
    assert.equal(existsSync(path.join(root, 'kept.txt')), true);
    // The store that was open all the while must not trust what it had seen before.
    write('kept.txt', 'other');
    await store.take('after', null);
    assert.deepEqual(await store.verify(), []);
  });

  it('says what is damaged and never restores it', async () => {
    write('a.txt', 'precious');
    const id = await take();
    write('a.txt', 'now');
    await take();
    const objects = path.join(storeFolder(path.join(folder, 'state'), [root]), 'objects');
    for (const name of readdirSync(objects)) truncateSync(path.join(objects, name), 20);
    await store.close();
    store = open();
    await assert.rejects(restore(store, id, [], never), /damaged|gone/);
    assert.equal(readFileSync(path.join(root, 'a.txt'), 'utf8'), 'now');
  });

  it('lets two processes use one store', async () => {
    const other = open();
    write('a.txt', 'one');
    const first = (await other.take('other', null)) ?? '';
    write('a.txt', 'two');
    await take();
    write('a.txt', 'three');
    await Promise.all([store.take('x', null), other.take('y', null)]);
    await bringBack(first);
    assert.equal(readFileSync(path.join(root, 'a.txt'), 'utf8'), 'one');
    assert.deepEqual(await store.verify(), []);
    await other.close();
  });
});
