import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Io } from '../../../src/cli/io.js';
import { policyTest } from '../../../src/cli/policy/test.js';

const folder = path.resolve(import.meta.dirname, '../../../policies');

async function run(...args: string[]): Promise<{ readonly code: number; readonly text: string }> {
  let text = '';
  const io: Io = {
    out: (part) => void (text += part),
    error: (part) => void (text += part),
    async *lines() {
      yield* await Promise.resolve([]);
    },
    isInteractive: false,
  };
  return { code: await policyTest(args, io), text };
}

describe('lacuna policy test', () => {
  it('passes on all built-in packs', async () => {
    const packs = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
    assert.ok(packs.length > 10);
    const { code, text } = await run(...packs.map((name) => `pack=${path.join(folder, name)}`));
    assert.equal(code, 0, text);
    assert.match(text, /^[1-9]\d+ passed, 0 failed$/m);
  });
});
