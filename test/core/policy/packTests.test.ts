import assert from 'node:assert/strict';
import { packFiles, packText } from '../../../scripts/packs.js';
import { analyseReally } from '../../support/policies.js';
import { compilePolicy, type PolicyLayers } from '../../../src/core/policy/compile.js';
import { defaultLayers } from '../../../src/core/policy/load.js';
import { parsePolicy } from '../../../src/core/policy/parse.js';
import { problemLine } from '../../../src/core/policy/problem.js';
import type { PolicySpec } from '../../../src/core/policy/schema.js';
import { runTests, type Analyse } from '../../../src/core/policy/testing/runTests.js';

const specOf = (file: string): PolicySpec => {
  const parsed = parsePolicy(file, packText(file));
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.error.map(problemLine).join('\n'));
  return parsed.value.spec;
};

/** The default layers without one rule of the packs. */
const without = (layers: PolicyLayers, id: string): PolicyLayers => ({
  ...layers,
  packs: layers.packs.map(({ source, spec }) => ({
    source,
    spec: { ...spec, rules: (spec.rules ?? []).filter((rule) => rule.id !== id) },
  })),
});

describe('tests in the built-in packs', () => {
  const layers = defaultLayers();
  let analyse: Analyse;
  before(async () => {
    analyse = await analyseReally();
  });
  for (const file of packFiles()) {
    const spec = specOf(file);

    it(`${file}: all pass`, () => {
      const failed = runTests(compilePolicy(layers), spec.tests ?? [], analyse).filter(({ isPassed }) => !isPassed);
      assert.deepEqual(
        failed.map(({ name, message }) => `${name}: ${message}`),
        [],
      );
    });

    it(`${file}: every rule has a test that fails without it`, () => {
      const unguarded = (spec.rules ?? []).filter(({ id }) =>
        runTests(compilePolicy(without(layers, id)), spec.tests ?? [], analyse).every(({ isPassed }) => isPassed),
      );
      assert.deepEqual(
        unguarded.map(({ id }) => id),
        [],
      );
    });
  }
});
