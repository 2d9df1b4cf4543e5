import assert from 'node:assert/strict';
import { freshTerminal, type Analysis } from '../../../src/core/effects/effect.js';
import { compilePolicy, type PolicyLayers } from '../../../src/core/policy/compile.js';
import { decide } from '../../../src/core/policy/decide.js';
import { deniedPaths } from '../../../src/core/policy/deniedPaths.js';
import { defaultLayers } from '../../../src/core/policy/load.js';
import type { RuleSpec } from '../../../src/core/policy/schema.js';
import { contextOf } from '../../../src/core/policy/testing/testCase.js';

const layersWith = (...rules: readonly RuleSpec[]): PolicyLayers => ({
  ...defaultLayers(),
  user: [{ source: 'user', spec: { version: 1, rules: [...rules] } }],
});
const denied = (...rules: readonly RuleSpec[]) => deniedPaths(compilePolicy(layersWith(...rules)), 'balanced');
const deny = (match: RuleSpec['match'], rest: Partial<RuleSpec> = {}): RuleSpec => ({
  id: 'no',
  match,
  verdict: 'deny',
  ...rest,
});
const nothing = { unreadable: [], unwritable: [] };

describe('paths that people deny', () => {
  it('are closed for what the rule is on', () => {
    assert.deepEqual(denied(deny({ effect: { path: 'secrets/**' } })), {
      unreadable: ['secrets/**'],
      unwritable: ['secrets/**'],
    });
    assert.deepEqual(denied(deny({ effect: { path: ['a', 'b'], op: 'read' } })), {
      unreadable: ['a', 'b'],
      unwritable: [],
    });
    assert.deepEqual(denied(deny({ effect: { path: 'db/**', op: ['write', 'delete'] } })), {
      unreadable: [],
      unwritable: ['db/**'],
    });
    assert.deepEqual(denied(deny({ effect: { path: 'db/**', op: 'delete' } })), nothing);
  });

  it('are closed only where the circumstances do not matter', () => {
    assert.deepEqual(denied(deny({ effect: { path: 'x' }, context: { branch: 'main' } })), nothing);
    assert.deepEqual(denied(deny({ effect: { path: 'x', git: 'tracked' } })), nothing);
    assert.deepEqual(denied(deny({ effect: { path: 'x' }, not: { effect: { path: 'x/y' } } })), nothing);
    assert.deepEqual(denied({ ...deny({ effect: { path: 'x' } }), verdict: 'ask' }), nothing);
  });

  it('stay open where a rule that comes first makes an exception, and not for one that does not', () => {
    const exception = (priority: number): RuleSpec => ({
      id: 'but',
      match: { effect: { path: 'x/open/**' } },
      verdict: 'allow',
      priority,
    });
    assert.deepEqual(denied(deny({ effect: { path: 'x/**' } }), exception(5)), nothing);
    assert.deepEqual(denied(deny({ effect: { path: 'x/**' } }), exception(0)).unreadable, ['x/**']);
  });

  it('are walls around code that nobody could read beforehand; packs close nothing by this', () => {
    const unseen: Analysis = {
      commands: [],
      flows: [],
      terminal: freshTerminal(null),
      effects: [
        {
          op: 'execute',
          resource: { type: 'process', process: './tool' },
          certainty: 'dynamic',
          reversible: 'no',
          traits: ['unreviewed'],
          command: null,
          note: '',
        },
      ],
    };
    const context = contextOf({ when: { kind: 'ExecuteShell', params: {} }, expect: 'allow' });
    const confinement = (...rules: readonly RuleSpec[]) =>
      decide(
        compilePolicy(layersWith(...rules)),
        { kind: 'ExecuteShell', params: { command: './tool' } },
        unseen,
        context,
      ).confinement;
    assert.deepEqual(confinement(deny({ effect: { path: 'secrets/**', op: 'read' } }))?.unreadable, ['secrets/**']);
    assert.deepEqual(confinement()?.unreadable, []);
    assert.deepEqual(confinement()?.unwritable, []);
  });
});
