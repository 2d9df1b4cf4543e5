import assert from 'node:assert/strict';
import { parseTrace } from '../../../src/core/check/trace.js';

const step = { kind: 'ReadFile', params: { path: 'a.txt' } };
const line = (change: object): string =>
  JSON.stringify({ id: 't', request: 'r', workspace: '/w', steps: [step], ...change });

describe('a line of a trace', () => {
  it('gets the defaults of what it leaves out', () => {
    const parsed = parseTrace(line({}));
    assert.ok(parsed.ok);
    const { cwd, home, platform, steps } = parsed.value;
    assert.deepEqual({ cwd, home, platform }, { cwd: null, home: null, platform: null });
    assert.deepEqual(steps, [
      { proposal: { kind: 'ReadFile', params: { path: 'a.txt' } }, actor: null, answer: 'approve', content: null },
    ]);
  });

  const wrong: readonly (readonly [note: string, line: string, id: string | null, error: RegExp])[] = [
    ['is JSON', '{', null, /not JSON/],
    ['is an object', '[]', null, /line/],
    ['has steps', JSON.stringify({ id: 'x', workspace: '/w' }), 'x', /steps/],
    ['has no other fields', line({ more: 1 }), 't', /more/],
    [
      'has known kinds',
      line({ steps: [{ kind: 'constructor', params: {} }] }),
      't',
      /steps\.0: unknown kind "constructor"/,
    ],
    ['has no other fields in a step', line({ steps: [{ ...step, more: 1 }] }), 't', /more/],
    ['has no other fields in params', line({ steps: [{ ...step, params: { path: 'a', more: 1 } }] }), 't', /more/],
    ['has all params', line({ steps: [step, { kind: 'WriteFile', params: { path: 'a' } }] }), 't', /steps\.1: content/],
    ['has a workspace of its platform', line({ platform: 'win32', workspace: 'rel' }), 't', /workspace/],
  ];
  for (const [note, text, id, error] of wrong) {
    it(`must: ${note}`, () => {
      const parsed = parseTrace(text);
      assert.ok(!parsed.ok);
      assert.equal(parsed.error.id, id);
      assert.match(parsed.error.error, error);
    });
  }
});
