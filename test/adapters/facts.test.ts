import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs, { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { lookAtFileSystem } from '../../src/adapters/facts.js';
import type { Facts } from '../../src/core/effects/facts.js';

describe('facts of the file system', () => {
  let base: string;
  let root: string;
  const look = (): Facts => lookAtFileSystem({ roots: [root], home: path.join(base, 'home') });
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: root,
      stdio: 'ignore',
    });
  };
  const put = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  };

  before(() => {
    base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-facts-')));
    root = path.join(base, 'work');
    mkdirSync(root);
    git('init', '-b', 'main');
    put('.gitignore', 'dist/\n.env\n');
    put('src/clean.js', '1');
    put('src/changed.js', '1');
    git('add', '.');
    git('commit', '-m', 'first');
    put('src/changed.js', '2');
    put('notes/a.md', 'x');
    put('dist/out.js', 'x');
    put('.env', 'A=1');
    symlinkSync('/etc', path.join(root, 'link'));
    symlinkSync(path.join(base, 'not-there'), path.join(root, 'dangling'));
    git('config', 'alias.nuke', '!rm -rf x');
    git('remote', 'add', 'origin', 'https://example.org/shop.git');
  });
  after(() => rmSync(base, { recursive: true, force: true }));

  const states: readonly (readonly [string, string])[] = [
    ['src/clean.js', 'tracked'],
    ['src/changed.js', 'modified'],
    ['notes/a.md', 'untracked'],
    ['notes', 'untracked'],
    ['dist', 'ignored'],
    ['dist/out.js', 'ignored'],
    ['.env', 'ignored'],
    ['src', 'mixed'],
    ['nothing', 'absent'],
  ];
  for (const [name, want] of states) {
    it(`git sees ${name} as ${want}`, () => assert.equal(look().gitState(path.join(root, name)), want));
  }

  it('lists what no commit holds', () => {
    assert.deepEqual(
      look()
        .uncommitted(root)
        ?.map((file) => path.relative(root, file))
        .sort(),
      ['dangling', 'link', 'notes/a.md', 'src/changed.js'],
    );
    assert.deepEqual(look().uncommitted(path.join(root, 'src/clean.js')), []);
  });

  it('follows links, also one whose target is not there', () => {
    assert.equal(look().realPath(path.join(root, 'link/passwd')), '/etc/passwd');
    assert.equal(look().realPath(path.join(root, 'dangling')), path.join(base, 'not-there'));
    assert.equal(look().realPath(path.join(root, 'new/deep/file')), path.join(root, 'new/deep/file'));
    assert.equal(look().entry(path.join(root, 'link')), 'link');
  });

  it('resolves every path as the system does, as far as there is one', () => {
    put('real/deep/file', 'x');
    const links: readonly (readonly [string, string])[] = [
      ['up', '..'],
      ['real/sideways', '../src'],
      ['real/deep/back', '../../real/deep'],
      ['through', 'up/work/real'],
      ['one', 'two'],
      ['two', 'one'],
    ];
    for (const [name, target] of links) symlinkSync(target, path.join(root, name));
    const names = ['up', 'real', 'deep', 'sideways', 'back', 'through', 'one', 'link', 'src', 'file', 'work', 'none'];
    const folders = names.flatMap((first) => names.map((second) => `${first}/${second}`));
    const facts = look();
    for (const name of folders.flatMap((folder) => [folder, ...names.map((third) => `${folder}/${third}`)])) {
      for (const base of [root, `${root}/up/work`, '/proc/self/cwd']) {
        const file = `${base}/${name}`;
        let want: string | null = null;
        try {
          want = realpathSync.native(file);
        } catch (error) {
          assert.ok(error instanceof Error && 'code' in error);
        }
        if (want === null) {
          // Nothing is there: the nearest folder that is, and the rest as it was asked for.
          want = `${facts.realPath(path.posix.dirname(file))}/${path.posix.basename(file)}`;
          if (facts.entry(file) === 'link') continue;
        }
        assert.equal(facts.realPath(file), want, file);
      }
    }
    for (const name of [`${root}/./src`, `${root}//src`, `${root}/src/`, `${root}/real/../src`])
      assert.equal(facts.realPath(name), path.join(root, 'src'), name);
  });

  it('looks at each path once, and not below what is not there', () => {
    const asked: string[] = [];
    const own = fs.lstatSync;
    const lstat = mock.method(fs, 'lstatSync', (...args: Parameters<typeof own>) => {
      asked.push(String(args[0]));
      return own(...args);
    });
    const real = mock.method(fs.realpathSync, 'native');
    try {
      const facts = look();
      real.mock.resetCalls();
      asked.length = 0;
      for (const name of ['src/clean.js', 'src/changed.js', 'gone/a/b', 'gone/a/c', 'src/clean.js']) {
        facts.realPath(path.join(root, name));
        facts.entry(path.join(root, name));
        facts.sizeBytes(path.join(root, name));
      }
      const want = ['src', 'src/clean.js', 'src/changed.js', 'gone'].map((name) => path.join(root, name));
      assert.deepEqual(asked, want);
      assert.equal(real.mock.callCount(), 0);
    } finally {
      lstat.mock.restore();
      real.mock.restore();
    }
  });

  it('knows the repository, its aliases and remotes', () => {
    const repository = look().repository(path.join(root, 'src'));
    assert.equal(repository?.root, root);
    assert.equal(repository?.branch, 'main');
    assert.equal(repository?.aliases.get('nuke'), '!rm -rf x');
    assert.equal(repository?.remotes.get('origin'), 'https://example.org/shop.git');
    assert.equal(look().repository('/'), null);
  });

  it('a linked worktree is known as one', () => {
    const tree = path.join(base, 'tree');
    git('worktree', 'add', tree, '-b', 'feature');
    const repository = lookAtFileSystem({ roots: [tree] }).repository(tree);
    assert.equal(repository?.isLinkedWorktree, true);
    assert.equal(repository?.branch, 'feature');
  });

  it('reads small text only', () => {
    put('big.txt', 'x'.repeat(300 * 1024));
    put('binary', 'a\0b');
    assert.equal(look().readText(path.join(root, 'src/clean.js')), '1');
    for (const name of ['big.txt', 'binary', 'src', 'nothing'])
      assert.equal(look().readText(path.join(root, name)), null, name);
  });

  it('knows nothing of a workspace that is not here, nor of another machine', () => {
    const facts = lookAtFileSystem({ roots: ['/no/such/workspace'], home: '/no/such/home', environment: 'unknown' });
    assert.equal(facts.entry('/no/such/workspace/a'), 'unknown');
    assert.equal(facts.gitState('/no/such/workspace/a'), 'unknown');
    assert.equal(facts.entry('/no/such/home/.ssh'), 'unknown');
    assert.equal(facts.environment('HOME'), '/no/such/home');
    assert.equal(facts.environment('PATH'), undefined);
    const windows = lookAtFileSystem({
      roots: ['C:\\Users\\dev\\shop'],
      home: 'C:\\Users\\dev',
      platform: process.platform === 'win32' ? 'linux' : 'win32',
    });
    assert.equal(windows.entry('C:/Users/dev/shop/a'), 'unknown');
    assert.deepEqual(windows.roots, ['C:/Users/dev/shop']);
  });
});
