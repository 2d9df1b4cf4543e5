import assert from 'node:assert/strict';
import { freshTerminal, type Analysis } from '../../../src/core/effects/effect.js';
import type { Proposal } from '../../../src/core/lacuna/lacuna.js';
import { compilePolicy, type CompiledPolicy } from '../../../src/core/policy/compile.js';
import type { PolicyContext } from '../../../src/core/policy/context.js';
import { decideOnce } from '../../../src/core/policy/decideOnce.js';
import type { RuleSpec } from '../../../src/core/policy/schema.js';
import { contextOf } from '../../../src/core/policy/testing/testCase.js';
import { noLayers } from '../../support/policies.js';

const policyOf = (...rules: readonly RuleSpec[]): CompiledPolicy =>
  compilePolicy({ ...noLayers, user: [{ source: 'user', spec: { version: 1, rules: [...rules] } }] });
const write = (path: string, content = ''): Proposal => ({ kind: 'WriteFile', params: { path, content } });
const analysisOf = (path: string): Analysis => ({
  commands: [],
  flows: [],
  terminal: freshTerminal(null),
  effects: [
    {
      op: 'write',
      resource: { type: 'path', path: `/home/dev/project/${path}`, place: 'workspace', git: 'tracked' },
      certainty: 'exact',
      reversible: 'checkpoint',
      traits: [],
      command: null,
      note: '',
    },
  ],
});
const base = contextOf({ when: { kind: 'WriteFile', params: {} }, expect: 'allow' });

/** A state in which each look at the branch is counted. */
function looked(branch: string, risk = 0): { readonly context: PolicyContext; readonly looks: () => number } {
  let looks = 0;
  const context = Object.defineProperties(
    { ...base, risk },
    { branch: { get: () => ((looks += 1), branch), enumerable: true } },
  );
  return { context, looks: () => looks };
}

describe('decisions taken once', () => {
  const policy = policyOf(
    { id: 'on-main', match: { effect: { path: 'src/**' }, context: { branch: 'main' } }, verdict: 'deny' },
    { id: 'else', match: {}, verdict: 'allow', priority: -1 },
  );

  it('the same action in the same state is worked out once', () => {
    const first = decideOnce(policy, write('a.ts'), analysisOf('a.ts'), base);
    assert.equal(decideOnce(policy, write('a.ts'), analysisOf('a.ts'), { ...base }), first);
    assert.notEqual(decideOnce(policy, write('b.ts'), analysisOf('b.ts'), base), first);
    assert.notEqual(decideOnce(policy, write('a.ts'), analysisOf('a.ts'), { ...base, isTrusted: false }), first);
    assert.notEqual(decideOnce(policyOf(), write('a.ts'), analysisOf('a.ts'), base), first);
  });

  it('what rules look at in git is looked at again, and nothing else is', () => {
    const main = looked('main');
    assert.equal(decideOnce(policy, write('src/c.ts'), analysisOf('src/c.ts'), main.context).verdict, 'deny');
    assert.equal(main.looks(), 1);
    const topic = looked('topic');
    const later = decideOnce(policy, write('src/c.ts'), analysisOf('src/c.ts'), topic.context);
    assert.equal(later.verdict, 'allow');
    const again = looked('topic', 50);
    assert.equal(decideOnce(policy, write('src/c.ts'), analysisOf('src/c.ts'), again.context), later);
    assert.equal(again.looks(), 1);
    const elsewhere = looked('main');
    decideOnce(policy, write('docs/d.md'), analysisOf('docs/d.md'), elsewhere.context);
    assert.equal(elsewhere.looks(), 0);
  });

  it('a repair holds the proposal it repairs, and is made anew', () => {
    const repairing = policyOf({
      id: 'short',
      match: { kind: 'ExecuteShell' },
      verdict: 'modify',
      repair: { maxTimeoutSeconds: 5 },
    });
    const wait = (): Proposal => ({ kind: 'ExecuteShell', params: { command: 'sleep 9', timeoutSeconds: 9 } });
    const world: Analysis = { ...analysisOf('e'), effects: [] };
    const [one, other] = [wait(), wait()];
    const first = decideOnce(repairing, one, world, base);
    assert.equal(first.repair?.before, one, first.reason);
    assert.equal(decideOnce(repairing, other, world, base).repair?.before, other);
  });

  it('long content and many effects are decided without being kept', () => {
    const long = write('f.ts', 'x'.repeat(100_000));
    assert.notEqual(
      decideOnce(policy, long, analysisOf('f.ts'), base),
      decideOnce(policy, long, analysisOf('f.ts'), base),
    );
  });

  it('what is longest unused is forgotten first', () => {
    const small = policyOf({ id: 'all', match: {}, verdict: 'allow' });
    const at = (name: string) => decideOnce(small, write(name), analysisOf(name), base);
    const [first, second] = [at('first'), at('second')];
    for (let index = 0; index < 63; index += 1) {
      at(`g${index}`);
      assert.equal(at('first'), first);
    }
    assert.notEqual(at('second'), second);
  });
});
