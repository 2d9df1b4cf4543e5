import { readSync } from 'node:fs';
import { isatty } from 'node:tty';
import { linesOf, TextOut } from './streams.js';

/** What a verb may use of the terminal: tests bring their own. */
export interface Io {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Lines of standard input, without their line ends. */
  readonly lines: () => AsyncIterable<string>;
  readonly isInteractive: boolean;
}

/** Exit codes of the command line (product.md §11). */
export const EXIT = { done: 0, failed: 1, unusable: 2, internal: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Arguments or input that cannot be used: shown in one sentence, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const output = new TextOut(1, () => process.stdout);
const errors = new TextOut(2, () => process.stderr);

/** The process's own standard streams. */
export const processIo: Io = {
  out: (text) => output.write(text),
  error: (text) => errors.write(text),
  lines: () =>
    linesOf(
      (buffer) => readSync(0, buffer),
      () => process.stdin,
    ),
  get isInteractive() {
    return isatty(0) && isatty(1);
  },
};

/** A flag of a verb: with a value, or a switch. */
export type FlagKind = 'value' | 'values' | 'switch';

/** What was given: values by flag, switches, words that are no flags, and what stands after `--`. */
export interface Parsed {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly switches: ReadonlySet<string>;
  readonly operands: readonly string[];
  readonly rest: readonly string[];
}

/**
 * Reads the arguments of a verb strictly: an unknown flag, a flag without its value and a value given twice are errors.
 * `--flag=value` and `--flag value` are the same.
 */
export function parseArguments(args: readonly string[], flags: Readonly<Record<string, FlagKind>>): Parsed {
  const values = new Map<string, string[]>();
  const switches = new Set<string>();
  const operands: string[] = [];
  let rest: readonly string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      rest = args.slice(at + 1);
      break;
    }
    if (!arg.startsWith('--')) {
      operands.push(arg);
      continue;
    }
    const equals = arg.indexOf('=');
    const name = equals < 0 ? arg.slice(2) : arg.slice(2, equals);
    const kind = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (kind === undefined) throw new UsageError(`There is no flag --${name}.`);
    if (kind === 'switch') {
      if (equals >= 0) throw new UsageError(`--${name} takes no value.`);
      switches.add(name);
      continue;
    }
    const value = equals < 0 ? args[++at] : arg.slice(equals + 1);
    if (value === undefined) throw new UsageError(`--${name} needs a value.`);
    const known = values.get(name) ?? [];
    if (kind === 'value' && known.length > 0) throw new UsageError(`--${name} is given twice.`);
    values.set(name, [...known, value]);
  }
  return { values, switches, operands, rest };
}

/** The only value of a flag; undefined when it was not given. */
export const only = (parsed: Parsed, name: string): string | undefined => parsed.values.get(name)?.[0];

/** The value of a flag that must be one of some words. */
export function oneOf<const T extends string>(parsed: Parsed, name: string, words: readonly T[], otherwise: T): T {
  const value = only(parsed, name);
  if (value === undefined) return otherwise;
  const word = words.find((candidate) => candidate === value);
  if (word === undefined) throw new UsageError(`--${name} must be one of: ${words.join(', ')}.`);
  return word;
}
