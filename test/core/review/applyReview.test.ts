import assert from 'node:assert/strict';
import type { Kind } from '../../../src/core/lacuna/kinds.js';
import { RISKS } from '../../../src/core/lacuna/kindMetadata.js';
import { strictness, VERDICTS } from '../../../src/core/policy/verdict.js';
import { applyReview } from '../../../src/core/review/applyReview.js';
import type { Review } from '../../../src/core/review/review.js';
import { closed, decisionOf } from '../../support/decisions.js';

const answered = (
  verdict: 'approve' | 'flag' | 'reject',
  confidence = 0.95,
  risk: 'low' | 'high' = 'high',
): Review => ({
  type: 'answered',
  verdict,
  risk,
  reason: 'because',
  confidence,
  model: 'm',
  durationMs: 1,
  isCached: false,
});
const none = (why: 'off' | 'down' | 'slow' | 'nonsense'): Review => ({
  type: 'none',
  why,
  message: 'The reviewer is away.',
});
const KINDS: readonly Kind[] = ['ExecuteShell', 'HttpRequest'];

describe('applying a review', () => {
  it('over the whole product: only an approval lowers, and only a clearable ask', () => {
    const reviews = [
      ...(['approve', 'flag', 'reject'] as const).flatMap((v) => [answered(v), answered(v, 0.5)]),
      none('off'),
      none('down'),
      { type: 'skipped', why: 'read-only' } as const,
    ];
    for (const verdict of VERDICTS)
      for (const risk of RISKS)
        for (const isClearable of [true, false])
          for (const review of reviews)
            for (const kind of KINDS)
              for (const sandbox of [closed, null]) {
                const decision = decisionOf({ verdict, risk, isClearable });
                const after = applyReview(decision, review, { kind, sandbox, isHeadless: false });
                if (verdict === 'deny') assert.equal(after, decision);
                const isApproval = review.type === 'answered' && review.verdict === 'approve';
                if (strictness(after.verdict) < strictness(verdict)) {
                  assert.ok(isApproval && isClearable && verdict === 'ask' && review.confidence >= 0.9);
                  assert.equal(after.verdict, kind === 'ExecuteShell' ? 'sandbox' : 'allow');
                  if (kind !== 'ExecuteShell') assert.equal(risk, 'low');
                }
                if (isApproval) assert.ok(strictness(after.verdict) <= strictness(verdict));
                if (after.verdict !== verdict) assert.ok(['reviewer', 'failure'].includes(after.decidedBy));
              }
  });

  it('a reject asks whatever the risk, and denies where nobody can be asked', () => {
    for (const risk of RISKS) {
      const after = (isHeadless: boolean): string =>
        applyReview(decisionOf({ risk }), answered('reject', 1), { kind: 'ReadFile', sandbox: null, isHeadless })
          .verdict;
      assert.equal(after(false), 'ask');
      assert.equal(after(true), 'deny');
    }
  });

  it('a flag asks from medium risk on where it is sure, the less so the higher the risk', () => {
    const verdicts = (confidence: number): readonly string[] =>
      RISKS.map((risk) => {
        const conditions = { kind: 'WriteFile', sandbox: null, isHeadless: false } as const;
        return applyReview(decisionOf({ risk }), answered('flag', confidence), conditions).verdict;
      });
    assert.deepEqual(verdicts(0.95), ['allow', 'ask', 'ask', 'ask']);
    assert.deepEqual(verdicts(0.94), ['allow', 'allow', 'ask', 'ask']);
    assert.deepEqual(verdicts(0.74), ['allow', 'allow', 'allow', 'allow']);
  });

  it('a reviewer that is away raises what is risky, and one that is switched off changes nothing', () => {
    for (const why of ['down', 'slow', 'nonsense'] as const) {
      const after = applyReview(decisionOf({ risk: 'high' }), none(why), {
        kind: 'ExecuteShell',
        sandbox: closed,
        isHeadless: false,
      });
      assert.deepEqual([after.verdict, after.decidedBy], ['ask', 'failure']);
      assert.equal(
        applyReview(decisionOf({ risk: 'medium' }), none(why), {
          kind: 'ExecuteShell',
          sandbox: closed,
          isHeadless: false,
        }).verdict,
        'allow',
      );
    }
    assert.equal(
      applyReview(decisionOf({ risk: 'critical' }), none('off'), {
        kind: 'ExecuteShell',
        sandbox: closed,
        isHeadless: false,
      }).verdict,
      'allow',
    );
  });
});
