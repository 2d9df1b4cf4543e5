import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Word } from '../../../../src/core/effects/effect.js';
import {
  mergeSpecs,
  parseOptions,
  wordFrom,
  type OptionSpec,
} from '../../../../src/core/effects/shell/programs/options.js';

interface Case {
  note: string;
  spec: OptionSpec;
  words: string[];
  want: { options: string[]; operands: string[]; unknown?: string[]; dashes?: number };
}

const word = (text: string): Word => ({ text, raw: text, certainty: 'exact', quoted: false });
const cases = parse(readFileSync(new URL('./options.cases.yaml', import.meta.url), 'utf8')) as Case[];

describe('options of programs', () => {
  for (const { note, spec, words, want } of cases) {
    it(note, () => {
      const parsed = parseOptions(spec, words.map(word));
      assert.deepEqual(
        parsed.options.map(({ name, value }) => (value ? `${name}=${value.text}` : name)),
        want.options,
      );
      assert.deepEqual(
        parsed.operands.map(({ text }) => text),
        want.operands,
      );
      assert.deepEqual(
        parsed.unknown.map(({ text }) => text),
        want.unknown ?? [],
      );
      assert.equal(parsed.operandsBeforeDashes, want.dashes ?? want.operands.length);
    });
  }

  it('finds an option by any of its names', () => {
    const parsed = parseOptions(
      { flags: '-f|--force', values: '-o|--output' },
      ['-f', '-o', 'x', '--output=y'].map(word),
    );
    assert.ok(parsed.has('--force'));
    assert.ok(!parsed.has('--quiet'));
    assert.equal(parsed.value('--output')?.text, 'y');
    assert.deepEqual(
      parsed.values('-o').map(({ text }) => text),
      ['x', 'y'],
    );
  });

  it('keeps certainty in a part of a word', () => {
    const dynamic: Word = { text: '--out=', raw: '--out=$X', certainty: 'dynamic', quoted: false };
    assert.deepEqual(wordFrom(dynamic, 6), { text: '', raw: '$X', certainty: 'dynamic', quoted: false });
  });

  it('merges specs', () => {
    const merged = mergeSpecs({ flags: '-a' }, { flags: '-b', values: '-o', stopsAtOperand: true });
    const parsed = parseOptions(merged, ['-ab', '-o', 'x', 'y', '-a'].map(word));
    assert.deepEqual(
      parsed.options.map(({ name }) => name),
      ['-a', '-b', '-o'],
    );
  });
});
