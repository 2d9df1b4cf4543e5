import assert from 'node:assert/strict';
import { parseProposal } from '../../../src/core/lacuna/lacuna.js';
import { ApprovedRules } from '../../../src/core/policy/approvedRules.js';
import { compilePolicy } from '../../../src/core/policy/compile.js';
import { decide } from '../../../src/core/policy/decide.js';
import { defaultLayers } from '../../../src/core/policy/load.js';
import type { EffectFact } from '../../../src/core/policy/schema.js';
import { contextOf, givenAnalysis } from '../../../src/core/policy/testing/testCase.js';
import { testFacts } from '../../../src/core/policy/testing/testFacts.js';

const context = contextOf({ when: { kind: 'ExecuteShell', params: {} }, expect: 'allow' });
const fetches: EffectFact = {
  op: 'network',
  url: 'https://a.example/x',
  reversible: 'yes',
  traits: ['outward', 'download'],
};

function propose(rules: ApprovedRules, effect: EffectFact, layers = defaultLayers()): string | null {
  const proposal = parseProposal('ExecuteShell', { command: 'x' });
  assert.ok(proposal.ok);
  const lacuna = { ...proposal.value, id: 'L1/2' };
  const analysis = givenAnalysis([effect], testFacts({}));
  return rules.propose(lacuna, analysis, decide(compilePolicy(layers), lacuna, analysis, context));
}

describe('rules that a person approved', () => {
  it('what was proposed is taken back, and so is less of it', () => {
    const rules = new ApprovedRules();
    const text = propose(rules, fetches);
    assert.ok(text !== null);
    const rule = rules.parse(text);
    assert.ok(rule.ok);
    assert.equal(rule.value.verdict, 'allow');
    assert.match(rule.value.id, /^approved-/);
    assert.ok(rules.parse(text.replace(/id: .*/, 'id: mine')).ok);
    assert.ok(rules.parse(text.replace('match:', 'match:\n    context: { branch: main }')).ok);
    assert.equal(new ApprovedRules().parse(text).ok, false);
  });

  it('nothing wider, nothing else and nothing besides is taken', () => {
    const rules = new ApprovedRules();
    const text = propose(rules, fetches) ?? '';
    const edits: readonly [string, RegExp][] = [
      [text.replace('a.example:443', '"*.example:443"'), /more than was proposed/],
      [text.replace('a.example:443', 'a.example:443, b.example'), /more than was proposed/],
      [text.replace('upload,', ''), /more than was proposed/],
      [text.replace('network', 'delete'), /more than was proposed/],
      [text.replace('verdict: allow', 'verdict: sandbox'), /Only a rule with the verdict/],
      [text.replace('verdict:', 'priority: 9\n  verdict:'), /"priority" cannot be said here/],
      [text.replace('verdict:', 'overrides: [x]\n  verdict:'), /"overrides" cannot be said here/],
      [text.replace('verdict:', 'verdikt:'), /Did you mean "verdict"/],
      [`${text}- { id: b, match: {}, verdict: allow }\n`, /Exactly one rule/],
      [`${text}mode: relaxed\n`, /Exactly one rule/],
      ['', /./],
    ];
    for (const [edited, message] of edits) {
      assert.notEqual(edited, text);
      const rule = rules.parse(edited);
      assert.ok(!rule.ok, edited);
      assert.match(rule.error, message);
    }
  });

  it('nothing is proposed for what must not be, nor where it would change nothing', () => {
    const rules = new ApprovedRules();
    assert.equal(propose(rules, { op: 'delete', path: '/opt/x' }), null);
    assert.equal(propose(rules, { op: 'read', path: '.env', traits: ['secret'] }), null);
    assert.equal(propose(rules, { ...fetches, reversible: 'no' }), null);
    const spec = { version: 1 as const, rules: [{ id: 'mine', match: {}, verdict: 'ask' as const }] };
    assert.equal(propose(rules, fetches, { ...defaultLayers(), organisation: [{ source: 'o.yaml', spec }] }), null);
  });
});
