import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { askedBy, type Intent } from '../../../src/core/review/intents.js';

interface Case {
  readonly note: string;
  readonly request: string;
  readonly wanted: readonly Intent[];
  readonly forbidden: readonly Intent[];
  readonly narrow?: boolean;
  readonly continues?: boolean;
}
const cases = parse(readFileSync(path.join(import.meta.dirname, 'intents.cases.yaml'), 'utf8')) as readonly Case[];

describe('what a request asks for', () => {
  for (const { note, request, wanted, forbidden, narrow, continues } of cases)
    it(note, () => {
      const asked = askedBy(request);
      for (const intent of wanted)
        assert.ok(asked.wanted.has(intent), `${intent} is wanted: ${[...asked.wanted].join()}`);
      for (const intent of forbidden) assert.ok(asked.forbidden.has(intent), `${intent} is forbidden`);
      for (const intent of forbidden) assert.ok(!asked.wanted.has(intent), `${intent} is not wanted`);
      if (wanted.length === 0 && continues !== true) assert.equal(asked.wanted.size, 0);
      assert.equal(asked.isNarrow, narrow ?? false);
      assert.equal(asked.isContinuation, continues ?? false);
    });

  it('takes a long request in a moment', () => {
    const start = performance.now();
    askedBy('do not push the nicht kein sans '.repeat(20_000));
    assert.ok(performance.now() - start < 500);
  });
});
