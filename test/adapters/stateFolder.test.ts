import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ownKey } from '../../src/adapters/stateFolder.js';

/** Asks for the key `times` times in a process of its own, each in a folder of that number; gives the keys. */
async function keysOf(folder: string, times: number, startMs: number): Promise<string> {
  const script = path.join(import.meta.dirname, 'keyReader.ts');
  const words = ['--import', 'tsx', script, folder, String(times), String(startMs)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  await new Promise((resolve) => child.on('close', resolve));
  return out;
}

describe('the key of the state folder', () => {
  let folder = '';
  beforeEach(() => (folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-key-')))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is made once, for its owner, and nothing else is left', () => {
    const file = path.join(folder, 'state/key');
    assert.equal(ownKey(file), ownKey(file));
    assert.deepEqual(readdirSync(path.dirname(file)), ['key']);
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('a damaged one is not used and not replaced', () => {
    const file = path.join(folder, 'key');
    writeFileSync(file, 'abc');
    assert.throws(() => ownKey(file), /damaged/);
  });

  it('processes that make it at once agree on one, and none reads half of it @slow', async function () {
    this.timeout(60_000);
    const startMs = Date.now() + 4_000;
    const [first = '', ...others] = await Promise.all([1, 2, 3].map(() => keysOf(folder, 200, startMs)));
    assert.match(first, /^([0-9a-f]{64} ){200}$/);
    for (const keys of others) assert.equal(keys, first);
  });
});
