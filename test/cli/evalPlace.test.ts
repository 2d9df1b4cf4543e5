import assert from 'node:assert/strict';
import { recordedPlace } from '../../src/cli/evalPlace.js';

describe('where a recorded command ran', () => {
  it('is the checkout of the repository that it names', () => {
    assert.deepEqual(recordedPlace('cd /Users/ann/src/acme/shop/web && rm a', 'agent', 'acme/Shop'), {
      workspace: '/Users/ann/src/acme/shop',
      home: '/Users/ann',
      platform: 'darwin',
    });
    assert.deepEqual(recordedPlace('cat /home/ann/shop/a.txt', 'agent', 'acme/shop'), {
      workspace: '/home/ann/shop',
      home: '/home/ann',
    });
  });
  it('is the folder that a benchmark lays its task out in', () => {
    assert.deepEqual(recordedPlace('cd /testbed && ls', 'agent', ''), { workspace: '/testbed', home: '/root' });
  });
  it('is not told by another path, nor by a command that nobody ran', () => {
    assert.equal(recordedPlace('rm /home/ann/other/a.txt', 'agent', 'acme/shop'), null);
    assert.equal(recordedPlace('rm /testbeds/a', 'agent', ''), null);
    assert.equal(recordedPlace('cd /testbed && ls', 'documentation', ''), null);
  });
});
