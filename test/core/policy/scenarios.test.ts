import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { compilePolicy } from '../../../src/core/policy/compile.js';
import { defaultLayers } from '../../../src/core/policy/load.js';
import { policySchema, type TestSpec } from '../../../src/core/policy/schema.js';
import { runTests, type Analyse } from '../../../src/core/policy/testing/runTests.js';
import { analyseReally, fileOf } from '../../support/policies.js';

/** One small policy with what it must answer. Layers are lists of rules or whole files. */
interface Scenario {
  readonly note: string;
  readonly organisation?: unknown;
  readonly user?: unknown;
  readonly workspace?: unknown;
  readonly tests: readonly unknown[];
}

const scenarios = parse(
  readFileSync(path.join(import.meta.dirname, 'scenarios.cases.yaml'), 'utf8'),
) as readonly Scenario[];

/** `[command, verdict]`, `[command, verdict, rule]`, or a whole test. */
function testOf(test: unknown): TestSpec {
  const [command, expect, rule] = Array.isArray(test) ? (test as [string, string, string?]) : [];
  const whole =
    command === undefined
      ? test
      : { when: { kind: 'ExecuteShell', params: { command } }, expect, ...(rule === undefined ? {} : { rule }) };
  const spec = policySchema.parse({ version: 1, tests: [whole] });
  const [only] = spec.tests ?? [];
  assert.ok(only);
  return only;
}

describe('policy scenarios', () => {
  let analyse: Analyse;
  before(async () => {
    analyse = await analyseReally();
  });
  for (const scenario of scenarios) {
    it(scenario.note, () => {
      const layer = (content: unknown, source: string): ReturnType<typeof fileOf>[] =>
        content === undefined ? [] : [fileOf(source, content)];
      const policy = compilePolicy({
        ...defaultLayers(),
        organisation: layer(scenario.organisation, 'organisation.yaml'),
        user: layer(scenario.user, 'user.yaml'),
        workspace: layer(scenario.workspace, '.lacuna/policy.yaml'),
      });
      const failed = runTests(policy, scenario.tests.map(testOf), analyse).filter(({ isPassed }) => !isPassed);
      assert.deepEqual(
        failed.map(({ name, message }) => `${name}: ${message}`),
        [],
      );
    });
  }
});
