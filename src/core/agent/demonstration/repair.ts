import type { Edit } from './toolbox.js';

/** Titles of failing tests in the output of a test run: TAP, node's spec reporter, mocha, jest. Names of files are left out. */
export function failingTests(output: string): readonly string[] {
  const titles = [
    ...output.matchAll(/^\s*not ok \d+ - (.+?)\s*$/gm),
    ...output.matchAll(/^\s*✖ (.+?)(?: \([\d.]+m?s\))?\s*$/gm),
    ...output.matchAll(/^\s*\d+\) (.+?):?\s*$/gm),
    ...output.matchAll(/^\s*● (?:.* › )?(.+?)\s*$/gm),
  ].map((match) => (match[1] ?? '').replaceAll('\\#', '#'));
  return [...new Set(titles)].filter((title) => title !== 'failing tests:' && !/\.[cm]?[jt]s$/.test(title));
}

/** The part of a test file that holds the test of this title; null when it is not there. */
export function testBlock(source: string, title: string): string | null {
  const at = source.indexOf(title);
  if (at < 0) return null;
  const end = /\n(?:\}\);?|(?:test|it|describe)\()/.exec(source.slice(at));
  return source.slice(at, end === null ? undefined : at + end.index);
}

/** Relative modules that a file imports, as paths from the workspace root. */
export function importsOf(source: string, file: string): readonly string[] {
  const specifiers = [...source.matchAll(/(?:from\s*|require\(\s*|import\(\s*)['"](\.[^'"]+)['"]/g)];
  return [...new Set(specifiers.map((match) => resolve(file, match[1] ?? '')))];
}

function resolve(file: string, specifier: string): string {
  const parts = file.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Ways in which one operator or number could have been meant, likeliest first. */
const COMPARISONS: Readonly<Record<string, readonly string[]>> = {
  '>': ['>=', '<'],
  '>=': ['>', '<='],
  '<': ['<=', '>'],
  '<=': ['<', '>='],
  '===': ['!=='],
  '!==': ['==='],
};
const SUMS: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*' };

interface Candidate {
  readonly line: number;
  readonly text: string;
  readonly rank: number;
}

/**
 * Small changes to a source that could make a failing test pass, likeliest first: a comparison at a number that the test
 * names, then other comparisons, then sums, in the functions that the test calls. Each is one whole line that occurs once.
 */
export function repairs(source: string, block: string): readonly Edit[] {
  const lines = source.split('\n');
  const called = new Set([...block.matchAll(/\b([A-Za-z_$][\w$]*)\s*\(/g)].map((match) => match[1] ?? ''));
  const numbers = new Set(block.match(/\d+(?:\.\d+)?/g) ?? []);
  const candidates = lines.flatMap((line, at) => {
    const owner = functionAt(lines, at);
    return owner !== null && called.has(owner) ? changesOf(line, at, numbers) : [];
  });
  return candidates
    .sort((a, b) => a.rank - b.rank || a.line - b.line)
    .filter(({ line }) => lines.filter((other) => other.trim() === (lines[line] ?? '').trim()).length === 1)
    .map(({ line, text }) => ({ oldText: lines[line] ?? '', newText: text }));
}

/** Name of the function whose body a line stands in; null outside of all. Goes by indentation, as formatted code has it. */
function functionAt(lines: readonly string[], at: number): string | null {
  for (let above = at; above >= 0; above -= 1) {
    const line = lines[above] ?? '';
    const name = /^(?:export\s+)?(?:async\s+)?(?:function\s+|const\s+)([A-Za-z_$][\w$]*)/.exec(line)?.[1];
    if (name !== undefined) return name;
    if (above !== at && /^\}/.test(line)) return null;
  }
  return null;
}

function changesOf(line: string, at: number, numbers: ReadonlySet<string>): Candidate[] {
  if (/^\s*(\/\/|\/?\*)/.test(line)) return [];
  const changes: Candidate[] = [];
  for (const match of line.matchAll(/\s(>=|<=|===|!==|>|<)\s+(\d+(?:\.\d+)?)?/g)) {
    const operator = match[1] ?? '';
    const isNamed = match[2] !== undefined && numbers.has(match[2]);
    for (const [index, other] of (COMPARISONS[operator] ?? []).entries())
      changes.push({ line: at, text: swap(line, match.index, operator, other), rank: (isNamed ? 0 : 10) + index * 5 });
  }
  for (const match of line.matchAll(/\s([+\-*/])\s/g)) {
    const operator = match[1] ?? '';
    changes.push({ line: at, text: swap(line, match.index, operator, SUMS[operator] ?? operator), rank: 30 });
  }
  return changes;
}

const swap = (line: string, from: number, operator: string, other: string): string => {
  const at = line.indexOf(operator, from);
  return line.slice(0, at) + other + line.slice(at + operator.length);
};

/** A change that is nice and not needed, away from the other one: something for a person to turn down. Null: none to be found. */
export function needlessEdit(source: string, needed: Edit): Edit | null {
  const lines = source.split('\n');
  const taken = lines.indexOf(needed.oldText);
  for (const [at, line] of lines.entries()) {
    if (Math.abs(at - taken) < 4 || lines.filter((other) => other === line).length > 1) continue;
    if (/^\s*var\s/.test(line)) return { oldText: line, newText: line.replace(/\bvar\b/, 'const') };
    if (/\s==\s/.test(line)) return { oldText: line, newText: line.replace(/\s==\s/, ' === ') };
  }
  return null;
}
