import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse } from 'yaml';
import { hunksOf, linesOf, placesIn, textWith } from '../../../src/core/lacuna/hunks.js';

interface Case {
  readonly note: string;
  readonly before: string;
  readonly after: string;
  readonly hunks: readonly { old: number; removed: string[]; new: number; added: string[] }[];
}
const cases = parse(readFileSync(new URL('hunks.cases.yaml', import.meta.url), 'utf8')) as Case[];

/** Texts of few different lines, so that lines repeat and move. */
const texts = fc
  .tuple(fc.array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd\n'), { maxLength: 30 }), fc.constantFrom('', 'end'))
  .map(([lines, last]) => lines.join('') + last);

describe('hunks', () => {
  for (const { note, before, after, hunks } of cases) {
    it(note, () => {
      const found = hunksOf(before, after).map((hunk) => ({
        old: hunk.oldStart,
        removed: [...hunk.oldLines],
        new: hunk.newStart,
        added: [...hunk.newLines],
      }));
      assert.deepEqual(found, hunks);
    });
  }

  it('all taken is the new text, none taken the old one', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const hunks = hunksOf(before, after);
        assert.equal(
          textWith(before, hunks, () => true),
          after,
        );
        assert.equal(
          textWith(before, hunks, () => false),
          before,
        );
      }),
    );
  });

  it('hunks are apart, and each stands where it says in the text of any choice', () => {
    fc.assert(
      fc.property(texts, texts, fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), (before, after, choice) => {
        const hunks = hunksOf(before, after);
        const isTaken = (index: number): boolean => choice[index] === true;
        const lines = linesOf(textWith(before, hunks, isTaken));
        const places = placesIn(hunks, isTaken);
        for (const [index, hunk] of hunks.entries()) {
          const { start, count } = places[index] ?? { start: -1, count: 0 };
          assert.deepEqual(lines.slice(start, start + count), isTaken(index) ? hunk.newLines : hunk.oldLines);
          const next = hunks[index + 1];
          if (next) assert.ok(next.oldStart > hunk.oldStart + hunk.oldLines.length);
        }
      }),
    );
  });

  it('texts with nothing in common are one hunk, and soon @slow', () => {
    const before = Array.from({ length: 20_000 }, (_, line) => `old ${line}\n`).join('');
    const after = Array.from({ length: 20_000 }, (_, line) => `new ${line}\n`).join('');
    const startMs = performance.now();
    const hunks = hunksOf(`same\n${before}`, `same\n${after}`);
    assert.equal(hunks.length, 1);
    assert.equal(hunks[0]?.oldStart, 1);
    assert.ok(performance.now() - startMs < 20_000);
  });
});
