import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { bondOf, clausesOf, type Bond } from '../../../src/core/review/clauses.js';
import { namesOf } from '../../../src/core/review/names.js';

interface Case {
  readonly note: string;
  readonly request: string;
  readonly want: Bond;
}
const cases = parse(readFileSync(path.join(import.meta.dirname, 'clauses.cases.yaml'), 'utf8')) as readonly Case[];
const ROOT = '/home/dev/shop';
const CART = namesOf({ type: 'path', path: `${ROOT}/src/cart.ts`, place: 'workspace', git: 'tracked' }, [ROOT]);

describe('how the sentence that asks for a deed stands to its target', () => {
  for (const { note, request, want } of cases)
    it(note, () => {
      assert.equal(bondOf(clausesOf(request), ['delete'], CART), want);
    });

  it('nobody has to ask for what nothing asks for', () => {
    assert.equal(bondOf(clausesOf('delete src/cart.ts'), [], CART), 'none');
  });

  it('a request of many sentences is read at both ends, in a moment', () => {
    const much = 'the log says that nothing happened. '.repeat(5000);
    const start = performance.now();
    assert.equal(bondOf(clausesOf(`delete src/cart.ts. ${much}`), ['delete'], CART), 'tied');
    assert.equal(bondOf(clausesOf(`${much} delete src/cart.ts`), ['delete'], CART), 'tied');
    assert.ok(performance.now() - start < 1000);
  });
});
