import type { CommandPattern } from './matchers/command.js';
import { literalNames, type NamePattern } from './namePattern.js';
import type { PathPattern } from './pathPattern.js';
import type { Segment } from './segmentPattern.js';

/** Families of names that rules are found by. */
export type Family =
  'program' | 'path' | 'host' | 'package' | 'tool' | 'ref' | 'table' | 'process' | 'environment' | 'service';

/** The family of a key: `path:first src` → `path`. */
export const familyOf = (key: string): Family => key.slice(0, key.indexOf(':')) as Family;

/**
 * One of several things that a subject must have: at least one of them holds wherever the rule matches. For each there may be
 * several keys to find it by, each as good as the others; the index takes the one that the fewest rules share.
 */
export type Requirement = readonly (readonly string[])[];

/**
 * What command patterns require; null when one can match any program. `git push ** main` can be found by `program:git push` or by
 * `program:git main`; all patterns with words also stand under `program:git **`, for commands whose words are not known.
 */
export function commandKeys(patterns: readonly CommandPattern[]): Requirement | null {
  const found: (readonly string[])[] = [];
  for (const { program, words } of patterns) {
    if (program.type !== 'literal') return null;
    const must = words.flatMap(({ segment, option }) => (option === null ? literalOf(segment) : []));
    if (must.length === 0) found.push([`program:${program.folded}`]);
    else
      found.push(
        must.map((word) => `program:${program.folded} ${word}`),
        [`program:${program.folded} **`],
      );
  }
  return found;
}

/**
 * What path patterns require, each twice: by a name that every path must have that it matches (for single paths), and by its
 * first name below the workspace root (for what reaches below a folder). `*` where there is none.
 */
export const pathKeysOf = (patterns: readonly PathPattern[]): Requirement =>
  patterns.flatMap(({ alternatives }) =>
    alternatives.flatMap(({ anchor, up, segments }) => {
      const first = segments[0];
      const isBelowRoot = anchor === 'root' && up === 0 && first?.type === 'literal';
      const names = segments.flatMap(literalOf);
      return [
        names.length === 0 ? ['path:name *'] : names.map((name) => `path:name ${name}`),
        [`path:first ${isBelowRoot ? first.folded : '*'}`],
      ];
    }),
  );

/** Keys of names that are spelled out; null when one has a wildcard. */
export function nameKeys(family: Family, patterns: readonly NamePattern[]): Requirement | null {
  const keys: [string][] = [];
  for (const pattern of patterns) {
    const names = literalNames(pattern);
    if (names === null) return null;
    keys.push(...names.map((name): [string] => [`${family}:${name}`]));
  }
  return keys;
}

/** Keys of refs: `main`, and `release/*` by what stands before its first slash. Null when a wildcard stands earlier. */
export const refPatternKeys = (patterns: readonly NamePattern[]): Requirement | null => headKeys('ref', patterns, '/');

/** Keys under which rules on a ref stand: `release/1` → itself, and whatever begins with `release/`. */
export const refKeysOf = (name: string): readonly string[] => [
  `ref:${name}`,
  ...(name.includes('/') ? [`ref:${name.slice(0, name.indexOf('/'))}/*`] : []),
];

/** Keys of tools: `github.create_issue`, and `github.create_*` by its server. */
export const toolPatternKeys = (patterns: readonly NamePattern[]): Requirement | null =>
  headKeys('tool', patterns, '.');

function headKeys(family: Family, patterns: readonly NamePattern[], separator: string): Requirement | null {
  const keys: [string][] = [];
  for (const segment of patterns.flat()) {
    const key = segment.type === 'literal' ? segment.folded : headOf(segment, separator);
    if (key === null) return null;
    keys.push([`${family}:${key}`]);
  }
  return keys;
}

/** `release/*` → `release/*` as a key: what stands before the first separator when all of it is spelled out. */
function headOf(segment: Segment, separator: string): string | null {
  if (segment.type !== 'glob') return null;
  let head = '';
  for (const token of segment.tokens) {
    if (token.type !== 'char') return null;
    if (token.char === separator) return `${head}${separator}*`;
    head += token.folded;
  }
  return null;
}

const literalOf = (segment: Segment): readonly string[] => (segment.type === 'literal' ? [segment.folded] : []);
