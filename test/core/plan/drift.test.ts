import assert from 'node:assert/strict';
import { driftIn, driftOf } from '../../../src/core/plan/drift.js';

describe('drift', () => {
  for (const [fits, isDrift, isTimeForAnother] of [
    ['', false, false],
    ['ooo', false, true],
    ['oooo', true, true],
    ['oooopppp', false, true],
    ['ooppoxpo', false, false],
    ['pooo', false, false],
    ['oooxxxxo', false, false],
  ] as const)
    it(`${fits || 'nothing yet'}: ${isDrift ? 'drift' : 'none'}${isTimeForAnother ? ', time for another plan' : ''}`, () => {
      assert.equal(driftIn(fits) !== null, isDrift);
      assert.equal(driftOf({ recentFits: fits }) !== null, isTimeForAnother);
    });
});
