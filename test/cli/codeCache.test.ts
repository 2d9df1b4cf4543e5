import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isComplete, readCodeCache, writeCodeCache, type CodeCache } from '../../src/cli/codeCache.js';

const CACHE: CodeCache = {
  runs: 1,
  parts: new Map([
    ['lacuna.js', Buffer.from([1, 2, 3])],
    ['chunk-A.js', Buffer.from('\n\0\n')],
  ]),
};

/** Windows has no modes; its profile folders are the owner's. */
function onPosix(name: string, test: () => void): void {
  if (process.platform !== 'win32') it(name, test);
}

describe('compiled code that is kept between starts', () => {
  let root = '';
  let file = '';
  const isRefused = (): void => assert.equal(readCodeCache(file).parts.size, 0);

  beforeEach(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'lacuna-code-'));
    file = path.join(root, 'code', 'build-v20-x64-check');
    writeCodeCache(file, CACHE);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('comes back as it was written', () => assert.deepEqual(readCodeCache(file), CACHE));
  onPosix('is for its owner only', () => {
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o700);
  });
  for (const mode of [0o640, 0o602]) {
    onPosix(`is not taken when others reach the file (${mode.toString(8)})`, () => {
      chmodSync(file, mode);
      isRefused();
    });
  }
  onPosix('is not taken from a folder that others reach', () => {
    chmodSync(path.dirname(file), 0o755);
    isRefused();
  });
  onPosix('is not taken through a link that stands for the folder', () => {
    symlinkSync(path.dirname(file), path.join(root, 'link'));
    assert.equal(readCodeCache(path.join(root, 'link', path.basename(file))).parts.size, 0);
  });
  it('is not taken when a byte of it is another one', () => {
    const bytes = readFileSync(file);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(file, bytes);
    isRefused();
  });
  it('is not taken when its end is missing', () => {
    writeFileSync(file, readFileSync(file).subarray(0, -1));
    isRefused();
  });
  it('is none where there is no file', () => assert.equal(readCodeCache(`${file}x`).runs, 0));
  it('replaces that of an earlier build, and leaves that of other uses', () => {
    writeCodeCache(path.join(root, 'code', 'build-v20-x64-run'), CACHE);
    assert.deepEqual(readdirSync(path.dirname(file)).sort(), ['build-v20-x64-check', 'build-v20-x64-run']);
    writeCodeCache(path.join(root, 'code', 'next-v20-x64-check'), CACHE);
    assert.deepEqual(readdirSync(path.dirname(file)), ['next-v20-x64-check']);
  });
  it('is left out without a word where nothing can be written', () => {
    writeCodeCache(path.join(file, 'below-a-file'), CACHE);
    assert.deepEqual(readCodeCache(file), CACHE);
  });
  it('is complete after a few runs, so that a start does not write for ever', () =>
    assert.deepEqual(
      [1, 2, 3].map((runs) => isComplete({ ...CACHE, runs })),
      [false, false, true],
    ));
});
