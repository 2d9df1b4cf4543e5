import assert from 'node:assert/strict';
import { doubtsOf } from '../../../src/core/policy/doubts.js';
import type { Standing } from '../../../src/core/policy/load.js';

const PATH = '/ws/.lacuna/policy.yaml';
const USELESS = `version: 1
rules:
  - id: lost
    match: { effect: { op: network, path: 'data/**' } }
    verdict: deny
`;

describe('doubts about a file that nobody has opened', () => {
  const doubts = async (texts: readonly (readonly [string, string])[], standing: Standing = 'as-written') =>
    (
      await doubtsOf(
        { source: { layer: 'workspace', path: PATH, name: '.lacuna/policy.yaml' }, texts: new Map(texts), standing },
        () => false,
      )
    ).map(({ source, line, severity, message }) => `${source}:${String(line)} ${severity}: ${message}`);

  it('name the rule that can never match, where it stands', async () => {
    const [found = ''] = await doubts([[PATH, USELESS]]);
    assert.match(found, /^\.lacuna\/policy\.yaml:3 warning: Rule lost can never match/);
  });
  it('there are none about a file that is not there', async () => assert.deepEqual(await doubts([]), []));
  it('there are none about what stands in for a broken file: its mistakes come first', async () =>
    assert.deepEqual(await doubts([[PATH, USELESS]], 'last-good'), []));
});
