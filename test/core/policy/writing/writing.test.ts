import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { completionsAt } from '../../../../src/core/policy/writing/completions.js';
import { fixesFor } from '../../../../src/core/policy/writing/fixes.js';
import { hoverAt } from '../../../../src/core/policy/writing/hover.js';

interface Case {
  readonly note: string;
  /** Text with `|` where the cursor stands. */
  readonly text: string;
  /** Words that must be offered, and with `!` before them must not; or a part of what the hover says. */
  readonly want: readonly string[];
}

const cases = parse(readFileSync(path.join(import.meta.dirname, 'writing.cases.yaml'), 'utf8')) as {
  readonly completion: readonly Case[];
  readonly hover: readonly Case[];
  readonly fixes: readonly { readonly note: string; readonly text: string; readonly want: string }[];
};

const split = (text: string): { readonly text: string; readonly offset: number } => {
  const offset = text.indexOf('|');
  assert.ok(offset >= 0);
  return { text: text.slice(0, offset) + text.slice(offset + 1), offset };
};

describe('writing policies', () => {
  for (const { note, text, want } of cases.completion)
    it(`completes ${note}`, () => {
      const { text: whole, offset } = split(text);
      const offered = completionsAt(whole, offset).items.map((item) => item.text);
      for (const word of want)
        if (word.startsWith('!'))
          assert.ok(!offered.includes(word.slice(1)), `${word} is offered: ${offered.join(' ')}`);
        else assert.ok(offered.includes(word), `${word} is not offered: ${offered.join(' ')}`);
    });

  for (const { note, text, want } of cases.hover)
    it(`explains ${note}`, () => {
      const { text: whole, offset } = split(text);
      const said = hoverAt(whole, offset)?.text ?? '';
      for (const part of want) assert.ok(said.includes(part), said);
    });

  for (const { note, text, want } of cases.fixes)
    it(`mends ${note}`, () => {
      const { text: whole, offset } = split(text);
      const fixed = fixesFor(whole, offset).map(
        ({ edit }) => whole.slice(0, edit.start) + edit.text + whole.slice(edit.end),
      );
      assert.ok(fixed.includes(want), JSON.stringify(fixed));
    });
});
