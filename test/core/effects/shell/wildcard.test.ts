import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fits, fittingLengths, wildcardOf } from '../../../../src/core/effects/shell/wildcard.js';

const CASES: readonly (readonly [pattern: string, text: string, isFit: boolean])[] = [
  ['', '', true],
  ['*', '', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-b-b-', false],
  ['?', '', false],
  ['[!a-c]x', 'dx', true],
  ['[!a-c]x', 'bx', false],
  ['[[:digit:]]*', '7z', true],
  ['[]]', ']', true],
  ['[a', '[a', true],
  [String.raw`\*`, '*', true],
  [String.raw`\*`, 'a', false],
  ['a.c', 'abc', false],
];

describe('patterns of the shell', () => {
  for (const [pattern, text, isFit] of CASES)
    it(`${pattern} ${isFit ? 'fits' : 'does not fit'} ${JSON.stringify(text)}`, () => {
      const wildcard = wildcardOf(pattern, true);
      assert.equal(wildcard && fits(wildcard, text), isFit);
    });
  it('knows no class that is none', () => assert.equal(wildcardOf('[\\', true)?.length, 2));
  it('agrees with itself about whole texts and their beginnings', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 12 });
    fc.assert(
      fc.property(letters, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 }), (pattern, text) => {
        const wildcard = wildcardOf(pattern, true) ?? [];
        const lengths = [...fittingLengths(wildcard, text)];
        for (let length = 0; length <= text.length; length += 1)
          assert.equal(lengths.includes(length), fits(wildcard, text.slice(0, length)));
        assert.equal(
          new RegExp(`^${pattern.replace(/\?/g, '.').replace(/\*+/g, '.*')}$`).test(text),
          fits(wildcard, text),
        );
      }),
    );
  });
  it('takes no longer for many stars', () => {
    const wildcard = wildcardOf('*a'.repeat(200), true) ?? [];
    assert.equal(fits(wildcard, `${'a'.repeat(5_000)}b`), false);
    assert.deepEqual([...fittingLengths(wildcard, 'a'.repeat(199))], []);
  });
});
