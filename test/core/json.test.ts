import assert from 'node:assert/strict';
import { parseJson } from '../../src/core/json.js';

describe('JSON texts', () => {
  it('give their value, null too', () => {
    assert.deepEqual(parseJson('{"a":[1]}'), { a: [1] });
    assert.equal(parseJson('null'), null);
  });
  it('that are none give nothing', () => {
    for (const text of ['', '{', 'undefined', "{'a':1}"]) assert.equal(parseJson(text), undefined);
  });
});
