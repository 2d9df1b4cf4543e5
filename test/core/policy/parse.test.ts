import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { MAX_POLICY_LENGTH, parsePolicy } from '../../../src/core/policy/parse.js';
import type { PolicyProblem } from '../../../src/core/policy/problem.js';

interface Case {
  readonly note: string;
  readonly text: string;
  /** `line:column start of the message`. */
  readonly want: readonly string[];
}

const cases = parse(readFileSync(path.join(import.meta.dirname, 'parse.cases.yaml'), 'utf8')) as readonly Case[];

const problemsOf = (text: string): readonly PolicyProblem[] => {
  const parsed = parsePolicy('policy.yaml', text);
  assert.ok(!parsed.ok, 'it is not refused');
  return parsed.error;
};

describe('broken policies', () => {
  for (const { note, text, want } of cases)
    it(note, () => {
      const problems = problemsOf(text);
      const shown = problems.map(({ line, column, message }) => `${String(line)}:${String(column)} ${message}`);
      for (const [index, expected] of want.entries())
        assert.ok(shown[index]?.startsWith(expected), `${JSON.stringify(shown)} should start with ${expected}`);
      for (const { message, endLine, line, severity } of problems) {
        assert.match(message, /[.!?]$/);
        assert.ok(endLine >= line);
        assert.equal(severity, 'error');
      }
    });

  it('a file of 10 MB is not read', () => {
    const [problem] = problemsOf('# x\n'.repeat(2_600_000));
    assert.equal(problem?.code, 'too-large');
  });

  it('the largest file that is read is parsed @slow', function () {
    this.timeout(60_000);
    const rule = (id: number): string => `  - { id: r${String(id)}, match: { effect: { op: read } }, verdict: ask }\n`;
    const text = `version: 1\nrules:\n${Array.from({ length: 4000 }, (_, id) => rule(id)).join('')}`;
    assert.ok(text.length < MAX_POLICY_LENGTH);
    assert.ok(parsePolicy('policy.yaml', text).ok);
  });

  it('nesting without end is refused, not a crash', () => {
    for (const text of [
      `version: ${'['.repeat(100_000)}`,
      `version: 1\nrules: ${'{a: '.repeat(50_000)}`,
      Array.from({ length: 1_000 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''),
      `${'- '.repeat(20_000)}a`,
    ]) {
      const [problem] = problemsOf(text);
      assert.equal(problem?.code, 'yaml');
    }
  });
});
