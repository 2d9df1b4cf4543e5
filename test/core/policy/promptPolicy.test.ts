import assert from 'node:assert/strict';
import { promptPolicyOf } from '../../../src/core/policy/promptPolicy.js';
import { fileOf, noLayers } from '../../support/policies.js';

describe('secrets in what a remote model is told', () => {
  const file = (secretsToModel: string) => fileOf('a.yaml', { session: { secretsToModel } });

  it('are masked where no file says more, and withheld in lockdown', () => {
    assert.equal(promptPolicyOf(noLayers, 'balanced'), 'mask');
    assert.equal(promptPolicyOf(noLayers, 'lockdown'), 'deny');
  });

  it('are treated as the strictest file says, whatever its layer', () => {
    assert.equal(promptPolicyOf({ ...noLayers, workspace: [file('ask')] }, 'relaxed'), 'ask');
    assert.equal(
      promptPolicyOf({ ...noLayers, organisation: [file('mask')], user: [file('deny')] }, 'balanced'),
      'deny',
    );
    assert.equal(
      promptPolicyOf({ ...noLayers, organisation: [file('ask')], workspace: [file('mask')] }, 'strict'),
      'ask',
    );
  });
});
