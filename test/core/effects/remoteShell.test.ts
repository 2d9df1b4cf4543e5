import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { TreeSitter } from '../../../src/adapters/treeSitter.js';
import { analyse } from '../../../src/core/effects/analyse.js';
import { freshTerminal } from '../../../src/core/effects/effect.js';
import type { View } from '../../../src/core/effects/view.js';
import { factsOf } from '../../support/facts.js';
import { wasmFolder } from '../../support/wasm.js';

interface Case {
  note: string;
  line: string;
  is: boolean;
}

const syntax = new TreeSitter(wasmFolder);

describe('a shell whose input is a connection', () => {
  before(() => syntax.load('bash'));
  const cases = parse(readFileSync(new URL('./remoteShell.cases.yaml', import.meta.url), 'utf8')) as Case[];
  for (const { note, line, is } of cases) {
    it(note, () => {
      const facts = factsOf();
      const view: View = { facts, syntax, terminal: freshTerminal(facts.roots[0] ?? null) };
      const { effects } = analyse({ kind: 'ExecuteShell', params: { command: line, shell: 'bash' } }, view);
      const isFound = effects.some(({ op, traits }) => op === 'execute' && traits.includes('remote-code'));
      assert.equal(isFound, is, JSON.stringify(effects, null, 1));
    });
  }
});
