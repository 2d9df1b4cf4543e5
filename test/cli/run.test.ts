import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Io } from '../../src/cli/io.js';
import { main } from '../../src/cli/main.js';

describe('lacuna run', function () {
  this.timeout(30_000);
  let folder = '';
  const said = { out: '', error: '' };
  const io: Io = {
    out: (text) => void (said.out += text),
    error: (text) => void (said.error += text),
    async *lines() {
      // Nothing is read from standard input.
    },
    isInteractive: false,
  };
  const run = (lacuna: object, ...flags: readonly string[]): Promise<number> => {
    const at = ['--workspace', path.join(folder, 'work'), '--state', path.join(folder, 'state')];
    return main(['run', ...at, '--headless', ...flags, '--lacuna', JSON.stringify(lacuna)], io);
  };
  const read = (file: string): object => ({ kind: 'ReadFile', params: { path: file } });
  const shell = (command: string): object => ({ kind: 'ExecuteShell', params: { command } });

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-run-')));
    mkdirSync(path.join(folder, 'work'));
    writeFileSync(path.join(folder, 'work/a.txt'), 'written here\n');
    [said.out, said.error] = ['', ''];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('fills what is allowed and shows what came back', async () => {
    assert.equal(await run(read('a.txt')), 0);
    assert.match(said.out, /written here/);
    assert.match(said.error, /^allow by rule: /);
  });

  it('a refusal says why and what to do; it is an answer, and a failure only to who asks for one', async () => {
    assert.equal(await run(shell('rm -rf /')), 0);
    assert.match(said.error, /^deny by protection: [^]*refused by /);
    assert.equal(await run(shell('rm -rf /'), '--exit-code'), 1);
  });

  it("a command's own failure is one where it is asked for", async () => {
    assert.equal(await run(shell('ls no-such-file')), 0);
    assert.equal(await run(shell('ls no-such-file'), '--exit-code'), 1);
    assert.equal(await run(shell('ls a.txt'), '--exit-code'), 0);
  });
});
