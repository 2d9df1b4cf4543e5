import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { generated, target } from '../../../scripts/packs.js';
import { compilePolicy, isMonotone } from '../../../src/core/policy/compile.js';
import { defaultLayers } from '../../../src/core/policy/load.js';

describe('built-in packs', () => {
  it('are what policies/*.yaml say (else run `npx tsx scripts/packs.ts`)', () => {
    assert.equal(readFileSync(target, 'utf8'), generated());
  });

  it('have no id twice, over all packs', () => {
    const ids = compilePolicy(defaultLayers()).rules.map(({ id }) => id);
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    );
  });

  it('get no milder as modes get stricter', () => {
    const wrong = compilePolicy(defaultLayers()).rules.filter((rule) => !isMonotone(rule));
    assert.deepEqual(
      wrong.map(({ id }) => id),
      [],
    );
  });
});
