import assert from 'node:assert/strict';
import type { Trait } from '../../../src/core/effects/effect.js';
import { compilePolicy } from '../../../src/core/policy/compile.js';
import { decide } from '../../../src/core/policy/decide.js';
import { contextOf } from '../../../src/core/policy/testing/testCase.js';
import { analysisOf, effectOf } from '../../support/decisions.js';
import { noLayers } from '../../support/policies.js';

const policy = compilePolicy(noLayers);
const context = contextOf({ when: { kind: 'ExecuteShell', params: {} }, expect: 'allow' });
const proposal = { kind: 'ExecuteShell', params: { command: 'rm -rf ~' } } as const;
const reasonOf = (...traits: readonly Trait[]): string =>
  decide(policy, proposal, analysisOf(effectOf({ op: 'delete', traits })), context).reason;

describe('protections', () => {
  it('that everything goes is a better reason than that the guard goes with it', () => {
    assert.match(reasonOf('guard-self', 'catastrophic'), /protect-everything/);
    assert.doesNotMatch(reasonOf('guard-self', 'catastrophic'), /protect-guard/);
    assert.match(reasonOf('guard-self'), /protect-guard/);
  });
});
