import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { TreeSitter } from '../../../src/adapters/treeSitter.js';
import { RISKS } from '../../../src/core/lacuna/kindMetadata.js';
import { VERDICTS } from '../../../src/core/policy/verdict.js';
import { applyReview } from '../../../src/core/review/applyReview.js';
import { canChangeOutcome, reviewNeed, skipReason, type ReviewNeed } from '../../../src/core/review/need.js';
import { decisionOf } from '../../support/decisions.js';
import { reviewInput } from '../../support/reviews.js';
import { wasmFolder } from '../../support/wasm.js';

interface Case {
  readonly note: string;
  readonly command?: string;
  readonly kind?: string;
  readonly params?: unknown;
  readonly findings?: readonly string[];
  readonly need: ReviewNeed;
}
const cases = parse(readFileSync(path.join(import.meta.dirname, 'need.cases.yaml'), 'utf8')) as readonly Case[];
const syntax = new TreeSitter(wasmFolder);

describe('smart skip', () => {
  before(() => syntax.load('bash'));

  for (const { note, command, kind, params, findings, need } of cases)
    it(note, () => {
      const wish = command ?? { kind: kind ?? '', params };
      assert.equal(reviewNeed(reviewInput('x', wish, syntax, { findings: findings ?? [] })), need);
    });

  it('a deny is never reviewed, a clearable question is', () => {
    const input = (change: Parameters<typeof decisionOf>[0], command = 'npm test') =>
      reviewInput('x', command, syntax, { decision: decisionOf(change) });
    assert.notEqual(skipReason(input({ verdict: 'deny' }, 'rm a')), null);
    assert.equal(skipReason(input({ verdict: 'ask', isClearable: true })), null);
    assert.notEqual(skipReason(input({ verdict: 'ask' })), null);
    assert.equal(skipReason(input({ verdict: 'sandbox', risk: 'high' })), null);
  });

  it('what can come after the question changes nothing, over the whole product', () => {
    for (const verdict of VERDICTS)
      for (const risk of RISKS)
        for (const isClearable of [true, false]) {
          const decision = decisionOf({ verdict, risk, isClearable });
          if (canChangeOutcome({ decision })) continue;
          for (const said of ['approve', 'flag', 'reject'] as const) {
            const review = {
              type: 'answered',
              verdict: said,
              risk: 'high',
              reason: '',
              confidence: 1,
              model: 'm',
              durationMs: 1,
              isCached: false,
            } as const;
            assert.equal(
              applyReview(decision, review, { kind: 'ExecuteShell', sandbox: null, isHeadless: false }).verdict,
              verdict,
            );
          }
        }
  });
});
