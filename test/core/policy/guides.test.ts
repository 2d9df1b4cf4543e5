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
  for (const guide of ['README.md', 'policies/README.md'])
    it(`of ${guide} are understood, of use, and pass their own tests`, () => {
      const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(readFileSync(path.join(root, guide), 'utf8')) ?? [];
      const parsed = parsePolicy(guide, text);
      assert.ok(parsed.ok, parsed.ok ? '' : parsed.error.map(problemLine).join('\n'));
      assert.deepEqual(lintPolicy(guide, parsed.value).map(problemLine), []);
      const { spec } = parsed.value;
      assert.ok((spec.tests ?? []).length >= 2);
      const policy = compilePolicy({ ...defaultLayers(), workspace: [{ source: guide, spec }] });
      const failed = runTests(policy, spec.tests ?? [], analyse).filter(({ isPassed }) => !isPassed);
      assert.deepEqual(
        failed.map(({ name, message }) => `${name}: ${message}`),
        [],
      );
    });
});
