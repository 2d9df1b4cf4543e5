import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { TreeSitter } from '../../../src/adapters/treeSitter.js';
import { reviewFacts } from '../../../src/core/review/facts.js';
import {
  isBorneOut,
  reasonCode,
  reasonText,
  REASON_CODES,
  REASONS,
  type ReasonCode,
} from '../../../src/core/review/reasons.js';
import type { ReviewVerdict } from '../../../src/core/review/review.js';
import { reviewInput } from '../../support/reviews.js';
import { wasmFolder } from '../../support/wasm.js';

interface Case {
  readonly note: string;
  readonly request: string;
  readonly command?: string;
  readonly kind?: string;
  readonly params?: unknown;
  readonly verdict: ReviewVerdict;
  readonly code: ReasonCode;
  readonly says: string;
}
const cases = parse(readFileSync(path.join(import.meta.dirname, 'reasons.cases.yaml'), 'utf8')) as readonly Case[];
const syntax = new TreeSitter(wasmFolder);

describe('why a reviewer says what it says', () => {
  before(() => syntax.load('bash'));
  const inputOf = (one: Case) =>
    reviewInput(one.request, one.command ?? { kind: one.kind ?? '', params: one.params }, syntax);
  const factsOf = (one: Case) => reviewFacts(inputOf(one));

  for (const one of cases)
    it(one.note, () => {
      const facts = factsOf(one);
      const code = reasonCode(one.verdict, facts);
      assert.equal(code, one.code);
      const text = reasonText(code, facts, inputOf(one).roots);
      assert.ok(text.includes(one.says), text);
      for (const root of inputOf(one).roots) assert.ok(!text.includes(root), text);
    });

  it('what the facts find themselves they bear out, and every sentence is filled', () => {
    for (const one of cases) {
      const facts = factsOf(one);
      for (const verdict of ['approve', 'flag', 'reject'] as const)
        assert.ok(isBorneOut(reasonCode(verdict, facts), facts), `${one.note}: ${reasonCode(verdict, facts)}`);
      for (const code of REASON_CODES) assert.doesNotMatch(reasonText(code, facts, []), /[{}]/);
    }
  });

  it('nothing is said to leak, to be forbidden or to come from elsewhere that the facts know nothing of', () => {
    const [looking] = cases.slice(-1);
    const facts = factsOf(looking as Case);
    for (const code of REASON_CODES.filter((each) => REASONS[each].verdict === 'reject' && each !== 'contradicts'))
      assert.ok(!isBorneOut(code, facts), code);
  });
});
