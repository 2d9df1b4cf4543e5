import assert from 'node:assert/strict';
import { parseProposal } from '../../../src/core/lacuna/lacuna.js';
import { compilePolicy } from '../../../src/core/policy/compile.js';
import { decide } from '../../../src/core/policy/decide.js';
import { defaultLayers } from '../../../src/core/policy/load.js';
import { proposeAllow, proposeStop, type Observed } from '../../../src/core/policy/propose.js';
import { ruleText } from '../../../src/core/policy/ruleText.js';
import { parsePolicy } from '../../../src/core/policy/parse.js';
import type { EffectFact } from '../../../src/core/policy/schema.js';
import { contextOf, givenAnalysis } from '../../../src/core/policy/testing/testCase.js';
import { testFacts } from '../../../src/core/policy/testing/testFacts.js';

const facts = testFacts({});
const context = contextOf({ when: { kind: 'ExecuteShell', params: {} }, expect: 'allow' });

function observed(...effects: readonly EffectFact[]): Observed {
  const proposal = parseProposal('ExecuteShell', { command: 'x' });
  assert.ok(proposal.ok);
  const analysis = givenAnalysis(effects, facts);
  return {
    proposal: proposal.value,
    analysis,
    decision: decide(compilePolicy(defaultLayers()), proposal.value, analysis, context),
  };
}

const asks = (url: string): EffectFact => ({ op: 'network', url, reversible: 'yes', traits: ['outward', 'download'] });

describe('rules proposed from what people said', () => {
  it('the narrowest rule covers what was approved and no more', () => {
    const seen = [observed(asks('https://a.example/x')), observed(asks('https://b.example/'))];
    const rule = proposeAllow(seen, 'approved-1');
    assert.ok(rule);
    const parsed = parsePolicy('p.yaml', `version: 1\nrules:\n${ruleText(rule)}\n`);
    assert.ok(parsed.ok);
    const policy = compilePolicy({ ...defaultLayers(), workspace: [{ source: 'p.yaml', spec: parsed.value.spec }] });
    for (const { proposal, analysis } of seen)
      assert.equal(decide(policy, proposal, analysis, context).verdict, 'allow');
    const other = observed(asks('https://c.example/'));
    assert.equal(decide(policy, other.proposal, other.analysis, context).verdict, 'ask');
  });

  it('nothing destructive, secret, irreversible or unknown is ever proposed as allow', () => {
    const never: readonly EffectFact[] = [
      { op: 'delete', path: '/opt/x' },
      { op: 'read', path: '.env', traits: ['secret'] },
      { op: 'network', url: 'https://a.example/', traits: ['upload'] },
      { op: 'network', url: 'https://a.example/', reversible: 'no' },
      { op: 'network', url: '', certainty: 'dynamic', reversible: 'yes' },
      { op: 'history', ref: 'main' },
      { op: 'privilege', process: 'sudo' },
      { op: 'persist', path: '.git/hooks/pre-commit' },
      { op: 'kill', process: '1' },
      { op: 'write', path: '/etc/hosts' },
    ];
    for (const effect of never) {
      assert.equal(proposeAllow([observed(effect)], 'x'), null, JSON.stringify(effect));
      assert.equal(proposeAllow([observed(asks('https://a.example/'), effect)], 'x'), null, JSON.stringify(effect));
    }
    assert.equal(proposeAllow([], 'x'), null);
  });

  it('what was approved once does not cover the same resource when there is danger in it', () => {
    const plain: readonly EffectFact[] = [
      { op: 'write', path: '/opt/notes.md', traits: ['create'] },
      { op: 'install', package: 'npm:left-pad' },
      asks('https://a.example/x'),
    ];
    const dangers: readonly EffectFact[] = [
      { op: 'write', path: '/opt/notes.md', traits: ['overwrite', 'discards'] },
      { op: 'install', package: 'npm:left-pad', traits: ['remote-code'] },
      { op: 'network', url: 'https://a.example/x', traits: ['outward', 'upload'] },
    ];
    for (const [index, effect] of plain.entries()) {
      const rule = proposeAllow([observed(effect)], 'approved-1');
      const danger = dangers[index];
      assert.ok(rule && danger, JSON.stringify(effect));
      const spec = { version: 1 as const, rules: [rule] };
      const policy = compilePolicy({ ...defaultLayers(), workspace: [{ source: 'p.yaml', spec }] });
      const under = ({ proposal, analysis }: Observed): string => decide(policy, proposal, analysis, context).verdict;
      assert.equal(under(observed(effect)), 'allow', JSON.stringify(effect));
      assert.equal(under(observed(danger)), 'ask', JSON.stringify(danger));
    }
  });

  it('what should have been stopped becomes an ask on exactly that', () => {
    const rule = proposeStop([observed({ op: 'write', path: 'docs/[a].md' })], 'stop-1');
    assert.deepEqual(rule?.match, { effect: { op: 'write', path: ['/home/dev/project/docs/\\[a\\].md'] } });
    assert.equal(rule?.verdict, 'ask');
  });
});
