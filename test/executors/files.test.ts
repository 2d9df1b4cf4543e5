import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { textOf, Workspace } from './workspace.js';

describe('file executors', () => {
  let ws: Workspace;
  beforeEach(() => {
    ws = new Workspace();
  });
  afterEach(() => {
    ws.dispose();
  });

  describe('WriteFile', () => {
    it('makes a file and the folders it needs', async () => {
      const outcome = await ws.fill('WriteFile', { path: 'a/b/c.txt', content: 'hi\n' });
      assert.equal(outcome.type, 'filled');
      assert.equal(readFileSync(ws.at('a/b/c.txt'), 'utf8'), 'hi\n');
      assert.deepEqual(readdirSync(ws.at('a/b')), ['c.txt']);
    });

    it('keeps mode, byte order mark and line ends of the file it replaces', async () => {
      const file = ws.write('run.sh', '\ufeffa\r\nb\r\n');
      chmodSync(file, 0o751);
      await ws.fill('WriteFile', { path: 'run.sh', content: 'x\ny\n' });
      assert.equal(readFileSync(file, 'utf8'), '\ufeffx\r\ny\r\n');
      assert.equal(lstatSync(file).mode & 0o7777, 0o751);
    });

    it('keeps UTF-16', async () => {
      const file = ws.write('w.txt', Buffer.from('\ufeffold', 'utf16le'));
      await ws.fill('WriteFile', { path: 'w.txt', content: 'new ü' });
      assert.deepEqual(readFileSync(file), Buffer.from('\ufeffnew ü', 'utf16le'));
    });

    it('writes through a link that was there when it was decided', async () => {
      const target = ws.write('real.txt', 'old');
      symlinkSync('real.txt', ws.at('link.txt'));
      await ws.fill('WriteFile', { path: 'link.txt', content: 'new' });
      assert.equal(readFileSync(target, 'utf8'), 'new');
      assert.equal(readlinkSync(ws.at('link.txt')), 'real.txt');
    });

    it('takes away the folders it made when it was voided', async () => {
      const outcome = await ws.fill(
        'WriteFile',
        { path: 'x/y/z.txt', content: 'hi' },
        { atLook: (look) => look === 1 && writeFileSync(ws.at('x'.concat('2')), '') },
      );
      assert.equal(outcome.type, 'filled'); // an unrelated file does not void it
      const voided = await ws.fill('WriteFile', { path: 'p/q/z.txt', content: 'hi' }, { cancel: AbortSignal.abort() });
      assert.equal(voided.type, 'cancelled');
      assert.equal(existsSync(ws.at('p')), false);
    });
  });

  describe('EditFile', () => {
    it('makes all edits or none', async () => {
      const file = ws.write('f.txt', 'one\ntwo\n');
      const failed = await ws.fill('EditFile', {
        path: 'f.txt',
        edits: [
          { oldText: 'one', newText: '1' },
          { oldText: 'three', newText: '3' },
        ],
      });
      assert.equal(failed.type, 'failed');
      assert.equal(readFileSync(file, 'utf8'), 'one\ntwo\n');
      await ws.fill('EditFile', { path: 'f.txt', edits: [{ oldText: 'two', newText: '2' }] });
      assert.equal(readFileSync(file, 'utf8'), 'one\n2\n');
    });

    it('keeps bytes of a single-byte encoding that it does not know', async () => {
      const file = ws.write('latin.txt', Buffer.from('caf\xe9 noir\n', 'latin1'));
      await ws.fill('EditFile', { path: 'latin.txt', edits: [{ oldText: 'noir', newText: 'blanc' }] });
      assert.deepEqual(readFileSync(file), Buffer.from('caf\xe9 blanc\n', 'latin1'));
    });

    it('refuses binary files', async () => {
      ws.write('b.bin', Buffer.from([1, 0, 2]));
      const outcome = await ws.fill('EditFile', { path: 'b.bin', edits: [{ oldText: 'a', newText: 'b' }] });
      assert.equal(outcome.type, 'failed');
    });
  });

  describe('DeleteFile', () => {
    it('takes a link and not what it points at', async () => {
      ws.write('real.txt', 'x');
      symlinkSync('real.txt', ws.at('link'));
      assert.equal((await ws.fill('DeleteFile', { path: 'link' })).type, 'filled');
      assert.deepEqual(readdirSync(ws.root), ['real.txt']);
    });

    it('needs leave to take a full folder', async () => {
      ws.write('d/f.txt', 'x');
      assert.equal((await ws.fill('DeleteFile', { path: 'd' })).type, 'failed');
      assert.equal(existsSync(ws.at('d/f.txt')), true);
      assert.equal((await ws.fill('DeleteFile', { path: 'd', recursive: true })).type, 'filled');
      assert.deepEqual(readdirSync(ws.root), []);
    });

    it('does not walk through links in a folder', async () => {
      const precious = path.join(ws.outside, 'precious.txt');
      writeFileSync(precious, 'keep');
      mkdirSync(ws.at('d'));
      symlinkSync(ws.outside, ws.at('d/out'));
      await ws.fill('DeleteFile', { path: 'd', recursive: true });
      assert.equal(readFileSync(precious, 'utf8'), 'keep');
      assert.equal(existsSync(ws.at('d')), false);
    });
  });

  describe('MoveFile', () => {
    it('moves files and folders into folders it makes', async () => {
      ws.write('a.txt', 'A');
      ws.write('d/in.txt', 'I');
      assert.equal((await ws.fill('MoveFile', { from: 'a.txt', to: 'n/b.txt' })).type, 'filled');
      assert.equal((await ws.fill('MoveFile', { from: 'd', to: 'n/d' })).type, 'filled');
      assert.equal(readFileSync(ws.at('n/b.txt'), 'utf8'), 'A');
      assert.equal(readFileSync(ws.at('n/d/in.txt'), 'utf8'), 'I');
      assert.deepEqual(readdirSync(ws.root), ['n']);
    });

    it('never replaces what is there', async () => {
      ws.write('a.txt', 'A');
      ws.write('b.txt', 'B');
      assert.equal((await ws.fill('MoveFile', { from: 'a.txt', to: 'b.txt' })).type, 'failed');
      assert.equal(readFileSync(ws.at('b.txt'), 'utf8'), 'B');
      const late = await ws.fill(
        'MoveFile',
        { from: 'a.txt', to: 'c.txt' },
        { atLook: (look) => look === 1 && writeFileSync(ws.at('c.txt'), 'C') },
      );
      assert.equal(late.type, 'void');
      assert.equal(readFileSync(ws.at('c.txt'), 'utf8'), 'C');
      assert.equal(readFileSync(ws.at('a.txt'), 'utf8'), 'A');
    });

    it('moves over the border of file systems', async function () {
      if (!existsSync('/dev/shm') || lstatSync('/dev/shm').dev === lstatSync(ws.root).dev) {
        assert.ok(true, 'this machine has one file system: nothing to be shown');
        return;
      }
      const there = path.join('/dev/shm', path.basename(ws.outside));
      ws.write('d/a.txt', 'A');
      symlinkSync('a.txt', ws.at('d/link'));
      try {
        const outcome = await ws.fill('MoveFile', { from: 'd', to: there });
        assert.equal(outcome.type, 'filled');
        assert.equal(readFileSync(path.join(there, 'a.txt'), 'utf8'), 'A');
        assert.equal(readlinkSync(path.join(there, 'link')), 'a.txt');
        assert.deepEqual(readdirSync(ws.root), []);
      } finally {
        rmSync(there, { recursive: true, force: true });
      }
    });
  });

  describe('ReadFile', () => {
    it('gives the lines that were asked for', async () => {
      ws.write('f.txt', '1\n2\n3\n4\n');
      const outcome = await ws.fill('ReadFile', { path: 'f.txt', startLine: 2, endLine: 3 });
      assert.equal(textOf(outcome), '2\n3\n');
    });

    it('leaves out the middle of long files and says so', async () => {
      ws.write('long.txt', 'line\n'.repeat(100_000));
      const outcome = await ws.fill('ReadFile', { path: 'long.txt' });
      assert.ok(outcome.type === 'filled' && outcome.output.droppedBytes > 300_000);
      assert.match(textOf(outcome), /bytes left out/);
    });

    it('refuses binary files, folders and pipes politely', async () => {
      ws.write('b.bin', Buffer.from([1, 0, 2]));
      mkdirSync(ws.at('d'));
      for (const name of ['b.bin', 'd', 'absent']) {
        const outcome = await ws.fill('ReadFile', { path: name });
        assert.equal(outcome.type, 'failed', name);
      }
    });

    it('gives what the editor holds and the disk does not', async () => {
      const open = new Workspace({ open: { unsaved: (file) => (file.endsWith('f.txt') ? 'unsaved' : null) } });
      open.write('f.txt', 'saved');
      assert.equal(textOf(await open.fill('ReadFile', { path: 'f.txt' })), 'unsaved');
      assert.equal((await open.fill('WriteFile', { path: 'f.txt', content: 'x' })).type, 'failed');
      assert.equal((await open.fill('DeleteFile', { path: 'f.txt' })).type, 'failed');
      open.dispose();
    });
  });

  describe('ListFiles and SearchFiles', () => {
    beforeEach(() => {
      ws.write('src/a.ts', 'const needle = 1;\n');
      ws.write('src/deep/b.ts', 'nothing\nNeedle 22\n');
      ws.write('node_modules/x/i.js', 'needle');
      ws.write('.env', 'needle=secret');
    });

    it('lists names, all or those of a pattern', async () => {
      assert.equal(textOf(await ws.fill('ListFiles', { path: '.' })), '.env\nnode_modules/\nsrc/');
      assert.equal(
        textOf(await ws.fill('ListFiles', { path: '.', recursive: true, pattern: '*.ts' })),
        'src/a.ts\nsrc/deep/b.ts\n(not walked into: node_modules)',
      );
    });

    it('finds texts and expressions, and leaves out secrets and packages', async () => {
      assert.equal(
        textOf(await ws.fill('SearchFiles', { query: 'needle' })),
        'src/a.ts:1: const needle = 1;\n(not searched, since they hold secrets: .env)',
      );
      const regex = await ws.fill('SearchFiles', { query: '(?i)needle \\d+', isRegex: true, path: 'src' });
      assert.equal(textOf(regex), 'deep/b.ts:2: Needle 22');
      assert.equal((await ws.fill('SearchFiles', { query: '(', isRegex: true })).type, 'failed');
    });
  });

  describe('swaps between decision and filling', () => {
    const swaps: Readonly<Record<string, (ws: Workspace) => void>> = {
      'the content changes': ({ root }) => {
        writeFileSync(path.join(root, 'd/f.txt'), 'changed meanwhile');
      },
      'the file becomes a link to the outside': ({ root, outside }) => {
        rmSync(path.join(root, 'd/f.txt'));
        symlinkSync(path.join(outside, 'precious.txt'), path.join(root, 'd/f.txt'));
      },
      'its folder becomes a link to the outside': ({ root, outside }) => {
        renameSync(path.join(root, 'd'), path.join(root, 'moved'));
        symlinkSync(path.join(outside, 'away'), path.join(root, 'd'));
      },
      'its folder is another folder of that name': ({ root }) => {
        renameSync(path.join(root, 'd'), path.join(root, 'moved'));
        mkdirSync(path.join(root, 'd'));
        writeFileSync(path.join(root, 'd/f.txt'), 'content');
      },
    };
    const acts = {
      WriteFile: { path: 'd/f.txt', content: 'evil' },
      EditFile: { path: 'd/f.txt', edits: [{ oldText: 'content', newText: 'evil' }] },
      DeleteFile: { path: 'd/f.txt' },
      MoveFile: { from: 'd/f.txt', to: 'd/g.txt' },
    } as const;

    for (const [what, swap] of Object.entries(swaps))
      for (const kind of ['WriteFile', 'EditFile', 'DeleteFile', 'MoveFile'] as const)
        for (const moment of ['before it is spent', 'at the spending', 'at the last look'] as const)
          it(`${kind}: ${what} ${moment}`, async () => {
            ws.write('d/f.txt', 'content');
            mkdirSync(path.join(ws.outside, 'away'));
            writeFileSync(path.join(ws.outside, 'away/f.txt'), 'content');
            writeFileSync(path.join(ws.outside, 'precious.txt'), 'content');
            const outcome = await ws.fill(kind, acts[kind], {
              between: () => {
                if (moment === 'before it is spent') swap(ws);
              },
              atLook: (look) => {
                if (moment === 'at the spending' ? look === 0 : moment === 'at the last look' && look === 1) swap(ws);
              },
            });
            assert.equal(outcome.type, 'void');
            assert.equal(readFileSync(path.join(ws.outside, 'away/f.txt'), 'utf8'), 'content');
            assert.equal(readFileSync(path.join(ws.outside, 'precious.txt'), 'utf8'), 'content');
            const left = readdirSync(ws.outside, { recursive: true, encoding: 'utf8' });
            assert.deepEqual(
              left.filter((name) => name.includes('.lacuna-') || name.includes('g.txt')),
              [],
            );
          });
  });
});
