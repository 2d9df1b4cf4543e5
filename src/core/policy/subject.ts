import type { Analysis, Effect } from '../effects/effect.js';
import type { Risk } from '../lacuna/kindMetadata.js';
import type { Proposal } from '../lacuna/lacuna.js';
import type { PolicyContext } from './context.js';
import type { Link } from './links.js';
import type { Tri } from './tri.js';

/** What a rule is matched against: one effect of one Lacuna, in its circumstances. */
export interface Subject {
  readonly proposal: Proposal;
  readonly analysis: Analysis;
  /** Null when the analysis found that nothing is done. */
  readonly effect: Effect | null;
  /** Index of the effect; -1 when there is none. */
  readonly index: number;
  readonly actionRisk: Risk;
  /** Links on the way to what rules name. */
  readonly links: readonly Link[];
  readonly context: PolicyContext;
}

/**
 * How a match is read. A rule that restricts must hear what only may be so, one that allows must not: `isSure` asks for
 * what surely holds, and `isRestricting` compares names without case. Both turn over inside `not`.
 */
export interface Reading {
  readonly isRestricting: boolean;
  readonly isSure: boolean;
}

/** A compiled part of a match. Never throws, looks at nothing but its arguments. */
export type Predicate = (subject: Subject, reading: Reading) => Tri;

/** A part that could not be compiled: which one, and what is wrong with it. */
export interface PatternError {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A single value or a list of them, as policies write it; a list means any of. */
export type Many<T> = T | readonly T[];

/** The values as a list. */
export const listOf = <T extends string | number | boolean | object>(many: Many<T>): readonly T[] =>
  Array.isArray(many) ? (many as readonly T[]) : [many as T];
