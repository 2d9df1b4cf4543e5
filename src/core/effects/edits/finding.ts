import type { Trait } from '../effect.js';

/** A file before and after. Null: not known, or (before) not there. */
export interface FileChange {
  /** As the proposal names it. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** What is new, and what is taken away, as far as the proposal shows it. */
  readonly added: string;
  readonly removed: string;
}

/** The two texts that are compared: whole files where they are known, else the passages. `isWhole` tells which. */
export interface Sides {
  /** Canonical path of the file. */
  readonly path: string;
  /** Last part of the path, lower case. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly isWhole: boolean;
  /** Whether a file is there already, or may be. */
  readonly isNew: boolean;
}

/** Something that a change of a file brings or takes away, beyond its bytes. */
export type Finding =
  /** Told with the write itself. */
  | { readonly type: 'mark'; readonly trait: Trait | null; readonly note: string }
  /** Something runs, or opens the machine, later because of it. */
  | { readonly type: 'later'; readonly traits: readonly Trait[]; readonly note: string }
  /** A program that has the file open or reads it asks this address by itself. */
  | { readonly type: 'fetch'; readonly url: string; readonly note: string };

/** Looks at one side of what a change means. Total and linear: what it does not understand it does not speak of. */
export type Look = (sides: Sides) => readonly Finding[];

export const mark = (trait: Trait | null, note: string): Finding => ({ type: 'mark', trait, note });

export const later = (note: string, traits: readonly Trait[] = []): Finding => ({ type: 'later', traits, note });

/** What is among `after` and not among `before`, each once, in order. */
export const newAmong = (before: Iterable<string>, after: Iterable<string>): readonly string[] => {
  const known = new Set(before);
  return [...new Set(after)].filter((one) => !known.has(one));
};

/** A few names for people: `a, b, c and 4 more`. */
export function shownNames(names: readonly string[]): string {
  const shown = names.slice(0, 4).map((name) => (name.length > 60 ? `${name.slice(0, 57)}…` : name));
  const rest = names.length - shown.length;
  return shown.join(', ') + (rest > 0 ? ` and ${String(rest)} more` : '');
}
