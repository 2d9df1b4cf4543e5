import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import { lintPolicy } from '../../../src/core/policy/lint.js';
import { parsePolicy } from '../../../src/core/policy/parse.js';

/** `code id` of each warning about some rules. */
function warnings(rules: readonly unknown[]): string[] {
  const parsed = parsePolicy('p.yaml', stringify({ version: 1, rules }));
  assert.ok(parsed.ok);
  return lintPolicy('p.yaml', parsed.value).map(
    ({ code, message }) => `${code} ${/^Rules? (\S+)/.exec(message)?.[1] ?? ''}`,
  );
}

describe('rules of no use', () => {
  it('a rule that can never match', () => {
    assert.deepEqual(warnings([{ id: 'a', match: { effect: { op: 'network', path: 'x' } }, verdict: 'ask' }]), [
      'unreachable a',
    ]);
    assert.deepEqual(warnings([{ id: 'a', match: { effect: { host: 'x', path: 'x' } }, verdict: 'ask' }]), [
      'unreachable a',
    ]);
    assert.deepEqual(warnings([{ id: 'a', match: { kind: 'ReadFile', command: 'ls' }, verdict: 'ask' }]), [
      'unreachable a',
    ]);
    assert.deepEqual(warnings([{ id: 'a', match: { kind: 'ReadFile', tool: 'x' }, verdict: 'ask' }]), [
      'unreachable a',
    ]);
    assert.deepEqual(
      warnings([{ id: 'a', match: { effect: { op: ['network', 'read'], path: 'x' } }, verdict: 'ask' }]),
      [],
    );
  });

  it('a rule that another always outranks', () => {
    const narrow = { id: 'n', match: { effect: { op: 'write', path: 'a/**' } }, verdict: 'allow' };
    const wide = { id: 'w', match: { effect: { op: ['write', 'delete'], path: 'a/**' } }, verdict: 'deny' };
    assert.deepEqual(warnings([narrow, wide]), ['shadowed n']);
    assert.deepEqual(warnings([{ ...narrow, priority: 1 }, wide]), []);
    assert.deepEqual(warnings([narrow, { ...wide, verdict: 'allow', priority: 5 }]), ['shadowed n']);
    assert.deepEqual(
      warnings([
        { ...narrow, verdict: 'deny' },
        { ...wide, verdict: 'allow', priority: 5 },
      ]),
      [],
    );
    assert.deepEqual(warnings([narrow, { ...wide, match: { ...wide.match, not: { labels: 'secret' } } }]), []);
  });

  it('two rules that contradict each other', () => {
    const match = { effect: { op: 'read', path: 'a' } };
    assert.deepEqual(
      warnings([
        { id: 'a', match, verdict: 'ask' },
        { id: 'b', match, verdict: 'ask' },
      ]),
      [],
    );
    assert.deepEqual(
      warnings([
        { id: 'a', match, verdict: 'allow' },
        { id: 'b', match, verdict: 'sandbox' },
      ]),
      ['shadowed a', 'conflict b'],
    );
  });
});
