import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { analyse } from '../../../src/core/effects/analyse.js';
import { freshTerminal } from '../../../src/core/effects/effect.js';
import type { View } from '../../../src/core/effects/view.js';
import { parseProposal } from '../../../src/core/lacuna/lacuna.js';
import { factsOf, shownEffects, type World } from '../../support/facts.js';

interface Case {
  note: string;
  world?: World;
  propose: { kind: string; params: unknown };
  want: string[];
  notes?: string[];
}
// A middle dot is taken out: no file here has the shape of a key.
const text = readFileSync(new URL('./kinds.cases.yaml', import.meta.url), 'utf8').replaceAll('·', '');

function viewOf(world: World = {}): View {
  const facts = factsOf(world);
  return { facts, syntax: { parse: () => null }, terminal: freshTerminal(facts.roots[0] ?? null) };
}

describe('kinds that are no shell', () => {
  for (const { note, world, propose, want, notes } of parse(text) as Case[]) {
    it(note, () => {
      const proposal = parseProposal(propose.kind, propose.params);
      assert.ok(proposal.ok, JSON.stringify(proposal));
      const view = viewOf(world);
      const analysis = analyse(proposal.value, view);
      assert.deepEqual(shownEffects(analysis, view.facts), want);
      for (const words of notes ?? [])
        assert.ok(
          analysis.effects.some((effect) => effect.note.includes(words)),
          words,
        );
      assert.equal(analysis.terminal, view.terminal);
    });
  }

  it('a fault on the way is an unknown effect', () => {
    const view = viewOf();
    const broken: View = {
      ...view,
      facts: {
        ...view.facts,
        realPath: () => {
          throw new Error('disk on fire');
        },
      },
    };
    const { effects } = analyse({ kind: 'ReadFile', params: { path: 'a' } }, broken);
    assert.equal(effects[0]?.op, 'unknown');
    assert.match(JSON.stringify(effects[0]?.resource), /disk on fire/);
  });
});
