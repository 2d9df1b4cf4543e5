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

  it('a narrower rule that a wider one always outranks', () => {
    const prod = { id: 'prod', match: { effect: { path: 'infra/prod/**' } }, verdict: 'deny' };
    const infra = { id: 'infra', match: { effect: { path: 'infra/**' } }, verdict: 'ask', priority: 5 };
    assert.deepEqual(warnings([prod, infra]), ['shadowed prod']);
    assert.deepEqual(warnings([{ ...prod, priority: 5 }, infra]), []);
    const dev = { id: 'dev', match: { effect: { path: 'infra/dev/**' } }, verdict: 'allow' };
    assert.deepEqual(warnings([dev, { ...infra, verdict: 'deny', priority: 0 }]), ['shadowed dev']);
    assert.deepEqual(warnings([{ ...dev, priority: 10 }, infra]), []);
    assert.deepEqual(warnings([{ ...dev, match: { effect: { path: 'infra-dev/**' } } }, infra]), []);
    const host = (id: string, name: string, verdict: string) => ({ id, match: { effect: { host: name } }, verdict });
    assert.deepEqual(warnings([host('a', 'a.x.example', 'allow'), host('b', '*.x.example', 'deny')]), ['shadowed a']);
    assert.deepEqual(warnings([host('a', 'x.example', 'allow'), host('b', '*.x.example', 'deny')]), []);
  });

  it('an op and a resource that never come together', () => {
    const rule = (op: string) => ({ id: 'a', match: { effect: { op, package: 'npm:*' } }, verdict: 'ask' });
    assert.deepEqual(warnings([rule('read')]), ['unreachable a']);
    assert.deepEqual(warnings([rule('install')]), []);
  });
});

describe('parts that mean another thing than they look like', () => {
  const doubts = (rest: object): string[] => {
    const parsed = parsePolicy('p.yaml', stringify({ version: 1, ...rest }));
    assert.ok(parsed.ok);
    return lintPolicy('p.yaml', parsed.value, (path) => path === 'infra/prod').map(({ message }) => message);
  };
  const paths = (path: unknown): string[] =>
    doubts({ rules: [{ id: 'a', match: { any: [{ effect: { path } }] }, verdict: 'ask' }] });

  it('braces that are never closed', () => {
    assert.match(paths('infra/{prod,dev/**')[0] ?? '', /^"infra\/\{prod,dev\/\*\*": a "\{" is never closed/);
    assert.deepEqual(paths(['infra/{prod,dev}/**', 'a/\\{b', 'a}']), []);
  });

  it('two stars that are joined to a name', () => {
    assert.match(paths('infra/prod**')[0] ?? '', /only between slashes; prod\*\* is one name/);
    assert.deepEqual(paths(['infra/prod/**', '**/*.ts', '**', 'a/**/b*']), []);
  });

  it('the top of the machine in the place of the workspace', () => {
    assert.match(paths('/infra/prod/**')[0] ?? '', /leave the "\/" at its beginning out/);
    assert.deepEqual(paths(['/etc/**', 'infra/prod/**', '/']), []);
  });

  it('a test that waits for a rule that stands nowhere', () => {
    const tests = (rule: string) => [{ when: { kind: 'ReadFile', params: { path: 'x' } }, expect: 'allow', rule }];
    assert.deepEqual(doubts({ tests: tests('zzz') }), ['There is no rule "zzz".']);
    assert.deepEqual(doubts({ tests: tests('read-workspace') }), []);
    assert.deepEqual(doubts({ extends: './team.yaml', tests: tests('zzz') }), []);
  });
});
