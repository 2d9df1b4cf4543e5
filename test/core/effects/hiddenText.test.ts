import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse } from 'yaml';
import { describeHidden, findHiddenText } from '../../../src/core/effects/hiddenText.js';

const cases = parse(readFileSync(new URL('./hiddenText.cases.yaml', import.meta.url), 'utf8')) as {
  note: string;
  text: string;
  found: string[];
}[];

describe('hidden text', () => {
  for (const { note, text, found } of cases) {
    it(note, () => {
      assert.deepEqual(
        findHiddenText(text).map(({ kind, line, column }) => `${kind}@${String(line)}:${String(column)}`),
        found,
      );
    });
  }

  it('says what and where, three at most', () => {
    assert.equal(
      describeHidden(findHiddenText('a\u202e\u202e\n\u200b\u200b')),
      'U+202E right-to-left override at 1:2, U+202E right-to-left override at 1:3, U+200B zero-width space at 2:1 and 1 more',
    );
  });

  it('never throws, and says nothing of ASCII without control characters', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void findHiddenText(text)));
    fc.assert(fc.property(fc.string(), (text) => assert.deepEqual(findHiddenText(text), [])));
  });
});
