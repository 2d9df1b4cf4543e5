import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { quoteWord } from '../../../../src/core/effects/shell/quote.js';

const WORDS = [
  'plain',
  'a b',
  "it's",
  "''",
  '',
  '$HOME `id` $(id)',
  'a\\b',
  '"',
  '*',
  '~',
  '!x',
  'a\nb',
  '-n',
  'é',
  '{a,b}',
];

describe('a word for a line', () => {
  it('is left as it is where no shell changes it', () => assert.equal(quoteWord('src/a-b.ts'), 'src/a-b.ts'));
  for (const shell of ['sh', 'bash'])
    it(`is read back by ${shell} as what it was`, () => {
      const line = `printf '%s\\0' ${WORDS.map(quoteWord).join(' ')}`;
      const said = execFileSync(shell, ['-c', line], { encoding: 'utf8' });
      assert.deepEqual(said.split('\0').slice(0, -1), WORDS);
    });
});
