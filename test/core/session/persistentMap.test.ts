import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PersistentMap } from '../../../src/core/session/persistentMap.js';

type Change = { readonly key: string; readonly value: number | null };

/** Few keys, so that replacing and deleting happen; `aa…` style keys collide in no way that matters. */
const changes = fc.array(fc.record({ key: fc.string({ maxLength: 3 }), value: fc.option(fc.nat(5)) }), {
  maxLength: 200,
});

const applied = (list: readonly Change[]): PersistentMap<number> => {
  let map = PersistentMap.empty<number>();
  for (const { key, value } of list) map = value === null ? map.delete(key) : map.set(key, value);
  return map;
};

describe('persistent map', () => {
  it('holds what a plain Map holds', () => {
    fc.assert(
      fc.property(changes, (list) => {
        const plain = new Map<string, number>();
        for (const { key, value } of list)
          if (value === null) plain.delete(key);
          else plain.set(key, value);
        const map = applied(list);
        assert.equal(map.size, plain.size);
        assert.deepEqual(new Map(map.entries()), plain);
        for (const { key } of list) assert.equal(map.get(key), plain.get(key));
      }),
    );
  });

  it('leaves the map it was made from as it was', () => {
    fc.assert(
      fc.property(changes, changes, (first, second) => {
        const map = applied(first);
        const before = JSON.stringify(map);
        let other = map;
        for (const { key, value } of second) other = value === null ? other.delete(key) : other.set(key, value);
        assert.equal(JSON.stringify(map), before);
      }),
    );
  });

  it('keeps keys apart whose hashes are equal', () => {
    // Found by search: both have the FNV-1a hash 0x2ffcbe05 before mixing.
    const [a, b] = ['costarring', 'liquid'];
    const map = PersistentMap.from([
      [a, 1],
      [b, 2],
    ]);
    assert.equal(map.get(a), 1);
    assert.equal(map.get(b), 2);
    assert.equal(map.delete(a).get(b), 2);
    assert.equal(map.delete(a).get(a), undefined);
  });
});
