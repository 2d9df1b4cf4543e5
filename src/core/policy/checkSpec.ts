import { compiledMatch, PatternErrors } from './compileMatch.js';
import { compilePath } from './pathPattern.js';
import type { ProblemCode } from './problem.js';
import type { PolicySpec, RuleSpec } from './schema.js';

/** Something that the shape of a file cannot say: a pattern that is no good, an id used twice, a repair that is missing. */
export interface SpecProblem {
  readonly path: readonly (string | number)[];
  readonly code: ProblemCode;
  readonly message: string;
  /** Where what it repeats stands first. */
  readonly first?: readonly (string | number)[];
}

/** Problems of a file whose shape is right. A file with any is not used. */
export function checkSpec(spec: PolicySpec): readonly SpecProblem[] {
  const problems: SpecProblem[] = [];
  const ids = new Map<string, number>();
  for (const [index, rule] of (spec.rules ?? []).entries()) {
    const path = ['rules', index];
    const first = ids.get(rule.id);
    if (first === undefined) ids.set(rule.id, index);
    else
      problems.push({
        path: [...path, 'id'],
        code: 'duplicate-id',
        message: `The id "${rule.id}" is used twice.`,
        first: ['rules', first, 'id'],
      });
    problems.push(...checkRule(rule, path));
  }
  for (const [mode, table] of Object.entries(spec.modes ?? {}))
    for (const id of Object.keys(table ?? {}))
      if (!ids.has(id) && spec.name !== 'modes')
        problems.push({
          path: ['modes', mode, id],
          code: 'unknown-rule',
          message: `There is no rule "${id}" in this file whose verdict could differ in ${mode} mode.`,
        });
  for (const [index, label] of (spec.labels ?? []).entries()) {
    const errors = new PatternErrors();
    errors.each(label.path, ['labels', index, 'path'], compilePath);
    problems.push(...patternProblems(errors));
    if (label.confidentiality === undefined && label.integrity === undefined)
      problems.push({ path: ['labels', index], code: 'shape', message: 'A label needs confidentiality or integrity.' });
  }
  return problems;
}

const patternProblems = (errors: PatternErrors): SpecProblem[] =>
  errors.list.map(({ path, message }) => ({ path, code: 'pattern', message }));

function checkRule(rule: RuleSpec, path: readonly (string | number)[]): SpecProblem[] {
  const errors = new PatternErrors();
  compiledMatch(rule.match, [...path, 'match'], errors);
  errors.each(rule.repair?.exclude ?? [], [...path, 'repair', 'exclude'], compilePath);
  const problems = patternProblems(errors);
  const say = (field: string, message: string): void => {
    problems.push({ path: [...path, field], code: 'shape', message });
  };
  if (rule.verdict === 'modify' && rule.repair === undefined)
    say('verdict', 'A rule that modifies needs `repair`, which says what is changed.');
  if (rule.repair !== undefined && rule.verdict !== 'modify')
    say('repair', '`repair` is done only where the verdict is modify.');
  if (rule.repair !== undefined && Object.keys(rule.repair).length === 0) say('repair', 'The repair changes nothing.');
  if (rule.clearable === true && rule.verdict !== 'ask')
    say('clearable', 'Only an ask can be cleared by the reviewer.');
  for (const [index, credential] of (rule.credentials ?? []).entries()) {
    const at = [...path, 'credentials', index];
    if ((credential.secret === undefined) === (credential.environment === undefined))
      problems.push({ path: at, code: 'shape', message: 'A credential comes from either `secret` or `environment`.' });
    if ((credential.header === undefined) === (credential.variable === undefined))
      problems.push({ path: at, code: 'shape', message: 'A credential goes into either `header` or `variable`.' });
  }
  return problems;
}
