import type { Word } from '../../effect.js';

/**
 * Which options a program knows. In each string a space parts options and `|` parts names of one option:
 * `'-f|--force -r|-R|--recursive'`. What is left out is empty or false.
 */
export interface OptionSpec {
  /** Options without a value. */
  readonly flags?: string;
  /** Options that take a value: `-o x`, `-ox`, `--out x`, `--out=x`. */
  readonly values?: string;
  /** Options whose value, if there is one, is written in the same word: `--color=always`, `-i.bak`. */
  readonly optional?: string;
  /** `gnu`: `-abc` is three options. `single`: one dash is as good as two and there are no clusters (`terraform`, `java`, `go`). */
  readonly style?: 'gnu' | 'single';
  /** Stops at the first operand, as programs do whose operand is another command or a sub-command. */
  readonly stopsAtOperand?: boolean;
  /** `--forc` is `--force` when no other known long option begins so. */
  readonly abbreviates?: boolean;
  /** `--no-x` is accepted for every long option `--x`, and found under the name `--no-x`. */
  readonly negates?: boolean;
  /** `-5` is an option of its own, found under the name `-#` with `5` as its value. */
  readonly numeric?: boolean;
}

/** One option as it was used. */
export interface UsedOption {
  /** First of its names in the spec; for an unknown one the name as written, without a value. */
  readonly name: string;
  /** Null for a flag, or where an optional value was left out, or where the line ends before the value. */
  readonly value: Word | null;
  readonly isKnown: boolean;
  readonly word: Word;
}

/** Words of a command sorted into options and operands. */
export interface ParsedOptions {
  /** In the order of the line. */
  readonly options: readonly UsedOption[];
  readonly operands: readonly Word[];
  /** How many of the operands stand before `--`; all of them where there is none. */
  readonly operandsBeforeDashes: number;
  /** Whether `--` was there. */
  readonly hasDashes: boolean;
  /** Options that the spec does not hold, as written. */
  readonly unknown: readonly Word[];
  /** Whether an option was used, by any of its names. */
  has(...names: readonly string[]): boolean;
  /** Value of its last use; null where it was not used or has none. */
  value(...names: readonly string[]): Word | null;
  /** Values of all uses, in order. */
  values(...names: readonly string[]): readonly Word[];
}

type Arity = 'flag' | 'value' | 'optional';
interface Known {
  readonly name: string;
  readonly arity: Arity;
}
type Names = ReadonlyMap<string, Known>;

/** Names by the texts of a spec: most specs are written where they are used, and are new objects at each use. */
const compiled = new Map<string, Map<string, Map<string, Names>>>();

/** The entry of a map, made when there is none. */
function entryOf<T>(map: Map<string, T>, key: string, make: () => T): T {
  let found = map.get(key);
  if (found === undefined) {
    found = make();
    map.set(key, found);
  }
  return found;
}

const emptyMap = <T>(): Map<string, T> => new Map<string, T>();

/** INVARIANT: the texts of specs are written in the program and not made of what is analysed, so that there is an end to them. */
function namesOf({ flags = '', values = '', optional = '' }: OptionSpec): Names {
  const byValues = entryOf(compiled, flags, emptyMap<Map<string, Names>>);
  return entryOf(entryOf(byValues, values, emptyMap<Names>), optional, () => compile(flags, values, optional));
}

function compile(flags: string, values: string, optional: string): Names {
  const names = new Map<string, Known>();
  const add = (list: string, arity: Arity): void => {
    for (const group of list.split(/\s+/)) {
      if (group === '') continue;
      const aliases = group.split('|');
      const known: Known = { name: aliases[0] ?? group, arity };
      for (const alias of aliases) names.set(alias, known);
    }
  };
  add(flags, 'flag');
  add(values, 'value');
  add(optional, 'optional');
  return names;
}

/** The part of a word from an offset on, with the same certainty: `--out=x` from 6 on is `x`. */
export function wordFrom(word: Word, offset: number): Word {
  const head = word.text.slice(0, offset);
  const raw = word.raw.startsWith(head) ? word.raw.slice(offset) : word.raw;
  return { text: word.text.slice(offset), raw, certainty: word.certainty, quoted: word.quoted };
}

/** Merges specs: the options of all, and the manners of the last that states them. */
export function mergeSpecs(...specs: readonly OptionSpec[]): OptionSpec {
  const join = (pick: (spec: OptionSpec) => string | undefined): string =>
    specs.map((spec) => pick(spec) ?? '').join(' ');
  return {
    ...Object.assign({}, ...specs),
    flags: join((spec) => spec.flags),
    values: join((spec) => spec.values),
    optional: join((spec) => spec.optional),
  } as OptionSpec;
}

class Sorter {
  readonly options: UsedOption[] = [];
  readonly operands: Word[] = [];
  readonly unknown: Word[] = [];
  readonly names: Names;
  index = 0;
  dashesAt: number | null = null;

  constructor(
    readonly spec: OptionSpec,
    readonly words: readonly Word[],
  ) {
    this.names = namesOf(spec);
  }

  sort(): void {
    while (this.index < this.words.length) {
      const word = this.words[this.index] as Word;
      this.index += 1;
      if (word.text === '--') {
        this.dashesAt = this.operands.length;
        this.operands.push(...this.words.slice(this.index));
        return;
      }
      if (word.text.length < 2 || !word.text.startsWith('-')) {
        this.operands.push(word);
        if (!this.spec.stopsAtOperand) continue;
        this.operands.push(...this.words.slice(this.index));
        return;
      }
      if (this.spec.numeric && /^-\d+$/.test(word.text)) this.use('-#', wordFrom(word, 1), true, word);
      else if (word.text.startsWith('--') || this.spec.style === 'single') this.long(word);
      else this.cluster(word);
    }
  }

  private use(name: string, value: Word | null, isKnown: boolean, word: Word): void {
    this.options.push({ name, value, isKnown, word });
    if (!isKnown) this.unknown.push(word);
  }

  private next(): Word | null {
    const word = this.words[this.index] ?? null;
    if (word) this.index += 1;
    return word;
  }

  private find(written: string): Known | undefined {
    const { names, spec } = this;
    const exact = names.get(written) ?? (spec.style === 'single' ? this.otherDashes(written) : undefined);
    if (exact) return exact;
    if (spec.negates && written.startsWith('--no-')) return { name: written, arity: 'flag' };
    if (!spec.abbreviates || written.length < 3) return undefined;
    let found: Known | undefined;
    for (const [name, known] of names) {
      if (!name.startsWith(written)) continue;
      if (found && found !== known) return undefined;
      found = known;
    }
    return found;
  }

  private otherDashes(written: string): Known | undefined {
    return this.names.get(written.startsWith('--') ? written.slice(1) : `-${written}`);
  }

  private long(word: Word): void {
    const equals = word.text.indexOf('=');
    const written = equals < 0 ? word.text : word.text.slice(0, equals);
    const attached = equals < 0 ? null : wordFrom(word, equals + 1);
    const known = this.find(written);
    if (!known) this.use(written, attached, false, word);
    else if (known.arity === 'value' && !attached) this.use(known.name, this.next(), true, word);
    else this.use(known.name, attached, true, word);
  }

  private cluster(word: Word): void {
    // A single-dash long option that the spec lists as such (`-auto`, `-name`) wins over a cluster.
    const whole = this.names.get(word.text.split('=', 1)[0] ?? word.text);
    if (whole && word.text.length > 2 && !word.text.startsWith('--')) {
      this.long(word);
      return;
    }
    for (let at = 1; at < word.text.length; at += 1) {
      const written = `-${word.text.charAt(at)}`;
      const known = this.names.get(written);
      const rest = at + 1 < word.text.length ? wordFrom(word, at + 1) : null;
      if (!known) this.use(written, null, false, word);
      else if (known.arity === 'flag') this.use(known.name, null, true, word);
      else {
        this.use(known.name, rest ?? (known.arity === 'value' ? this.next() : null), true, word);
        return;
      }
    }
  }
}

/**
 * Sorts words (without the program's name) by a spec. Never fails: an option that is not in the spec is kept under
 * `unknown` and taken as a flag, so its value, if it had one, counts as an operand. Linear in the words.
 * Source: POSIX Utility Syntax Guidelines, GNU getopt_long(3).
 */
export function parseOptions(spec: OptionSpec, words: readonly Word[]): ParsedOptions {
  const sorter = new Sorter(spec, words);
  sorter.sort();
  const { options, operands, unknown, names, dashesAt } = sorter;
  const matching = (wanted: readonly string[]): readonly UsedOption[] => {
    const canonical = new Set(wanted.map((name) => names.get(name)?.name ?? name));
    return options.filter((option) => canonical.has(option.name));
  };
  return {
    options,
    operands,
    operandsBeforeDashes: dashesAt ?? operands.length,
    hasDashes: dashesAt !== null,
    unknown,
    has: (...wanted) => matching(wanted).length > 0,
    value: (...wanted) => matching(wanted).at(-1)?.value ?? null,
    values: (...wanted) => matching(wanted).flatMap((option) => (option.value ? [option.value] : [])),
  };
}
