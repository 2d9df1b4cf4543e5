import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { contributions } from '../../scripts/contributions.js';

const read = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../..', name), 'utf8')) as Record<string, unknown>;

describe('what package.json says of the agent', () => {
  const { points, words } = contributions();
  const manifest = read('package.json');
  for (const [point, want] of Object.entries(points))
    it(`${point} are as the schemas have them (else: npm run contributions)`, () => {
      assert.deepEqual((manifest['contributes'] as Record<string, unknown>)[point], want);
    });
  it('the words are in package.nls.json', () => {
    const nls = read('package.nls.json');
    assert.deepEqual(Object.fromEntries(Object.keys(words).map((key) => [key, nls[key]])), words);
  });
  it('names no proposed API: the suites here would not notice', () => {
    assert.equal(manifest['enabledApiProposals'], undefined);
  });
});
