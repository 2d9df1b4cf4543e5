import { doubtfulPaths, unknownRules, type InWorkspace } from './lintText.js';
import type { ParsedPolicy } from './parse.js';
import type { PolicyProblem } from './problem.js';
import type { MatchSpec, RuleSpec } from './schema.js';
import { listOf } from './subject.js';
import { strictness } from './verdict.js';

/** Ops whose effects can be on each kind of resource that a field of `effect` names. A rule outside of these never matches. */
const OPS_OF_FIELD: Readonly<Record<string, readonly string[]>> = {
  path: ['list', 'read', 'write', 'delete', 'move', 'persist', 'execute', 'privilege', 'history', 'unknown'],
  host: ['network', 'read', 'write', 'delete', 'unknown'],
  package: ['install', 'delete', 'write', 'network', 'execute'],
  process: ['execute', 'kill', 'privilege', 'read', 'write', 'unknown'],
  environment: ['list', 'read', 'write', 'delete', 'persist', 'unknown'],
};

/**
 * Rules that can never match, that another rule of the file always outranks, or that contradict another: warnings, with
 * places. Says only what is sure: a rule without a warning may still be of no use. Quadratic in the rules of one file.
 */
export function lintPolicy(
  source: string,
  { spec, place }: ParsedPolicy,
  isInWorkspace: InWorkspace = () => false,
): readonly PolicyProblem[] {
  const doubts = [...doubtfulPaths(spec, isInWorkspace), ...unknownRules(spec)].map(({ path, code, message }) => ({
    source,
    ...place(path),
    severity: 'warning' as const,
    code,
    message,
  }));
  return [...lintRules(source, { spec, place }), ...doubts];
}

function lintRules(source: string, { spec, place }: ParsedPolicy): readonly PolicyProblem[] {
  const rules = spec.rules ?? [];
  return rules.flatMap((rule, index) => {
    const warn = (code: 'unreachable' | 'shadowed' | 'conflict', message: string): PolicyProblem[] => [
      { source, ...place(['rules', index, 'id']), severity: 'warning', code, message },
    ];
    const why = whyUnreachable(rule.match);
    if (why !== null) return warn('unreachable', `Rule ${rule.id} can never match: ${why}.`);
    const shadow = rules.find((other) => other !== rule && shadows(other, rule));
    if (shadow !== undefined)
      return warn('shadowed', `Rule ${rule.id} never decides: ${shadow.id} always speaks too, and outranks it.`);
    const rival = rules.slice(0, index).find((other) => contradicts(other, rule));
    return rival === undefined
      ? []
      : warn('conflict', `Rules ${rule.id} and ${rival.id} match the same with the same priority; the stricter wins.`);
  });
}

function whyUnreachable(match: MatchSpec): string | null {
  const { kind, effect, command, tool, server } = match;
  const kinds = kind === undefined ? null : listOf<string>(kind);
  if ((tool !== undefined || server !== undefined) && kinds !== null && !kinds.includes('CallTool'))
    return 'only a CallTool has a tool or a server';
  if (command !== undefined && kinds !== null && !kinds.includes('ExecuteShell') && !kinds.includes('CallTool'))
    return 'only an ExecuteShell has a command';
  if (effect === undefined) return null;
  const ops = effect.op === undefined ? null : listOf<string>(effect.op);
  const named = Object.keys(OPS_OF_FIELD).filter((field) => Object.hasOwn(effect, field));
  if (named.length > 1) return `an effect has one resource, so it cannot be ${named.join(' and ')} at once`;
  for (const field of named)
    if (ops !== null && !ops.some((op) => OPS_OF_FIELD[field]?.includes(op)))
      return `${ops.join(' or ')} is never done to a ${field}`;
  return null;
}

/** Whether `strong` speaks wherever `weak` does and always outranks it. */
function shadows(strong: RuleSpec, weak: RuleSpec): boolean {
  const above = (strong.priority ?? 0) - (weak.priority ?? 0);
  if (above < 0 || !isWider(strong.match, weak.match)) return false;
  if (above > 0) return isHeardAlike(strong, weak);
  return strictness(strong.verdict) > strictness(weak.verdict) && isHeardAlike(strong, weak);
}

/** A rule that restricts also hears what only may be meant; one that allows is no sure stand-in for it. */
const isHeardAlike = (strong: RuleSpec, weak: RuleSpec): boolean =>
  strictness(strong.verdict) >= strictness('ask') || strictness(weak.verdict) < strictness('modify');

const contradicts = (a: RuleSpec, b: RuleSpec): boolean =>
  (a.priority ?? 0) === (b.priority ?? 0) &&
  a.verdict !== b.verdict &&
  JSON.stringify(a.match) === JSON.stringify(b.match);

/** Whether every condition of the wide match is among those of the narrow one, with at most as much allowed. */
function isWider(wide: unknown, narrow: unknown): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined) return false;
  if (isMap(wide) && isMap(narrow))
    return Object.entries(wide).every(([key, value]) =>
      key === 'not' || key === 'any' || key === 'all' || key === 'params'
        ? JSON.stringify(value) === JSON.stringify(Reflect.get(narrow, key))
        : isWider(value, Reflect.get(narrow, key)),
    );
  if (isMap(wide) || isMap(narrow)) return false;
  const choices: unknown[] = Array.isArray(wide) ? wide : [wide];
  return (Array.isArray(narrow) ? narrow : [narrow]).every((value: unknown) =>
    choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value) || holdsAll(choice, value)),
  );
}

/** `infra/**` holds all of `infra/dev/**`, `*.x.example` all of `a.x.example`. Only what surely is so. */
function holdsAll(wide: unknown, narrow: unknown): boolean {
  if (typeof wide !== 'string' || typeof narrow !== 'string') return false;
  if (wide.endsWith('/**')) {
    const folder = wide.slice(0, -'/**'.length);
    const isPlain = !/[*?[{\\]/.test(folder) && !narrow.split('/').includes('..');
    return isPlain && (narrow === folder || narrow.startsWith(`${folder}/`));
  }
  return /^\*\.[\w.-]+$/.test(wide) && /^[\w.*-]+$/.test(narrow) && narrow.endsWith(wide.slice(1));
}

const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
