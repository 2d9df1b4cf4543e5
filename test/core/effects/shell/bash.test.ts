import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { installedWasm, TreeSitter } from '../../../../src/adapters/treeSitter.js';
import { freshTerminal, type Analysis } from '../../../../src/core/effects/effect.js';
import { analyseShell } from '../../../../src/core/effects/shell/analyseShell.js';
import type { Shell } from '../../../../src/core/lacuna/kinds/executeShell.js';
import { factsOf, shownEffect, type World } from '../../../support/facts.js';

/** `lines` run one after the other in one terminal; `want` and `runs` are about the last one. */
interface Case {
  note: string;
  world?: World;
  shell?: Shell;
  lines: string | string[];
  /** Effects but for the plain `execute` of each program. */
  want?: string[];
  /** Programs in the order they are recorded. */
  runs?: string[];
  cwd?: string | null;
}

const syntax = new TreeSitter(installedWasm(path.resolve(import.meta.dirname, '../../../..')));

function judge({ world, shell = 'bash', lines }: Case): { analysis: Analysis; effects: string[] } {
  const facts = factsOf(world);
  let terminal = freshTerminal(facts.roots[0] ?? null);
  let analysis: Analysis | null = null;
  for (const command of [lines].flat()) {
    analysis = analyseShell({ command, shell }, { facts, syntax, terminal });
    terminal = analysis.terminal;
  }
  assert.ok(analysis);
  const effects = analysis.effects
    .filter(({ op, traits, certainty }) => op !== 'execute' || traits.length > 0 || certainty !== 'exact')
    .map((effect) => shownEffect(effect, facts));
  return { analysis, effects };
}

for (const file of [
  'words',
  'shape',
  'state',
  'carriers',
  'files',
  'inPlace',
  'known',
  'atStake',
  'hidden',
  'evasion',
]) {
  const text = readFileSync(new URL(`./${file}.cases.yaml`, import.meta.url), 'utf8');
  describe(`bash: ${file}`, () => {
    before(() => syntax.load('bash'));
    for (const example of parse(text) as Case[]) {
      it(example.note, () => {
        const { analysis, effects } = judge(example);
        if (example.want) assert.deepEqual(effects, example.want);
        if (example.runs)
          assert.deepEqual(
            analysis.commands.map(({ program }) => program),
            example.runs,
          );
        if (example.cwd !== undefined) assert.equal(analysis.terminal.cwd, example.cwd);
        assert.ok(example.want ?? example.runs ?? example.cwd !== undefined, 'a case that asserts nothing');
      });
    }
  });
}
