import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { installedWasm, TreeSitter } from '../../../src/adapters/treeSitter.js';
import { analyse } from '../../../src/core/effects/analyse.js';
import { freshTerminal } from '../../../src/core/effects/effect.js';
import { parseProposal } from '../../../src/core/lacuna/lacuna.js';
import { factsOf, shownEffects } from '../../support/facts.js';

interface Cases {
  readonly files: Readonly<Record<string, string>>;
  readonly cases: readonly {
    readonly note: string;
    readonly guard: boolean;
    readonly kind: string;
    readonly params: unknown;
  }[];
}

describe('what changes the guard itself', () => {
  const { files, cases } = parse(readFileSync(path.join(import.meta.dirname, 'guardSelf.cases.yaml'), 'utf8')) as Cases;
  const syntax = new TreeSitter(installedWasm(path.resolve(import.meta.dirname, '../../..')));
  const facts = factsOf({
    files: Object.fromEntries(Object.entries(files).map(([name, text]) => [name.replace(/^~/, '/home/dev'), text])),
    environment: { XDG_STATE_HOME: '/srv/state' },
  });
  before(() => syntax.load('bash'));

  for (const { note, guard, kind, params } of cases)
    it(`${note}: ${guard ? 'it does' : 'it does not'}`, () => {
      const proposal = parseProposal(kind, params);
      assert.ok(proposal.ok, JSON.stringify(proposal));
      const analysis = analyse(proposal.value, { facts, syntax, terminal: freshTerminal(facts.roots[0] ?? null) });
      const isMarked = analysis.effects.some(({ traits }) => traits.includes('guard-self'));
      assert.equal(isMarked, guard, shownEffects(analysis, facts).join('\n'));
    });
});
