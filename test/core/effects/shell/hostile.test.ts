import assert from 'node:assert/strict';
import path from 'node:path';
import { installedWasm, TreeSitter } from '../../../../src/adapters/treeSitter.js';
import { freshTerminal } from '../../../../src/core/effects/effect.js';
import { analyseShell } from '../../../../src/core/effects/shell/analyseShell.js';
import { factsOf } from '../../../support/facts.js';

/** Lines made to tire a guard. Each must be answered, and an answer that stops half-way must say so. */
const HOSTILE: Readonly<Record<string, string>> = {
  'a megabyte': 'a'.repeat(1 << 20),
  'ten thousand words': `rm ${'a '.repeat(10_000)}`,
  'ten thousand commands': 'rm x;'.repeat(10_000),
  'substitutions a thousand deep': '$('.repeat(1_000) + 'rm x' + ')'.repeat(1_000),
  'subshells two hundred deep': '('.repeat(200) + 'rm x' + ')'.repeat(200),
  'array openings': 'a=('.repeat(16_000),
  'a NUL byte': 'ls\0rm -rf /',
  'an unfinished quote': 'rm "a',
  'an unfinished substitution': 'echo $(rm a',
  'a value that doubles': `x=aaaaaaaaaa;${'x=$x$x;'.repeat(30)}rm $x`,
  'braces that multiply': `rm ${'{a,b}'.repeat(12)}`,
  'a long sequence': 'rm {1..100000000}',
  'functions that double': `${Array.from({ length: 30 }, (_unused, at) => `f${at}(){ f${at + 1};f${at + 1};}`).join(';')};f0`,
  'loops within loops': 'for a in {1..60}; do for b in {1..60}; do for c in {1..60}; do rm $a$b$c; done; done; done',
  'a pipe of thousands': `${'a|'.repeat(5_000)}a`,
  'evals of evals': `${'eval '.repeat(2_000)}ls`,
  'wrappers around wrappers': `${'exec '.repeat(40)}rm -rf ~/Documents`,
  'a function that calls itself': 'f() { f; }; f',
  'five thousand sudos': `${'sudo '.repeat(5_000)}ls`,
};
/** Lines that are odd and may be understood. */
const ODD: Readonly<Record<string, string>> = {
  'a lone surrogate': 'ls \ud800',
  'many stars': `ls ${'*a'.repeat(200)}`,
  nothing: ' ',
  'only a comment': '# rm',
  'a carriage return': 'ls\r\nls\r\n',
};

describe('hostile lines', () => {
  const syntax = new TreeSitter(installedWasm(path.resolve(import.meta.dirname, '../../../..')));
  const facts = factsOf();
  const analyse = (command: string) =>
    analyseShell({ command, shell: 'bash' }, { facts, syntax, terminal: freshTerminal(facts.roots[0] ?? null) });
  before(() => syntax.load('bash'));

  for (const [note, line] of Object.entries(HOSTILE)) {
    it(`${note}: answered, and not understood in full`, () => {
      const { effects, commands } = analyse(line);
      assert.ok(
        effects.some(({ op, certainty }) => op === 'unknown' || certainty === 'dynamic'),
        JSON.stringify(effects.slice(0, 3)),
      );
      assert.ok(commands.length <= 250 && effects.length <= 700);
    });
  }

  for (const [note, line] of Object.entries(ODD)) it(`${note}: answered`, () => void analyse(line));
});
