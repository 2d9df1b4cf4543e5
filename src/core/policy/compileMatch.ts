import { RE2JS } from 're2js';
import type { Trait } from '../effects/effect.js';
import { readComparison } from './comparison.js';
import { matchesCommand, compileCommand, type CommandPattern } from './matchers/command.js';
import * as about from './matchers/context.js';
import * as effectWords from './matchers/effectWords.js';
import { compileHost, hostKeys, matchesHost } from './matchers/host.js';
import { matchesKind } from './matchers/kind.js';
import { matchesLabels } from './matchers/labels.js';
import * as names from './matchers/names.js';
import { matchesPackage, normalPackagePattern } from './matchers/package.js';
import { matchesParams, type ParamTest } from './matchers/params.js';
import { matchesPath } from './matchers/path.js';
import { matchesCommandText } from './matchers/commandText.js';
import { matchesAnnotations, matchesServer, matchesTool } from './matchers/tool.js';
import { compileName, type NamePattern } from './namePattern.js';
import { compilePath, type PathPattern } from './pathPattern.js';
import {
  commandKeys,
  nameKeys,
  pathKeysOf,
  refPatternKeys,
  toolPatternKeys,
  type Family,
  type Requirement,
} from './ruleKeys.js';
import type { MatchSpec } from './schema.js';
import { listOf, type Many, type PatternError, type Predicate, type Reading, type Subject } from './subject.js';
import { anyOf, negate, type Tri } from './tri.js';

/** What a rule can be found by: null says nothing about it, so the rule must be looked at whatever the subject has. */
export interface RuleKeys {
  readonly kinds: readonly string[] | null;
  readonly ops: readonly string[] | null;
  /** What a subject must have, in other words each; any one of these is enough to find the rule by. Empty: nothing. */
  readonly requirements: readonly Requirement[];
}

/** A compiled match: its predicate, what it can be found by, and what is wrong with its patterns. */
export interface CompiledMatch {
  readonly predicate: Predicate;
  readonly keys: RuleKeys;
  /** The parts that must all hold, by the name of the field, for explanations. */
  readonly parts: readonly NamedPart[];
}

/** One part of a match: `kind`, `effect.path`, `not`. */
export interface NamedPart {
  readonly name: string;
  readonly predicate: Predicate;
}

type Path = readonly (string | number)[];

/** Gathers errors while parts are compiled, so that all are reported at once. */
export class PatternErrors {
  readonly list: PatternError[] = [];

  /** Compiles each value of a list; those that are no good are reported and left out. */
  each<T>(values: Many<string>, path: Path, compile: (text: string) => T | string): readonly T[] {
    const many = Array.isArray(values);
    return listOf(values).flatMap((text, index) => {
      const compiled = compile(text);
      if (typeof compiled !== 'string') return [compiled];
      this.list.push({ path: many ? [...path, index] : path, message: `"${text}": ${compiled}.` });
      return [];
    });
  }
}

/** Matches of rules that were good: loading compiles each to check it, and what was compiled then is what decides. */
const known = new WeakMap<MatchSpec, CompiledMatch>();

/** The compiled match of a rule; the same for the same object. Parts that are no good are reported in `errors`. */
export function compiledMatch(spec: MatchSpec, path: Path, errors: PatternErrors): CompiledMatch {
  const before = known.get(spec);
  if (before !== undefined) return before;
  const count = errors.list.length;
  const compiled = compileMatch(spec, path, errors);
  if (errors.list.length === count) known.set(spec, compiled);
  return compiled;
}

/** Compiles a match. Parts that are no good are reported in `errors`; the rule must then not be used. */
export function compileMatch(spec: MatchSpec, path: Path, errors: PatternErrors): CompiledMatch {
  const parts: NamedPart[] = [];
  const found: Found = { requirements: [] };
  const add: Add = (name, predicate) => {
    parts.push({ name, predicate });
  };
  if (spec.kind !== undefined) add('kind', matchesKind(listOf(spec.kind)));
  compileEffect(spec, path, errors, add, found);
  compileCommands(spec, [...path, 'command'], errors, add, found);
  compileTool(spec, path, errors, add, found);
  if (spec.params !== undefined) add('params', compileParams(spec.params, [...path, 'params'], errors));
  if (spec.labels !== undefined) add('labels', matchesLabels(listOf(spec.labels)));
  compileContext(spec, [...path, 'context'], errors, add);
  if (spec.not !== undefined) {
    const inner = compileMatch(spec.not, [...path, 'not'], errors).predicate;
    add('not', (subject, reading) => negate(inner(subject, turned(reading))));
  }
  const all = (spec.all ?? []).map((part, index) => compileMatch(part, [...path, 'all', index], errors));
  const any = (spec.any ?? []).map((part, index) => compileMatch(part, [...path, 'any', index], errors));
  for (const part of all) add('all', part.predicate);
  if (any.length > 0) add('any', (subject, reading) => anyHolds(any, subject, reading));
  return {
    predicate: (subject, reading) => allHold(parts, subject, reading),
    keys: keysOf(spec, found.requirements, all, any),
    parts,
  };
}

const turned = ({ isRestricting, isSure }: Reading): Reading => ({ isRestricting: !isRestricting, isSure: !isSure });

/** As {@link allOf}, without asking more than it must: this runs for each rule of each effect. */
function allHold(parts: readonly NamedPart[], subject: Subject, reading: Reading): Tri {
  let result: Tri = 'yes';
  for (const { predicate } of parts) {
    const value = predicate(subject, reading);
    if (value === 'no') return 'no';
    if (value === 'unknown') result = 'unknown';
  }
  return result;
}

function anyHolds(parts: readonly CompiledMatch[], subject: Subject, reading: Reading): Tri {
  let result: Tri = 'no';
  for (const { predicate } of parts) {
    const value = predicate(subject, reading);
    if (value === 'yes') return 'yes';
    if (value === 'unknown') result = 'unknown';
  }
  return result;
}

type Add = (name: string, predicate: Predicate) => void;
type Found = { requirements: Requirement[] };

function compileEffect({ effect }: MatchSpec, above: Path, errors: PatternErrors, add: Add, found: Found): void {
  if (effect === undefined) return;
  const path = [...above, 'effect'];
  const reads = effect.path === undefined ? 'of-whatever' : 'of-named-paths';
  if (effect.op !== undefined) add('effect.op', effectWords.matchesOp(listOf(effect.op), reads));
  if (effect.resource !== undefined) add('effect.resource', effectWords.matchesResource(listOf(effect.resource)));
  if (effect.place !== undefined) add('effect.place', effectWords.matchesPlace(listOf(effect.place)));
  if (effect.git !== undefined) add('effect.git', effectWords.matchesGit(listOf(effect.git)));
  if (effect.trait !== undefined) add('effect.trait', effectWords.matchesTrait(listOf<Trait>(effect.trait)));
  if (effect.certainty !== undefined) add('effect.certainty', effectWords.matchesCertainty(listOf(effect.certainty)));
  if (effect.reversible !== undefined)
    add('effect.reversible', effectWords.matchesReversible(listOf(effect.reversible)));
  if (effect.path !== undefined) {
    const patterns = errors.each<PathPattern>(effect.path, [...path, 'path'], compilePath);
    add('effect.path', matchesPath(patterns));
    found.requirements.push(pathKeysOf(patterns));
  }
  if (effect.host !== undefined) {
    const patterns = errors.each(effect.host, [...path, 'host'], compileHost);
    add('effect.host', matchesHost(patterns));
    pushKeys(
      found,
      hostKeys(patterns)?.map((key) => [`host:${key}`]),
    );
  }
  const named = (
    field: Extract<Family, 'ref' | 'table' | 'process' | 'environment' | 'service'>,
    namesOf: names.NamesOf,
    ignoresCase: 'always' | 'when-restricting',
  ): void => {
    const values = effect[field];
    if (values === undefined) return;
    const patterns = errors.each<NamePattern>(values, [...path, field], compileName);
    add(`effect.${field}`, names.matchesNames(patterns, namesOf, ignoresCase));
    pushKeys(found, field === 'ref' ? refPatternKeys(patterns) : nameKeys(field, patterns));
  };
  named('table', names.tableNames, 'always');
  named('ref', names.refNames, 'when-restricting');
  if (effect.remote !== undefined)
    add(
      'effect.remote',
      names.matchesRemote(errors.each<NamePattern>(effect.remote, [...path, 'remote'], compileName)),
    );
  named('process', names.processNames, 'when-restricting');
  named('environment', names.environmentNames, 'when-restricting');
  named('service', names.serviceNames, 'always');
  if (effect.package !== undefined) {
    const compile = (text: string): NamePattern | string => compileName(normalPackagePattern(text));
    const patterns = errors.each<NamePattern>(effect.package, [...path, 'package'], compile);
    add('effect.package', matchesPackage(patterns));
    pushKeys(found, nameKeys('package', patterns));
  }
}

/** Remembers what a subject must have, if every one of the patterns says it. */
function pushKeys(found: Found, requirement: Requirement | null | undefined): void {
  if (requirement !== null && requirement !== undefined) found.requirements.push(requirement);
}

function compileCommands(spec: MatchSpec, path: Path, errors: PatternErrors, add: Add, found: Found): void {
  if (spec.command === undefined) return;
  const many = listOf<string | { regex: string }>(spec.command);
  const patterns: CommandPattern[] = [];
  const tests: ((text: string) => boolean)[] = [];
  for (const [index, value] of many.entries()) {
    const at = Array.isArray(spec.command) ? [...path, index] : path;
    if (typeof value === 'string') patterns.push(...errors.each(value, at, compileCommand).flat());
    else tests.push(...errors.each(value.regex, [...at, 'regex'], compileRegex));
  }
  const words = matchesCommand(patterns);
  const text = matchesCommandText(tests);
  add('command', (subject, reading) => anyOf([words(subject, reading), text(subject, reading)]));
  if (tests.length === 0) pushKeys(found, commandKeys(patterns));
}

function compileTool(spec: MatchSpec, path: Path, errors: PatternErrors, add: Add, found: Found): void {
  if (spec.tool !== undefined) {
    const patterns = errors.each<NamePattern>(spec.tool, [...path, 'tool'], compileName);
    add('tool', matchesTool(patterns));
    pushKeys(found, toolPatternKeys(patterns));
  }
  if (spec.server !== undefined)
    add('server', matchesServer(errors.each<NamePattern>(spec.server, [...path, 'server'], compileName)));
  if (spec.annotations !== undefined) add('annotations', matchesAnnotations(spec.annotations));
}

function compileParams(params: NonNullable<MatchSpec['params']>, path: Path, errors: PatternErrors): Predicate {
  return matchesParams(
    Object.entries(params).flatMap(([key, value]) => {
      const test = compileParam(value, [...path, key], errors);
      return test === null ? [] : [{ path: key.split('.'), test }];
    }),
  );
}

function compileParam(
  value: NonNullable<MatchSpec['params']>[string],
  path: Path,
  errors: PatternErrors,
): ParamTest | null {
  if (typeof value === 'boolean') return { type: 'boolean', value };
  if (typeof value === 'object') {
    const [test] = errors.each(value.regex, [...path, 'regex'], compileRegex);
    return test === undefined ? null : { type: 'regex', test };
  }
  const comparison = typeof value === 'number' || /^\s*[<>=]/.test(value) ? readComparison(value) : null;
  if (comparison !== null) return { type: 'number', comparison };
  const [pattern] = errors.each<NamePattern>(String(value), path, compileName);
  return pattern === undefined ? null : { type: 'name', pattern };
}

function compileContext({ context }: MatchSpec, path: Path, errors: PatternErrors, add: Add): void {
  if (context === undefined) return;
  const glob = (field: 'agent' | 'subagent' | 'branch' | 'user'): readonly NamePattern[] =>
    errors.each<NamePattern>(context[field] ?? [], [...path, field], compileName);
  if (context.mode !== undefined) add('context.mode', about.matchesMode(listOf(context.mode)));
  if (context.risk !== undefined) add('context.risk', about.matchesRisk(about.comparisonOf(context.risk)));
  if (context.depth !== undefined) add('context.depth', about.matchesDepth(about.comparisonOf(context.depth)));
  if (context.actionRisk !== undefined) add('context.actionRisk', about.matchesActionRisk(listOf(context.actionRisk)));
  if (context.plan !== undefined) add('context.plan', about.matchesPlan(listOf(context.plan)));
  if (context.agent !== undefined) add('context.agent', about.matchesAgent(glob('agent')));
  if (context.subagent !== undefined) add('context.subagent', about.matchesSubagent(glob('subagent')));
  if (context.branch !== undefined) add('context.branch', about.matchesBranch(glob('branch')));
  if (context.user !== undefined) add('context.user', about.matchesUser(glob('user')));
  if (context.worktree !== undefined) add('context.worktree', about.matchesWorktree(context.worktree));
  if (context.git !== undefined) add('context.git', about.matchesGitClean(context.git));
  if (context.headless !== undefined) add('context.headless', about.matchesHeadless(context.headless));
  if (context.trusted !== undefined) add('context.trusted', about.matchesTrusted(context.trusted));
  if (context.sandbox !== undefined) add('context.sandbox', about.matchesSandbox(context.sandbox));
  if (context.finding !== undefined) add('context.finding', about.matchesFinding(listOf(context.finding)));
  if (context.time !== undefined) {
    const read = (text: string): about.TimeRange | string => about.readTimeRange(text) ?? 'not a range of time';
    add('context.time', about.matchesTime(errors.each(context.time, [...path, 'time'], read)));
  }
}

/** Compiles a pattern for the linear-time engine; a message when it is no good. It is searched for, not anchored. */
export function compileRegex(text: string): ((subject: string) => boolean) | string {
  try {
    const compiled = RE2JS.compile(text);
    return (subject) => compiled.matcher(subject).find();
  } catch (error) {
    return `not a pattern of RE2: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** What the parts can be found by: any one part that names its keys is enough to find the rule by. */
function keysOf(
  spec: MatchSpec,
  own: readonly Requirement[],
  all: readonly CompiledMatch[],
  any: readonly CompiledMatch[],
): RuleKeys {
  const kinds = narrowest([
    spec.kind === undefined ? null : listOf(spec.kind),
    ...all.map(({ keys }) => keys.kinds),
    union(any, 'kinds'),
  ]);
  const ops = narrowest([opsOf(spec), ...all.map(({ keys }) => keys.ops), union(any, 'ops')]);
  const requirements = [...own, ...all.flatMap(({ keys }) => keys.requirements), ...eitherOf(any)];
  return { kinds, ops, requirements };
}

/** What one of several matches requires: as many words of each, joined; nothing when one of them requires nothing. */
function eitherOf(parts: readonly CompiledMatch[]): readonly Requirement[] {
  if (parts.length === 0) return [];
  const joined: (readonly string[])[] = [];
  for (const { keys } of parts) {
    const [first] = keys.requirements;
    if (first === undefined) return [];
    joined.push(...first);
  }
  return [joined];
}

function opsOf({ effect }: MatchSpec): readonly string[] | null {
  if (effect?.op === undefined) return null;
  const ops = listOf(effect.op);
  const hearsMoves = ops.includes('delete') || (ops.includes('read') && effect.path !== undefined);
  return [
    ...new Set([
      ...ops,
      ...(hearsMoves ? (['move'] as const) : []),
      // What brings packages along is no install of its own.
      ...(ops.includes('install') ? (['network', 'execute'] as const) : []),
    ]),
  ];
}

const narrowest = (lists: readonly (readonly string[] | null)[]): readonly string[] | null =>
  lists.reduce((best, list) => (list !== null && (best === null || list.length < best.length) ? list : best), null);

function union(parts: readonly CompiledMatch[], field: 'kinds' | 'ops'): readonly string[] | null {
  if (parts.length === 0) return null;
  const values = new Set<string>();
  for (const { keys } of parts) {
    const list = keys[field];
    if (list === null) return null;
    for (const value of list) values.add(value);
  }
  return [...values];
}
