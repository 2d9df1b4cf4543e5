import assert from 'node:assert/strict';
import { observe } from '../../../src/core/session/content/observe.js';
import { assessPrompt } from '../../../src/core/session/prompt.js';
import { initialState, next, type SessionState } from '../../../src/core/session/state.js';

const SECRET = { confidentiality: 'secret', isUntrusted: false } as const;
const SENSITIVE = { confidentiality: 'sensitive', isUntrusted: false } as const;

const after = (text: string, labels: typeof SECRET | typeof SENSITIVE): SessionState =>
  next(initialState('s', ['/w'], 'balanced', 0), {
    type: 'filled',
    atMs: 1,
    lacunaId: 'l',
    outcome: 'filled',
    content: observe(text, labels),
  });

const knowing = after('PAY_TOKEN=zq81kfm20dpw77xa\nPORT=3000\n', SECRET);

describe('what goes to a remote model', () => {
  it('lets ordinary text through as it is', () => {
    assert.deepEqual(assessPrompt('the port is 3000', knowing, 'deny'), {
      type: 'send',
      text: 'the port is 3000',
      masked: 0,
    });
  });

  it('masks a secret by its form', () => {
    const text = 'use AKIAQ3EGRZ5XJ7K2LMNO here';
    const answer = assessPrompt(text, initialState('s', ['/w'], 'balanced', 0), 'mask');
    assert.equal(answer.type, 'send');
    assert.ok(!answer.text.includes('AKIAQ3EGRZ5XJ7K2LMNO'));
  });

  it('masks a line that holds a secret of the session, plain or encoded', () => {
    for (const line of [
      'it says zq81kfm20dpw77xa there',
      `b64: ${Buffer.from('zq81kfm20dpw77xa').toString('base64')}`,
    ]) {
      const answer = assessPrompt(`before\n${line}\nafter`, knowing, 'mask');
      assert.equal(answer.type, 'send');
      assert.match(answer.text, /^before\n\[masked[^\n]*\]\nafter$/);
    }
  });

  it('asks or denies instead of masking where the policy says so', () => {
    assert.equal(assessPrompt('zq81kfm20dpw77xa', knowing, 'ask').type, 'ask');
    assert.equal(assessPrompt('zq81kfm20dpw77xa', knowing, 'deny').type, 'deny');
  });

  it('asks about passages of a sensitive document, which cannot be masked', () => {
    const document = Array.from(
      { length: 40 },
      (_, i) => `Clause ${i}: the parties agree on point number ${i * 7}.`,
    ).join('\n');
    const state = after(document, SENSITIVE);
    const answer = assessPrompt(`Summarise: ${document.slice(300, 900)}`, state, 'mask');
    assert.equal(answer.type, 'ask');
    assert.equal(assessPrompt('Summarise: nothing of it', state, 'mask').type, 'send');
  });
});
