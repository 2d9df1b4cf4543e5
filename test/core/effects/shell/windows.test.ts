import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse } from 'yaml';
import { TreeSitter } from '../../../../src/adapters/treeSitter.js';
import { analyse } from '../../../../src/core/effects/analyse.js';
import { freshTerminal } from '../../../../src/core/effects/effect.js';
import type { View } from '../../../../src/core/effects/view.js';
import { factsOf, shownEffects, type World } from '../../../support/facts.js';
import { wasmFolder } from '../../../support/wasm.js';

interface Case {
  note: string;
  line: string;
  world?: World;
  want?: string[];
  has?: string[];
  no?: string[];
}
const syntax = new TreeSitter(wasmFolder);

function effectsOf(shell: 'powershell' | 'cmd' | 'bash', command: string, world: World = {}): readonly string[] {
  const facts = factsOf({ platform: 'win32', ...world });
  const view: View = { facts, syntax, terminal: freshTerminal(facts.roots[0] ?? null) };
  return shownEffects(analyse({ kind: 'ExecuteShell', params: { command, shell } }, view), facts);
}

/** Cmdlets and cmd's own commands are part of their shell. */
const OWN =
  /^execute (?:[A-Za-z]+-[A-Za-z]+|del|erase|rd|rmdir|md|copy|move|ren|type|dir|cd|set|start|call|mklink|echo|findstr|for|exit)$/i;

for (const [shell, name] of [
  ['powershell', 'powershell'],
  ['cmd', 'cmd'],
  ['bash', 'gitBash'],
] as const) {
  describe(`${shell} on Windows`, () => {
    before(() => syntax.load('bash'));
    for (const { note, line, world, want, has, no } of parse(
      readFileSync(`${import.meta.dirname}/${name}.cases.yaml`, 'utf8'),
    ) as Case[]) {
      it(note, () => {
        const found = effectsOf(shell, line, world);
        if (want) {
          assert.deepEqual(
            found.filter((effect) => !OWN.test(effect)),
            want,
          );
        }
        for (const effect of has ?? [])
          assert.ok(found.includes(effect), `${effect} is not among\n${found.join('\n')}`);
        for (const start of no ?? []) assert.ok(!found.some((effect) => effect.startsWith(start)), found.join('\n'));
      });
    }

    it('never throws, whatever the text', () => {
      const piece = fc.constantFrom(
        'Remove-Item',
        'del',
        ' ',
        '(',
        ')',
        '{',
        '}',
        '$x',
        '$(',
        '"',
        "'",
        '@{',
        '@(',
        '[',
        ']',
        '|',
        ';',
        '&',
        '%x%',
        '%i',
        'for ',
        ' in ',
        ' do ',
        'if ',
        '\n',
        '`',
        '^',
        '>',
        '-',
        ',',
        '=',
        '::',
        '.',
        '/s',
        '#',
        '<#',
        'function ',
        '@"\n',
      );
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
          effectsOf(shell, pieces.join('') || ' x');
        }),
        { numRuns: 500 },
      );
    });

    it('answers hostile text within its budget', () => {
      for (const unit of [
        '(',
        '{',
        '$(',
        '"',
        '@(',
        'a|',
        'a&',
        '[',
        'if x ',
        '-a ',
        'a,',
        '%x%',
        'for %i in (a) do ',
        '"$(',
        '^',
      ]) {
        // Work of this process: what else the machine does is not the text's fault.
        const before = process.cpuUsage();
        effectsOf(shell, unit.repeat(20_000 / unit.length));
        const workedMs = process.cpuUsage(before).user / 1_000;
        assert.ok(workedMs < 1_000, `${unit}: ${String(workedMs)} ms`);
      }
    });
  });
}
