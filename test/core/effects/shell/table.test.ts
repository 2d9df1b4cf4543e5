import assert from 'node:assert/strict';
import { ENTRIES, PROGRAMS } from '../../../../src/core/effects/shell/table.js';

describe('table of programs', () => {
  it('names every program once', () => {
    const seen = new Map<string, number>();
    for (const { names } of ENTRIES) for (const name of names) seen.set(name, (seen.get(name) ?? 0) + 1);
    const twice = [...seen].filter(([, count]) => count > 1).map(([name]) => name);
    assert.deepEqual(twice, []);
    assert.equal(PROGRAMS.size, seen.size);
  });

  it('holds no empty or blank name', () => {
    for (const { names } of ENTRIES) for (const name of names) assert.match(name, /^\S+$/);
  });
});
