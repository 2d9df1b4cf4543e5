import assert from 'node:assert/strict';
import { appendRule } from '../../../src/core/policy/appendRule.js';
import { ruleText } from '../../../src/core/policy/ruleText.js';
import type { RuleSpec } from '../../../src/core/policy/schema.js';

const rule: RuleSpec = {
  id: 'approved-1',
  match: {
    effect: { op: 'network', host: ['a.example:443', '*.b.example'] },
    not: { effect: { trait: ['upload', 'publish'] } },
  },
  verdict: 'allow',
  reason: `Approved by a person: ${'a long reason, '.repeat(10)}and so on.`,
};

describe('a rule as it is shown', () => {
  it('is YAML as a person would write it', () =>
    assert.equal(
      ruleText({ ...rule, reason: 'Approved by a person.' }),
      `- id: approved-1
  match:
    effect:
      op: network
      host: [ a.example:443, "*.b.example" ]
    not:
      effect:
        trait: [ upload, publish ]
  verdict: allow
  reason: Approved by a person.
`,
    ));

  it('is, line by line, what is written', () => {
    for (const before of [null, 'version: 1\nrules:\n  - { id: mine, match: {}, verdict: ask } # mine\n']) {
      const written = appendRule('p.yaml', before, rule);
      assert.ok(written.ok);
      const lines = ruleText(rule).trimEnd().replaceAll(/^/gm, '  ');
      assert.ok(written.value.endsWith(`${lines}\n`), written.value);
    }
  });
});
