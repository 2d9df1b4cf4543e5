import type { Facts } from '../effects/facts.js';
import { packNamed, packNames } from './packs.js';
import type { ProblemCode } from './problem.js';
import type { MatchSpec, PolicySpec } from './schema.js';
import { listOf } from './subject.js';

/** Whether something stands at a path of the workspace, relative to its root. */
export type InWorkspace = (path: string) => boolean;

/** What stands in the folders of a workspace. */
export const standsIn =
  (facts: Pick<Facts, 'roots' | 'entry'>): InWorkspace =>
  (path) =>
    facts.roots.some((root) => /^(?:file|folder|link)$/.test(facts.entry(`${root}/${path}`)));

/** A doubt about a part of a file, by the path to it. */
export interface Doubt {
  readonly path: readonly (string | number)[];
  readonly code: ProblemCode;
  readonly message: string;
}

/** Path patterns that are no mistake of the language and mean another thing than they look like. */
export function doubtfulPaths(spec: PolicySpec, isInWorkspace: InWorkspace): readonly Doubt[] {
  const ofRules = (spec.rules ?? []).flatMap(({ match }, index) => pathsOf(match, ['rules', index, 'match']));
  const ofLabels = (spec.labels ?? []).flatMap(({ path }, index) => placed(path, ['labels', index, 'path']));
  return [...ofRules, ...ofLabels].flatMap(({ path, text }) => {
    const why = doubtOf(text, isInWorkspace);
    return why === null ? [] : [{ path, code: 'pattern' as const, message: `"${text}": ${why}.` }];
  });
}

interface PlacedText {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

function pathsOf(match: MatchSpec, at: readonly (string | number)[]): readonly PlacedText[] {
  const own = match.effect?.path === undefined ? [] : placed(match.effect.path, [...at, 'effect', 'path']);
  const nested = (['any', 'all'] as const).flatMap((field) =>
    (match[field] ?? []).flatMap((part, index) => pathsOf(part, [...at, field, index])),
  );
  return [...own, ...nested, ...(match.not === undefined ? [] : pathsOf(match.not, [...at, 'not']))];
}

const placed = (texts: string | readonly string[], at: readonly (string | number)[]): readonly PlacedText[] =>
  listOf<string>(texts).map((text, index) => ({ path: Array.isArray(texts) ? [...at, index] : at, text }));

function doubtOf(text: string, isInWorkspace: InWorkspace): string | null {
  const plain = text.replace(/\\./g, '');
  if (isOpen(plain))
    return 'a "{" is never closed, so it stands for itself; write {a,b}/**, or "\\{" for the character';
  const joined = /(?:^|\/)([^/]*[^/*]\*\*[^/]*|[^/]*\*\*[^/*][^/]*)(?:\/|$)/.exec(plain)?.[1];
  if (joined !== undefined)
    return `"**" is any number of folders only between slashes; ${joined} is one name. For a folder with all in it write x/**`;
  const below = /^\/([^*?[{]+?)(?:\/\*.*)?$/.exec(text)?.[1];
  if (below !== undefined && isInWorkspace(below))
    return `it means the top of the machine; for ${below} of the workspace leave the "/" at its beginning out`;
  return null;
}

function isOpen(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '{') depth += 1;
    else if (character === '}') depth = Math.max(0, depth - 1);
  }
  return depth > 0;
}

/** Tests that wait for a rule that stands nowhere. Files that extend others of their own are not looked at: it may stand there. */
export function unknownRules(spec: PolicySpec): readonly Doubt[] {
  if (listOf<string>(spec.extends ?? []).some((name) => !name.startsWith('lacuna:'))) return [];
  const known = new Set([
    'protect-everything',
    'protect-guard',
    ...(spec.rules ?? []).map(({ id }) => id),
    ...packNames().flatMap((name) => (packNamed(name)?.spec.rules ?? []).map(({ id }) => id)),
  ]);
  return (spec.tests ?? []).flatMap(({ rule }, index) =>
    rule === undefined || known.has(rule)
      ? []
      : [{ path: ['tests', index, 'rule'], code: 'unknown-rule' as const, message: `There is no rule "${rule}".` }],
  );
}
