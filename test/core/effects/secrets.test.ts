import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse } from 'yaml';
import { findPersonalData } from '../../../src/core/effects/personalData.js';
import { findSecrets, hasSecret, maskSecrets } from '../../../src/core/effects/secrets.js';

interface Case {
  note: string;
  text: string;
  kinds: string[];
  /** The text after masking. */
  rest?: string;
}
const cases = (parse(readFileSync(new URL('./secrets.cases.yaml', import.meta.url), 'utf8')) as Case[]).map((one) => ({
  ...one,
  text: one.text.replaceAll('·', ''),
}));

describe('secrets in content', () => {
  for (const { note, text, kinds, rest } of cases) {
    it(note, () => {
      assert.deepEqual(
        findSecrets(text).map(({ kind }) => kind),
        kinds,
      );
      if (rest !== undefined) assert.equal(maskSecrets(text), rest);
    });
  }

  it('masking twice is masking once, and leaves nothing to be found', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(...cases.map(({ text }) => text)),
      fc.constantFrom('\n', ' ', '=', '"', 'token='),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const masked = maskSecrets(pieces.join(''));
        assert.equal(maskSecrets(masked), masked);
        assert.equal(hasSecret(masked), false);
      }),
      { numRuns: 1000 },
    );
  });

  it('takes time in proportion to the text', () => {
    const hostile = [
      'eyJ-',
      'a_token',
      'postgres://a:',
      '-----BEGIN PRIVATE KEY-----\n',
      'x@',
      'ghp_',
      'token = "',
      '1-',
    ];
    for (const unit of hostile) {
      const text = unit.repeat(Math.ceil(400_000 / unit.length));
      const before = performance.now();
      maskSecrets(text);
      findPersonalData(text);
      assert.ok(performance.now() - before < 1500, `${unit}: ${String(performance.now() - before)} ms`);
    }
  });
});

describe('personal data in bulk', () => {
  const rows = (count: number, row: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => row(index)).join('\n');
  it('a list of customers', () => {
    const text = rows(
      12,
      (n) => `${String(n)},Ann${String(n)},ann${String(n)}@shop-mail.org,+49 170 55512${String(n + 10)}`,
    );
    assert.equal(findPersonalData(text).isBulk, true);
  });
  it('three card numbers', () => {
    assert.equal(findPersonalData('4539 1488 0343 6467\n4485-2757-4230-8327\n4716258050958645').isBulk, true);
  });
  it('card numbers that are given for tests', () => {
    assert.equal(findPersonalData('4242 4242 4242 4242, 5555 5555 5555 4444, 3782 822463 10005').isBulk, false);
  });
  it('national ids', () => {
    assert.equal(findPersonalData(rows(5, (n) => `ssn: 123-4${String(n)}-678${String(n)}`)).isBulk, true);
  });
  it('account numbers with a right check', () => {
    assert.equal(findPersonalData('DE89 3704 0044 0532 0130 00').counts.iban, 1);
    assert.equal(findPersonalData('DE88 3704 0044 0532 0130 00').counts.iban, 0);
  });
  it('a log with its authors', () => {
    assert.equal(findPersonalData(rows(15, (n) => `Author: Dev ${String(n)} <dev${String(n)}@team.io>`)).isBulk, false);
  });
  it('numbers of a build', () => {
    assert.equal(
      findPersonalData(rows(300, (n) => `built 1730${String(1000 + n)}-${String(n)} in 0.${String(n)} s`)).isBulk,
      false,
    );
  });
});
