import assert from 'node:assert/strict';
import type { AuditBody, AuditRecord } from '../../../src/core/audit/record.js';
import { parseProposal, type Lacuna } from '../../../src/core/lacuna/lacuna.js';
import { compilePolicy } from '../../../src/core/policy/compile.js';
import { decide } from '../../../src/core/policy/decide.js';
import { defaultLayers } from '../../../src/core/policy/load.js';
import type { EffectFact, RuleSpec } from '../../../src/core/policy/schema.js';
import { contextOf, givenAnalysis } from '../../../src/core/policy/testing/testCase.js';
import { testFacts } from '../../../src/core/policy/testing/testFacts.js';
import { wouldChange } from '../../../src/core/policy/wouldChange.js';

const policy = compilePolicy(defaultLayers());
const context = contextOf({ when: { kind: 'ExecuteShell', params: {} }, expect: 'allow' });

/** Records of a session in which these effects were judged, one Lacuna each. */
function session(effects: readonly EffectFact[]): readonly AuditRecord[] {
  const bodies: AuditBody[] = [
    {
      type: 'session',
      event: { type: 'started', atMs: 1, sessionId: 's', mode: 'balanced', roots: ['/home/dev/project'] },
    },
  ];
  for (const [index, effect] of effects.entries()) {
    const proposal = parseProposal('ExecuteShell', { command: `step ${String(index)}` });
    assert.ok(proposal.ok);
    const lacuna: Lacuna = {
      ...proposal.value,
      id: `L${String(index)}`,
      sessionId: 's',
      parentId: null,
      depth: 0,
      origin: { agent: 'lacuna', subagent: null, request: '', requestId: null },
      description: '',
      planStep: null,
    };
    const analysis = givenAnalysis([effect], testFacts({}));
    const { effects: found, commands, flows } = analysis;
    const decision = decide(policy, lacuna, analysis, context);
    bodies.push(
      { type: 'proposed', lacuna },
      { type: 'analysed', lacunaId: lacuna.id, effects: found, commands, flows, terminal: null },
      { type: 'decided', lacunaId: lacuna.id, decision, micros: 1 },
    );
  }
  return bodies.map((body, seq) => ({ ...body, v: 1, seq, atMs: seq, sessionId: 's', previous: '', mac: '' }));
}

describe('what a rule would have changed', () => {
  const fetches = (url: string): EffectFact => ({ op: 'network', url, traits: ['outward', 'download'] });
  const past = [
    session([fetches('https://a.example/x'), fetches('https://b.example/'), { op: 'read', path: 'a.txt' }]),
  ];
  const changed = (rule: RuleSpec): readonly string[] =>
    wouldChange(past, policy, { layer: 'workspace', rule }, () => context).map(
      ({ lacunaId, before, after, change }) => `${lacunaId} ${before} ${after} ${change}`,
    );

  it('only what the rule itself does is told', () => {
    const match = { effect: { host: 'a.example' } };
    assert.deepEqual(changed({ id: 'x', match, verdict: 'allow' }), ['L0 ask allow looser']);
    assert.deepEqual(changed({ id: 'x', match: { effect: { op: 'read' } }, verdict: 'deny' }), [
      'L2 allow deny stricter',
    ]);
    assert.deepEqual(changed({ id: 'x', match: { effect: { host: 'c.example' } }, verdict: 'deny' }), []);
  });
});
