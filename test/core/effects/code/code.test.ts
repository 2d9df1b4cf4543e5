import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse } from 'yaml';
import { TreeSitter } from '../../../../src/adapters/treeSitter.js';
import { freshTerminal } from '../../../../src/core/effects/effect.js';
import { TABLES } from '../../../../src/core/effects/shell/analyseShell.js';
import type { Language } from '../../../../src/core/effects/shell/run.js';
import { analyseCode } from '../../../../src/core/effects/shell/shellFrame.js';
import type { View } from '../../../../src/core/effects/view.js';
import { factsOf, shownEffects, type World } from '../../../support/facts.js';
import { wasmFolder } from '../../../support/wasm.js';

interface Case {
  note: string;
  code: string;
  world?: World;
  want?: string[];
  has?: string[];
  no?: string[];
}
const syntax = new TreeSitter(wasmFolder);

function effectsOf(language: Language, code: string, world: World = {}): readonly string[] {
  const facts = factsOf(world);
  const view: View = { facts, syntax, terminal: freshTerminal(facts.roots[0] ?? null) };
  return shownEffects(analyseCode(language, code, view, TABLES), facts);
}

for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.cases.yaml'))) {
  const language = file.replace('.cases.yaml', '') as Language;
  describe(`code of ${language}`, () => {
    before(() => syntax.load('bash'));
    for (const { note, code, world, want, has, no } of parse(
      readFileSync(`${import.meta.dirname}/${file}`, 'utf8'),
    ) as Case[]) {
      it(note, () => {
        const found = effectsOf(language, code, world);
        if (want) assert.deepEqual(found, want);
        for (const effect of has ?? [])
          assert.ok(found.includes(effect), `${effect} is not among\n${found.join('\n')}`);
        for (const start of no ?? []) assert.ok(!found.some((effect) => effect.startsWith(start)), found.join('\n'));
      });
    }

    it('never throws, whatever the text', () => {
      const piece = fc.constantFrom(
        'import os\n',
        'os.remove',
        '(',
        ')',
        '[',
        ']',
        '{',
        '}',
        "'a'",
        '"',
        '\n',
        '  ',
        'def f(x):',
        ':',
        ',',
        '=',
        '+',
        'for x in ',
        'if ',
        'lambda',
        '`',
        '$x',
        'end',
        '=>',
        '/',
        '#',
        '.',
        'function',
        '\\',
      );
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
          effectsOf(language, pieces.join(''));
        }),
        { numRuns: 300 },
      );
    });

    it('answers hostile text within its budget', () => {
      for (const unit of [
        '(',
        '[',
        '{',
        'f(',
        'a.',
        'x=',
        '"',
        'if x:\n ',
        'def f(a):\n',
        'x+',
        '`',
        'a=[',
        'for x in y: ',
      ]) {
        const started = performance.now();
        effectsOf(language, unit.repeat(20_000 / unit.length));
        assert.ok(performance.now() - started < 1_500, `${unit}: ${String(performance.now() - started)} ms`);
      }
    });
  });
}
