import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findRepository } from '../../src/adapters/git.js';

describe('texts of other revisions', () => {
  let root = '';
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const write = (file: string, text: string): void => {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  const textsAt = (revision: string, ...files: readonly string[]): unknown => {
    const texts = findRepository(root)?.textsAt(
      revision,
      files.map((file) => path.join(root, file)),
    );
    return texts && Object.fromEntries([...texts].map(([file, text]) => [path.relative(root, file), text]));
  };

  before(() => {
    root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-git-')));
    git('init', '--quiet', '--initial-branch=main');
    write('.lacuna/policy.yaml', 'one');
    write('a b/ü.txt', 'a');
    git('add', '.');
    git('commit', '--quiet', '-m', 'one');
    git('switch', '--quiet', '-c', 'topic');
    write('.lacuna/policy.yaml', 'two');
    git('commit', '--quiet', '-am', 'two');
    git('switch', '--quiet', 'main');
    write('.lacuna/policy.yaml', 'three');
    git('commit', '--quiet', '-am', 'three');
    write('.lacuna/policy.yaml', 'staged');
    git('add', '.');
    write('.lacuna/policy.yaml', 'loose');
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it('gives those at or below the paths, by any name of a revision', () => {
    assert.deepEqual(textsAt('topic', '.lacuna', 'nothing'), { '.lacuna/policy.yaml': 'two' });
    assert.deepEqual(textsAt('HEAD', '.lacuna/policy.yaml', 'a b'), {
      '.lacuna/policy.yaml': 'three',
      'a b/ü.txt': 'a',
    });
    assert.deepEqual(textsAt('topic^', '.lacuna'), { '.lacuna/policy.yaml': 'one' });
    assert.deepEqual(textsAt('@{-1}', '.lacuna'), { '.lacuna/policy.yaml': 'two' });
  });
  it('gives those of the index, and of where two parted', () => {
    assert.deepEqual(textsAt('', '.lacuna'), { '.lacuna/policy.yaml': 'staged' });
    assert.deepEqual(textsAt('HEAD...topic', '.lacuna'), { '.lacuna/policy.yaml': 'one' });
  });
  it('knows the tree without files', () => {
    assert.deepEqual(textsAt('4b825dc642cb6eb9a060e54bf8d69288fbee4904', '.lacuna'), {});
  });
  it('gives nothing for what is no revision', () => {
    for (const name of ['nowhere', '--output=x', 'a b', 'HEAD:.lacuna/policy.yaml'])
      assert.equal(textsAt(name, '.lacuna'), null, name);
    assert.equal(textsAt('HEAD...nowhere', '.lacuna'), null);
  });
});
