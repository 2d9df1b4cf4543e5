import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import picomatch from 'picomatch';
import { parse } from 'yaml';
import {
  isNestOfSecrets,
  sensitivityOf,
  sensitivityOfPattern,
  type Sensitivity,
} from '../../../src/core/effects/sensitivePaths.js';

interface Case {
  note: string;
  paths: string[];
  want: Partial<Sensitivity>;
}

const facts = { home: '/home/dev' };
const cases = parse(readFileSync(new URL('./sensitivePaths.cases.yaml', import.meta.url), 'utf8')) as Case[];

describe('sensitive paths', () => {
  for (const { note, paths, want } of cases) {
    it(note, () => {
      for (const path of paths) {
        const found: Record<string, unknown> = { ...sensitivityOf(path, facts) };
        for (const [key, value] of Object.entries(want)) assert.equal(found[key], value, `${path}: ${key}`);
      }
    });
  }

  it('judges a glob by what it could match', () => {
    const of = (pattern: string): Sensitivity => sensitivityOfPattern(pattern, facts, picomatch(pattern));
    assert.ok(of('/w/*.pem').isSecret);
    assert.ok(of('/w/.env*').isSecret);
    assert.ok(of('/home/dev/.s*/id_*').isSecret);
    assert.ok(of('/etc/shad?w').isSecret);
    assert.equal(of('/home/dev/.bash*').persistence, 'shell-startup');
    assert.ok(!of('/w/src/*.ts').isSecret);
    assert.ok(!of('/w/*').isSecret);
  });

  it('knows folders that hold secrets without saying so', () => {
    for (const path of ['/home/dev', '/', '/home', '/etc', '/home/dev/.config', '/home/dev/']) {
      assert.ok(isNestOfSecrets(path, facts), path);
    }
    for (const path of ['/home/dev/work', '/w', '/home/dev/work/shop', '/usr/share']) {
      assert.ok(!isNestOfSecrets(path, facts), path);
    }
  });

  it('stays linear on hostile paths', () => {
    const started = performance.now();
    sensitivityOf(`/${'a/'.repeat(2000)}.en`, facts);
    sensitivityOf(`/${'.env'.repeat(1000)}x`, facts);
    sensitivityOf(`/${'-'.repeat(4000)}service-accoun`, facts);
    assert.ok(performance.now() - started < 200);
  });
});
