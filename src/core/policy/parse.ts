import { isAlias, isMap, isNode, isPair, isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { z } from 'zod';
import { err, ok, type Result } from '../result.js';
import { checkSpec } from './checkSpec.js';
import { fileProblem, type PolicyProblem } from './problem.js';
import { policySchema, type PolicySpec } from './schema.js';
import { nearest } from './writing/nearest.js';
import { fieldsAt, type PolicyPath } from './writing/schemaGuide.js';

/** Largest policy text that is looked at, in UTF-16 units: 1 MiB of ASCII. */
export const MAX_POLICY_LENGTH = 1_048_576;
const MAX_ALIASES = 100;
const MAX_DEPTH = 60;
const MAX_PROBLEMS = 50;

/** A path into the document: keys and indexes, as zod reports them. */
export type SpecPath = readonly PropertyKey[];

/** A policy file that was understood, with a way back to the places of its parts. */
export interface ParsedPolicy {
  readonly spec: PolicySpec;
  /** The place of a part, for diagnostics: of the key when there is one, else of the value. */
  readonly place: (path: SpecPath) => Pick<PolicyProblem, 'line' | 'column' | 'endLine' | 'endColumn'>;
}

/**
 * Text of a policy file → what it says, or every problem with its line and column. Total: explosions of aliases, cycles,
 * depth and size are problems like any other. An empty file is one without `version`, so it is an error.
 */
export function parsePolicy(source: string, text: string): Result<ParsedPolicy, readonly PolicyProblem[]> {
  if (text.length > MAX_POLICY_LENGTH)
    return err([fileProblem(source, 'too-large', 'The policy is larger than 1 MiB; it is not read.')]);
  const tooDeep = depthProblem(source, text);
  if (tooDeep !== null) return err([tooDeep]);
  const lines = new LineCounter();
  let document: Document.Parsed;
  let value: unknown;
  try {
    document = parseDocument(text, {
      lineCounter: lines,
      uniqueKeys: true,
      merge: false,
      prettyErrors: false,
      stringKeys: true,
    });
    const found = yamlProblems(source, text, document, lines);
    if (found.length > 0) return err(found);
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    // The library throws for aliases that explode and for nesting that its recursion cannot bear.
    const message = error instanceof Error ? error.message : String(error);
    return err([
      /alias/i.test(message)
        ? aliasProblem(source, text)
        : fileProblem(source, 'yaml', sentence(`The YAML cannot be resolved: ${message}`)),
    ]);
  }
  const place = (path: SpecPath): ReturnType<ParsedPolicy['place']> => placeOf(document, lines, path);
  if (value === null || value === undefined)
    return err([fileProblem(source, 'shape', 'The policy is empty. It needs at least "version: 1".')]);
  const parsed = policySchema.safeParse(value, { reportInput: true });
  if (!parsed.success) {
    const problems = withoutTypos(parsed.error.issues).flatMap((issue) => issueProblems(source, issue, place));
    return err(problems.slice(0, MAX_PROBLEMS));
  }
  const wrong = checkSpec(parsed.data).map(({ path, code, message, first }) => ({
    source,
    ...place(path),
    severity: 'error' as const,
    code,
    message: first === undefined ? message : `${message} It stands first in line ${String(place(first).line)}.`,
  }));
  return wrong.length > 0 ? err(wrong.slice(0, MAX_PROBLEMS)) : ok({ spec: parsed.data, place });
}

/** Nesting is counted before parsing, since the parser's own recursion would run out of stack on a hostile file. */
function depthProblem(source: string, text: string): PolicyProblem | null {
  let flow = 0;
  let line = 1;
  let indentOfLine = 0;
  let atStart = true;
  for (const character of text) {
    if (character === '\n') {
      line += 1;
      indentOfLine = 0;
      atStart = true;
      continue;
    }
    if (atStart && (character === ' ' || character === '-' || character === '?')) indentOfLine += 1;
    else atStart = false;
    if (character === '[' || character === '{') flow += 1;
    else if (character === ']' || character === '}') flow = Math.max(0, flow - 1);
    if (flow > MAX_DEPTH || indentOfLine > 10 * MAX_DEPTH)
      return { ...fileProblem(source, 'yaml', 'The YAML is nested too deeply.'), line, endLine: line };
  }
  return null;
}

/** Aliases that multiply are told where the last of them stands, which is where they have grown the most. */
function aliasProblem(source: string, text: string): PolicyProblem {
  const at = Math.max(0, ...[...text.matchAll(/[\s,[{:](\*[\w-]+)/g)].map(({ index }) => index + 1));
  const before = text.slice(0, at).split('\n');
  const line = before.length;
  const column = (before.at(-1) ?? '').length + 1;
  const message = 'Aliases of aliases make this file grow beyond all bounds; write it out instead.';
  return { ...fileProblem(source, 'yaml', message), line, column, endLine: line, endColumn: column + 1 };
}

/** A field that is misspelt is not missing besides: one mistake is told once. */
function withoutTypos(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const meant = new Set(
    issues.flatMap((issue) =>
      issue.code !== 'unrecognized_keys'
        ? []
        : issue.keys.map((key) => {
            const fields = fieldsAt(policyPath(issue.path)).map(({ text }) => text);
            return JSON.stringify([...issue.path, nearest(key, fields)]);
          }),
    ),
  );
  return issues.filter((issue) => issue.input !== undefined || !meant.has(JSON.stringify(issue.path)));
}

/** Fields whose values are texts that people write with signs of YAML's own in them. */
const TEXT_FIELD =
  /\b(command|path|host|package|ref|remote|table|process|service|tool|reason|advice|name|url|sql|query|regex)\s*:\s+(?!['"[{|>])(\S[^\n]*)/;

/** The remedy where a text that had to be quoted was not; empty when the line shows none. */
function quoteRemedy(line: string): string {
  const found = TEXT_FIELD.exec(line);
  if (found === null || !/[{}[\]*&!%@`"',]|: /.test(found[2] ?? '')) return '';
  return ` A text with signs such as { } [ ] , * & ! or ": " in it must be in quotes: ${found[1] ?? ''}: '…'.`;
}

/** After a first mistake of syntax the others are mostly its consequences: it is told alone, with what helps. */
function firstOfSyntax(text: string, problems: readonly PolicyProblem[]): PolicyProblem[] {
  const [first] = [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
  if (first === undefined) return [];
  const lines = text.split(/\r?\n/);
  const remedy = quoteRemedy(lines[first.line - 1] ?? '') || quoteRemedy(lines[first.line - 2] ?? '');
  return [{ ...first, message: `${first.message}${remedy}` }];
}

function yamlProblems(source: string, text: string, document: Document.Parsed, lines: LineCounter): PolicyProblem[] {
  const told = syntaxProblems(source, document, lines);
  const isSyntax = document.errors.some(({ code }) => !Object.hasOwn(YAML_WORDS, code));
  return isSyntax
    ? firstOfSyntax(text, told)
    : [...told, ...aliasProblems(source, document, lines)].slice(0, MAX_PROBLEMS);
}

function syntaxProblems(source: string, document: Document.Parsed, lines: LineCounter): PolicyProblem[] {
  return [...document.errors, ...document.warnings].map((error) => {
    const start = lines.linePos(error.pos[0]);
    const end = lines.linePos(error.pos[1]);
    return {
      source,
      line: start.line,
      column: start.col,
      endLine: end.line,
      endColumn: end.col,
      severity: 'error',
      code: 'yaml',
      message: YAML_WORDS[error.code] ?? sentence(error.message.split('\n')[0] ?? 'broken YAML'),
    };
  });
}

function aliasProblems(source: string, document: Document.Parsed, lines: LineCounter): PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  visit(document, {
    // An alias inside the very node that it names is a cycle: resolving it would never end.
    Alias(_, alias, ancestors) {
      const target = alias.resolve(document);
      const isCycle = target !== undefined && ancestors.some((ancestor) => ancestor === target);
      if (target !== undefined && !isCycle) return undefined;
      const start = lines.linePos(alias.range?.[0] ?? 0);
      problems.push({
        ...fileProblem(
          source,
          'yaml',
          isCycle
            ? `The alias *${alias.source} stands inside what it names: a cycle.`
            : `A text that begins with "*" must be in quotes: '*${alias.source}'.`,
        ),
        line: start.line,
        column: start.col,
        endLine: start.line,
        endColumn: start.col + alias.source.length + 1,
      });
      return isCycle ? visit.BREAK : undefined;
    },
  });
  return problems;
}

/** Words of our own where the library speaks of itself. */
const YAML_WORDS: Readonly<Partial<Record<string, string>>> = {
  MULTIPLE_DOCS: 'There is more than one document in the file ("---"); a policy is one.',
  DUPLICATE_KEY: 'The same field stands here a second time.',
  BAD_ALIAS: `A text that begins with "*" must be in quotes: '*'.`,
};

/** Where the part at `path` stands: its key when it is a pair of a map, else the value, else the nearest parent that is there. */
function placeOf(document: Document.Parsed, lines: LineCounter, path: SpecPath): ReturnType<ParsedPolicy['place']> {
  let node: unknown = document.contents;
  let range: readonly number[] | null | undefined = isNode(node) ? node.range : null;
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === key);
      if (pair === undefined) break;
      range = isNode(pair.key) ? pair.key.range : range;
      node = pair.value;
    } else if (typeof key === 'number' && isNode(node) && 'items' in node && Array.isArray(node.items)) {
      node = (node.items as unknown[])[key];
      range = isNode(node) ? node.range : range;
    } else break;
  }
  const start = lines.linePos(range?.[0] ?? 0);
  const end = lines.linePos(range?.[1] ?? range?.[0] ?? 0);
  return {
    line: Math.max(1, start.line),
    column: Math.max(1, start.col),
    endLine: Math.max(1, end.line),
    endColumn: Math.max(1, end.col),
  };
}

/** One zod issue as one or more problems in plain words. */
function issueProblems(source: string, issue: z.core.$ZodIssue, place: ParsedPolicy['place']): PolicyProblem[] {
  const problem = (path: SpecPath, message: string): PolicyProblem => ({
    source,
    ...place(path),
    severity: 'error',
    code: 'shape',
    message,
  });
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const meant = nearest(
        key,
        fieldsAt(policyPath(issue.path)).map(({ text }) => text),
      );
      return problem([...issue.path, key], `Unknown field "${key}"${inPath(issue.path)}.${meantWords(meant)}`);
    });
  if (issue.code === 'invalid_union') {
    const branch = closestBranch(issue.errors, issue.input);
    if (branch !== null)
      return branch.flatMap((inner) =>
        issueProblems(source, { ...inner, path: [...issue.path, ...inner.path] }, place),
      );
    return [problem(issue.path, `${nameOf(issue.path)}: no form that is expected here.`)];
  }
  if (issue.code === 'invalid_value') {
    if (issue.input === undefined) return [problem(issue.path, `${nameOf(issue.path)} is missing.`)];
    if (issue.values.some((value) => typeof value === 'number' && String(value) === issue.input)) {
      const written = `expected the number ${String(issue.input)}, found a text; write it without quotes`;
      return [problem(issue.path, `${nameOf(issue.path)}: ${written}.`)];
    }
    const values = issue.values.map((value) => String(value));
    const meant = typeof issue.input === 'string' ? nearest(issue.input, values) : null;
    const found = `expected ${oneOf(values)}, found ${shown(issue.input)}`;
    return [problem(issue.path, `${nameOf(issue.path)}: ${found}.${meantWords(meant)}`)];
  }
  if (issue.code === 'invalid_type')
    return [
      problem(
        issue.path,
        issue.input === undefined
          ? `${nameOf(issue.path)} is missing.`
          : `${nameOf(issue.path)}: expected ${issue.expected}, found ${shown(issue.input)}.`,
      ),
    ];
  if (issue.code === 'invalid_key')
    return [problem(issue.path, `${nameOf(issue.path)}: a name that is not allowed here.`)];
  return [problem(issue.path, `${nameOf(issue.path)}: ${issue.message}.`)];
}

/** Of the branches of a union, the one that the value meant: a list's for lists, an object's for objects. */
function closestBranch(branches: readonly z.core.$ZodIssue[][], input: unknown): z.core.$ZodIssue[] | null {
  const isWrongShape = (issues: readonly z.core.$ZodIssue[]): boolean =>
    issues.some((issue) => issue.code === 'invalid_type' && issue.path.length === 0);
  const fitting = branches.filter((issues) => !isWrongShape(issues));
  if (fitting.length > 0) return fitting[fitting.length - 1] ?? null;
  return Array.isArray(input) ? (branches[branches.length - 1] ?? null) : (branches[0] ?? null);
}

const meantWords = (meant: string | null): string => (meant === null ? '' : ` Did you mean "${meant}"?`);

const policyPath = (path: SpecPath): PolicyPath => path.filter((part) => typeof part !== 'symbol');

const nameOf = (path: SpecPath): string => {
  const words = path.map((part) => (typeof part === 'number' ? `[${String(part)}]` : String(part)));
  return words.length === 0 ? 'The policy' : words.join('.').replaceAll('.[', '[');
};
const inPath = (path: SpecPath): string => (path.length === 0 ? '' : ` in ${nameOf(path)}`);
const oneOf = (values: readonly string[]): string =>
  values.length === 1 ? (values[0] ?? '') : `one of ${values.join(', ')}`;
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'nothing (null)';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
