import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { TreeSitter, installedWasm } from '../../../src/adapters/treeSitter.js';
import { analyse } from '../../../src/core/effects/analyse.js';
import { freshTerminal } from '../../../src/core/effects/effect.js';
import { fitOf } from '../../../src/core/plan/compare.js';
import { planSchema } from '../../../src/core/plan/plan.js';
import { factsOf } from '../../support/facts.js';
import { stepOf, type DraftStep } from '../../support/sequences.js';

interface Case {
  readonly note: string;
  readonly claims?: string;
  readonly step: DraftStep;
  readonly want: string;
  readonly as?: string;
}

const cases = parse(readFileSync(path.join(import.meta.dirname, 'compare.cases.yaml'), 'utf8')) as readonly Case[];
const syntax = new TreeSitter(installedWasm(path.resolve(import.meta.dirname, '../../..')));
const facts = factsOf({ files: { 'src/a.ts': 'x', 'README.md': 'x', 'package.json': '{"scripts":{"test":"mocha"}}' } });
const plan = planSchema.parse({
  goal: 'document and test',
  steps: [
    { id: 'look', task: 'read the source', kinds: ['ReadFile'], resources: ['src/**'] },
    { id: 'docs', task: 'write the docs', kinds: ['WriteFile', 'EditFile'], resources: ['docs/**'] },
    { id: 'test', task: 'run the tests', kinds: ['ExecuteShell'], resources: ['npm'] },
  ],
});

describe('a step beside the plan', () => {
  before(() => syntax.load('bash'));

  for (const { note, claims = null, step, want, as = null } of cases) {
    it(note, () => {
      const { proposal } = stepOf(step);
      const analysis = analyse(proposal, { facts, syntax, terminal: freshTerminal(facts.roots[0] ?? '/') });
      assert.deepEqual(fitOf(plan, claims, proposal, analysis, facts), { fit: want, step: as });
    });
  }

  it('is none without a plan', () => {
    const { proposal } = stepOf('ls');
    const analysis = analyse(proposal, { facts, syntax, terminal: freshTerminal('/w') });
    assert.deepEqual(fitOf(null, null, proposal, analysis, facts), { fit: 'none', step: null });
  });
});
