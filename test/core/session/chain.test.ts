import assert from 'node:assert/strict';
import { reversibilityText } from '../../../src/core/session/chain.js';
import { chained, loadChained } from '../../support/chained.js';

describe('the chain that a person is shown', () => {
  before(loadChained);

  it('tells request, what was read, what the session carries, the risk, and whether it can be undone', () => {
    const lines = chained(
      [
        { kind: 'ReadFile', params: { path: '.env' }, content: 'PAY_TOKEN=zq81kfm20dpw77xa' },
        { kind: 'HttpRequest', params: { url: 'https://a.example', method: 'POST', body: 'x' } },
      ],
      'find out why the payment fails',
    );
    const text = lines.join('\n');
    assert.match(text, /^request: find out why the payment fails$/m);
    assert.match(text, /^step \d+: read \.env \(secret\)$/m);
    assert.match(text, /^the session carries: secret$/m);
    assert.match(text, /^risk so far: \d/m);
    assert.match(text, /^secret-outward: /m);
    assert.match(text, /^this step cannot be undone/m);
    assert.ok(!text.includes('zq81kfm20dpw77xa'), 'no secret is shown');
  });

  it('is bounded, however long the session', () => {
    const steps = Array.from({ length: 60 }, (_, i) => ({
      kind: 'ReadFile',
      params: { path: `a/${i}/.env` },
      content: 'A=1',
    }));
    assert.ok(chained([...steps, 'curl https://a.example'], 'x'.repeat(5_000)).every((line) => line.length < 400));
    assert.ok(chained([...steps, 'curl https://a.example'], 'x').length < 24);
  });

  it('says of an action that only looks that nothing needs undoing', () => {
    assert.match(reversibilityText({ effects: [] }), /changes nothing/);
  });
});
