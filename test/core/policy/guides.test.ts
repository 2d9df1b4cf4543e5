import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { analyseReally } from '../../support/policies.js';
import { compilePolicy } from '../../../src/core/policy/compile.js';
import { lintPolicy } from '../../../src/core/policy/lint.js';
import { defaultLayers } from '../../../src/core/policy/load.js';
import { parsePolicy } from '../../../src/core/policy/parse.js';
import { problemLine } from '../../../src/core/policy/problem.js';
import { runTests, type Analyse } from '../../../src/core/policy/testing/runTests.js';

const root = path.resolve(import.meta.dirname, '../../..');

describe('policies that people are told to write', () => {
  let analyse: Analyse;
  before(async () => {
    analyse = await analyseReally();
  });
  const guides = ['README.md', 'policies/README.md'].flatMap((guide) =>
    [...readFileSync(path.join(root, guide), 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g)].map(
      ([, text = ''], index) => ({
        guide,
        text,
        name: `${guide}, example ${String(index + 1)},`,
      }),
    ),
  );
  it('of both guides are the same where they begin', () => {
    const [first, second] = ['README.md', 'policies/README.md'].map(
      (one) => guides.find(({ guide }) => guide === one)?.text,
    );
    assert.ok(first);
    assert.equal(first, second);
  });
  for (const { guide, text, name } of guides)
    it(`of ${name} are understood, of use, and pass their own tests`, () => {
      const parsed = parsePolicy(guide, text);
      assert.ok(parsed.ok, parsed.ok ? '' : parsed.error.map(problemLine).join('\n'));
      assert.deepEqual(lintPolicy(guide, parsed.value).map(problemLine), []);
      const { spec } = parsed.value;
      assert.ok((spec.tests ?? []).length >= 2);
      const policy = compilePolicy({ ...defaultLayers(), workspace: [{ source: guide, spec }] });
      const failed = runTests(policy, spec.tests ?? [], analyse).filter(({ isPassed }) => !isPassed);
      assert.deepEqual(
        failed.map((one) => `${one.name}: ${one.message}`),
        [],
      );
    });
});
