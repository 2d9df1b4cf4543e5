import assert from 'node:assert/strict';
import { describeRecord } from '../../../src/core/audit/describe.js';
import type { Review } from '../../../src/core/review/review.js';

const lineOf = (review: Review): string =>
  describeRecord({
    type: 'reviewed',
    lacunaId: 'l1',
    review,
    v: 1,
    seq: 1,
    atMs: 0,
    sessionId: 's',
    previous: '',
    mac: '',
  });

describe('a review in the audit as text', () => {
  const answered = {
    type: 'answered',
    verdict: 'flag',
    risk: 'medium',
    reason: 'it would install npm:left-pad, which the request does not ask for.',
    confidence: 0.853,
    model: 'lacuna-starter',
    durationMs: 12.4,
    isCached: false,
  } as const;

  it('tells verdict, sureness, model, time and reason', () => {
    assert.match(lineOf(answered), /flag \(85% sure, lacuna-starter, 12 ms\): it would install npm:left-pad/);
    assert.match(lineOf({ ...answered, isCached: true }), /remembered/);
  });

  it('tells why there is no verdict', () => {
    assert.match(
      lineOf({ type: 'none', why: 'slow', message: 'It took too long.' }),
      /no verdict \(slow\): It took too long/,
    );
    assert.match(lineOf({ type: 'skipped', why: 'It reads.' }), /skipped: It reads/);
  });
});
