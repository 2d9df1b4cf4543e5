import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RISKS } from '../../../src/core/lacuna/kindMetadata.js';
import { KIND_NAMES } from '../../../src/core/lacuna/kinds.js';
import { strictness, VERDICTS } from '../../../src/core/policy/verdict.js';
import { applyReview, CLEARING_CONFIDENCE } from '../../../src/core/review/applyReview.js';
import type { Review } from '../../../src/core/review/review.js';
import { closed, decisionOf } from '../../support/decisions.js';

const answered: fc.Arbitrary<Review> = fc.record({
  type: fc.constant('answered' as const),
  verdict: fc.constantFrom('approve' as const, 'flag' as const, 'reject' as const),
  risk: fc.constantFrom('none' as const, 'low' as const, 'medium' as const, 'high' as const),
  reason: fc.string(),
  confidence: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.75, 0.85, 0.9, 1)),
  model: fc.constant('any'),
  durationMs: fc.nat(),
  isCached: fc.boolean(),
});
const silent: fc.Arbitrary<Review> = fc.oneof(
  fc.record({
    type: fc.constant('none' as const),
    why: fc.constantFrom('off' as const, 'down' as const, 'slow' as const, 'nonsense' as const),
    message: fc.string(),
  }),
  fc.record({ type: fc.constant('skipped' as const), why: fc.string() }),
);
const decision = fc
  .record({ verdict: fc.constantFrom(...VERDICTS), risk: fc.constantFrom(...RISKS), isClearable: fc.boolean() })
  .map((some) => decisionOf({ ...some, confinement: some.verdict === 'sandbox' ? closed : null }));
const conditions = fc.record({
  kind: fc.constantFrom(...KIND_NAMES),
  sandbox: fc.constantFrom(closed, null),
  isHeadless: fc.boolean(),
});

/** What no reviewer can do, whatever it says: the policy alone is never looser than the policy with a reviewer but where it lets it. */
describe('any reviewer, on any decision', () => {
  const holds = (what: (...args: [ReturnType<typeof decisionOf>, Review, Parameters<typeof applyReview>[2]]) => void) =>
    fc.assert(fc.property(decision, fc.oneof(answered, silent), conditions, what), { numRuns: 2000 });

  it('lowers nothing but a clearable ask, only with a sure approval, and no further than the policy says', () => {
    holds((before, review, here) => {
      const after = applyReview(before, review, here);
      if (strictness(after.verdict) >= strictness(before.verdict)) return;
      assert.ok(before.verdict === 'ask' && before.isClearable);
      assert.ok(review.type === 'answered' && review.verdict === 'approve');
      assert.ok(review.confidence >= CLEARING_CONFIDENCE);
      if (here.kind === 'ExecuteShell') assert.deepEqual([after.verdict, after.confinement], ['sandbox', here.sandbox]);
      else assert.deepEqual([after.verdict, before.risk], ['allow', 'low']);
    });
  });

  it('leaves a deny as it is', () => {
    holds((before, review, here) => {
      if (before.verdict === 'deny') assert.equal(applyReview(before, review, here).verdict, 'deny');
    });
  });

  it('keeps what the policy obliges to, and its reason where it changes nothing', () => {
    holds((before, review, here) => {
      const after = applyReview(before, review, here);
      assert.deepEqual([after.obligations, after.rules, after.risk], [before.obligations, before.rules, before.risk]);
      assert.equal(after.policyVerdict, before.policyVerdict);
      if (after.verdict === before.verdict) assert.equal(after.reason, before.reason);
    });
  });

  it('loosens nothing by being away, and asks nobody where there is nobody', () => {
    holds((before, review, here) => {
      const after = applyReview(before, review, here);
      if (review.type !== 'answered') assert.ok(strictness(after.verdict) >= strictness(before.verdict));
      if (here.isHeadless) assert.notEqual(after.verdict, 'ask');
    });
  });

  it('without isolation at hand a command is never cleared', () => {
    holds((before, review, here) => {
      if (here.kind !== 'ExecuteShell' || here.sandbox !== null) return;
      assert.ok(strictness(applyReview(before, review, here).verdict) >= strictness(before.verdict));
    });
  });
});
