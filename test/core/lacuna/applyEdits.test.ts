import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import {
  applyEdits,
  explainEditError,
  lineEndOf,
  withLineEnds,
  type TextEdit,
} from '../../../src/core/lacuna/applyEdits.js';

interface Case {
  readonly note: string;
  readonly text: string;
  readonly edits: readonly TextEdit[];
  readonly want?: string;
  readonly error?: string;
}

const cases = parse(readFileSync(path.join(import.meta.dirname, 'applyEdits.cases.yaml'), 'utf8')) as readonly Case[];

describe('applyEdits', () => {
  for (const { note, text, edits, want, error } of cases)
    it(note, () => {
      const result = applyEdits(text, edits);
      if (result.ok) assert.equal(result.value, want);
      else {
        assert.equal(result.error.type, error);
        assert.match(explainEditError(result.error), /^Edit \d+: /);
      }
    });

  it('leaves everything outside the edit as it was', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, after, newText) => {
        const old = '<unique>';
        const text = before.replaceAll('<', '') + old + after.replaceAll('<', '');
        const result = applyEdits(text, [{ oldText: old, newText }]);
        assert.ok(result.ok);
        const end = lineEndOf(text);
        assert.equal(result.value, text.split(old).join(withLineEnds(newText, end)));
      }),
    );
  });
});
