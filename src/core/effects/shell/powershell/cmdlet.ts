import { choiceOf, optionsOf, UNKNOWN, wordOf, type Value } from '../../code/value.js';
import type { Frame } from '../frame.js';
import type { Run } from '../run.js';
import type { Binding, Parameters } from './binding.js';
import { targetOf, type Target } from './target.js';

/** One call of a cmdlet, bound. */
export interface CmdletCall {
  readonly name: string;
  readonly run: Run;
  readonly frame: Frame;
  readonly binding: Binding;
  /** What comes through the pipeline; null when nothing does. */
  readonly piped: Value | null;
  /** Runs a script block, or calls a text as code, with `$_` and arguments. */
  invoke(block: Value, underscore: Value | null, args?: readonly Value[]): Value;
  /** Runs a text as PowerShell in this very session. */
  evaluate(text: Value): Value;
  /** A relative path as an absolute one, against the folder that the session is in. */
  folder(path: string): string;
  /** Gives a variable a value, and asks for one. */
  assign(name: string, value: Value): void;
  variable(name: string): Value;
  /** Paths that the session has read so far. */
  readonly read: Set<string>;
  /** A member of an object, called where it is a method. */
  member(receiver: Value, name: string, args: readonly Value[]): Value;
  /** An object of a .NET or COM type. */
  create(type: string, args: readonly Value[]): Value;
}

/** Says what a cmdlet does and what it gives to the pipeline. */
export type Cmdlet = (call: CmdletCall) => Value;

/** A row of the table of cmdlets. */
export interface CmdletRow {
  readonly name: string;
  readonly parameters: Parameters;
  readonly run: Cmdlet;
  /** Whether `-WhatIf` makes it do nothing: all that change something have it. */
  readonly changes: boolean;
}

const words = (text: string): readonly string[] => text.toLowerCase().split(' ').filter(Boolean);

/**
 * A row from its text: `Name Name2 | positions | other values | switches`.
 */
export function cmdlet(text: string, run: Cmdlet, changes: 'changes' | 'reads' = 'changes'): readonly CmdletRow[] {
  const [names = '', positions = '', values = '', switches = ''] = text.split('|');
  const parameters: Parameters = {
    positions: words(positions),
    values: new Set([...words(positions), ...words(values)]),
    switches: new Set(words(switches)),
  };
  return names
    .trim()
    .split(/\s+/)
    .map((name) => ({ name, parameters, run, changes: changes === 'changes' }));
}

/** The value of the first parameter that was given; null when none was. */
export function given(call: CmdletCall, ...names: readonly string[]): Value | null {
  for (const name of names) {
    const value = call.binding.given.get(name);
    if (value !== undefined) return value;
  }
  return null;
}

export const has = (call: CmdletCall, name: string): boolean => call.binding.switches.has(name);

/** Each value of a list, and each of several possible ones. */
export const eachOf = (value: Value): readonly Value[] =>
  optionsOf(value).flatMap((option) =>
    option.kind === 'list' ? (option.items.length === 0 ? [UNKNOWN] : option.items.flatMap(eachOf)) : [option],
  );

/** Where the path parameters lead: what was given, else what came through the pipeline, else nothing. */
export function targets(call: CmdletCall, ...names: readonly string[]): readonly Target[] {
  const literal = given(call, 'literalpath');
  const path = given(call, ...names) ?? (literal === null ? call.piped : null);
  const { facts } = call.frame;
  return [
    ...(literal === null ? [] : eachOf(literal).map((value) => targetOf(wordOf(value), true, facts))),
    ...(path === null ? [] : eachOf(path).map((value) => targetOf(wordOf(value), false, facts))),
  ];
}

/** One value where a cmdlet gives back what it was given. */
export const passed = (call: CmdletCall): Value => call.piped ?? choiceOf([...call.binding.given.values()]);
