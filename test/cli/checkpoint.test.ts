import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CheckpointStore, storeFolder } from '../../src/adapters/checkpoints/store.js';
import { checkpoint } from '../../src/cli/checkpoint.js';
import { EXIT, UsageError, type ExitCode } from '../../src/cli/io.js';

describe('lacuna checkpoint', () => {
  let folder = '';
  let root = '';
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-cli-')));
    root = path.join(folder, 'ws');
    mkdirSync(root);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const call = async (...words: readonly string[]): Promise<{ code: ExitCode; text: string }> => {
    let text = '';
    const out = (part: string): void => {
      text += part;
    };
    const lines = async function* (): AsyncIterable<string> {
      yield* [];
    };
    const flags = ['--workspace', root, '--state', path.join(folder, 'state')];
    const code = await checkpoint([...words, ...flags], { out, error: out, lines, isInteractive: false });
    return { code, text };
  };

  it('lists, shows what a restore would change, and restores', async () => {
    const clock = { nowMs: () => Date.now(), nowMicros: () => 0 };
    const store = new CheckpointStore({
      folder: storeFolder(path.join(folder, 'state'), [root]),
      roots: [root],
      clock,
    });
    writeFileSync(path.join(root, 'a.txt'), 'one');
    const id = (await store.take('before a test', 'l1')) ?? '';
    await store.close();
    writeFileSync(path.join(root, 'a.txt'), 'two');
    writeFileSync(path.join(root, 'new.txt'), 'new');
    assert.match((await call('list')).text, new RegExp(`^${id} .* before a test {2}\\(l1\\)\\n$`));
    const shown = await call('show', id);
    assert.match(shown.text, new RegExp(`~ ${root}/a.txt\\n`));
    assert.match(shown.text, new RegExp(`- ${root}/new.txt\\n`));
    assert.equal(existsSync(path.join(root, 'new.txt')), true);
    const one = await call('restore', id, 'a.txt');
    assert.equal(one.code, EXIT.done);
    assert.equal(readFileSync(path.join(root, 'a.txt'), 'utf8'), 'one');
    assert.equal(existsSync(path.join(root, 'new.txt')), true);
    const all = await call('restore', id);
    assert.match(all.text, /To take this back: lacuna checkpoint restore \w+\n$/);
    assert.equal(existsSync(path.join(root, 'new.txt')), false);
    assert.ok(Array.isArray(JSON.parse((await call('list', '--json')).text)));
  });

  it('refuses what it does not know', async () => {
    await assert.rejects(call('restore', 'nowhere'), UsageError);
    await assert.rejects(call('frobnicate'), UsageError);
    assert.equal((await call()).code, EXIT.unusable);
  });
});
