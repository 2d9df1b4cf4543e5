import assert from 'node:assert/strict';
import { linksAmong, namesOfPath, questionsBy } from '../../../src/core/policy/links.js';
import { compilePath, type Anchors, type PathPattern } from '../../../src/core/policy/pathPattern.js';

const LINKS = new Map([
  ['/ws/vault', '/data/v'],
  ['/var/run/docker.sock', '/run/docker.sock'],
]);
const anchors: Anchors = {
  roots: ['/ws'],
  home: '/home/dev',
  isCaseSensitive: true,
  realPath: (path) => {
    for (const [link, target] of LINKS)
      if (path === link || path.startsWith(`${link}/`)) return target + path.slice(link.length);
    return path;
  },
};
const patterns = (...texts: string[]): PathPattern[] =>
  texts.map((text) => {
    const pattern = compilePath(text);
    assert.ok(typeof pattern !== 'string');
    return pattern;
  });

describe('links on the way to what rules name', () => {
  it('are found by what a pattern begins with', () => {
    assert.deepEqual(linksAmong(patterns('vault/**', 'src/**', '**/*.pem', '/var/run/docker.sock', '~/x'), anchors), [
      { named: '/ws/vault', real: '/data/v' },
      { named: '/var/run/docker.sock', real: '/run/docker.sock' },
    ]);
    assert.deepEqual(linksAmong(patterns('vault/a/*.txt'), anchors), [{ named: '/ws/vault/a', real: '/data/v/a' }]);
  });

  it('give what lies behind them another name', () => {
    const links = linksAmong(patterns('vault/**'), anchors);
    assert.deepEqual(namesOfPath('/data/v/a', false, links), ['/data/v/a', '/ws/vault/a']);
    assert.deepEqual(namesOfPath('/data/v', false, links), ['/data/v', '/ws/vault']);
    assert.deepEqual(namesOfPath('/data', false, links), ['/data']);
    assert.deepEqual(namesOfPath('/data', true, links), ['/data', '/ws/vault']);
    assert.deepEqual(namesOfPath('/', true, links), ['/', '/ws/vault']);
    assert.deepEqual(namesOfPath('/data/vx', false, links), ['/data/vx']);
    const question = { path: '/data/v/a', extent: 'exact', isRecursive: false, ignoreCase: false } as const;
    assert.equal(questionsBy(question, links).length, 2);
  });
});
