import type { SimpleCommand, Word } from '../../effects/effect.js';
import { expandBraces } from '../pathPattern.js';
import { compileSegment, overlaps, type Segment } from '../segmentPattern.js';
import type { Predicate, Subject } from '../subject.js';
import { anyOf, tri, type Tri } from '../tri.js';
import { BUNDLING, DISPATCHERS, GLOBAL_OPTIONS, SAME_OPTIONS, type GlobalOptions } from './commandTables.js';

/** Words of one simple command; `any` stands for any number of words. */
export interface CommandPattern {
  readonly program: Segment;
  readonly words: readonly PatternWord[];
  /** The words with `--namespace=prod` as two; null when there is no such word. A rule that restricts means both. */
  readonly apart: readonly PatternWord[] | null;
  /** Whether it names one exact command, without any wildcard. */
  readonly isLiteral: boolean;
}

interface PatternWord {
  readonly segment: Segment;
  /** As written, when it is an option without wildcard in its name; null for a plain word. */
  readonly option: string | null;
}

/** Compiles `git push ** main`; words with blanks may be quoted. A message when it is no good. */
export function compileCommand(text: string): readonly CommandPattern[] | string {
  const expanded = expandBraces(text.trim().normalize('NFC'));
  if (expanded === null) return 'the braces give too many alternatives';
  const patterns: CommandPattern[] = [];
  for (const one of expanded) {
    const pattern = compileOne(one);
    if (typeof pattern === 'string') return pattern;
    patterns.push(pattern);
  }
  return patterns;
}

function compileOne(text: string): CommandPattern | string {
  const words = splitWords(text);
  if (typeof words === 'string') return words;
  const segments: Segment[] = [];
  for (const word of words) {
    const segment: Segment | string = word === '**' ? { type: 'any' } : compileSegment(word);
    if (typeof segment === 'string') return segment;
    segments.push(segment);
  }
  const first = segments[0];
  if (first === undefined) return 'a command pattern needs at least a program';
  const program: Segment = first.type === 'literal' ? literal(baseName(first.text)) : first;
  const list = segments.slice(1).map(patternWord);
  const apart = segments.slice(1).flatMap(valueApart).map(patternWord);
  return {
    program,
    words: list,
    apart: apart.length === list.length ? null : apart,
    isLiteral: segments.every((segment) => segment.type === 'literal'),
  };
}

const patternWord = (segment: Segment): PatternWord => ({
  segment,
  option: segment.type === 'literal' && isOption(segment.text) ? segment.text : null,
});

/** `--namespace=prod` names what `--namespace prod` does. */
const valueApart = (segment: Segment): readonly Segment[] => {
  const text = segment.type === 'literal' ? segment.text : '';
  const [, name, value] = /^(--?[A-Za-z][\w.-]*)=(.+)$/s.exec(text) ?? [];
  return name === undefined || value === undefined ? [segment] : [literal(name), literal(value)];
};

/** Splits at blanks outside quotes. Quotes are taken away; backslashes stay for the words to resolve. */
function splitWords(text: string): string[] | string {
  const words: string[] = [];
  let word = '';
  let hasWord = false;
  let quote: string | null = null;
  for (const character of text) {
    if (quote !== null) {
      if (character === quote) quote = null;
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      hasWord = true;
    } else if (/\s/.test(character)) {
      if (hasWord) words.push(word);
      word = '';
      hasWord = false;
    } else {
      word += character;
      hasWord = true;
    }
  }
  if (quote !== null) return `a quote (${quote}) that is never closed`;
  if (hasWord) words.push(word);
  return words;
}

const literal = (text: string): Segment => ({ type: 'literal', text, folded: text.toLowerCase() });
const baseName = (program: string): string => (program.split(/[\\/]/).pop() ?? program).replace(/\.exe$/i, '');
const isOption = (word: string): boolean => word.startsWith('-') && word !== '-' && word !== '--';

/**
 * The command that does the effect, or one that carries it. An allow on a command covers what it carries, unless the
 * carried command is spelled on the carrier's own line and the pattern has a wildcard that would let any be.
 */
export const matchesCommand =
  (patterns: readonly CommandPattern[]): Predicate =>
  (subject, reading): Tri =>
    anyOf(
      commandChain(subject).map((command, distance) =>
        anyOf(
          patterns.map((pattern) => {
            if (reading.isSure && distance > 0 && !pattern.isLiteral && DISPATCHERS.has(command.program)) return 'no';
            return reading.isSure ? tri(surely(pattern, command, subject)) : perhaps(pattern, command, subject);
          }),
        ),
      ),
    );

/** The command of the effect, then those that carry it, innermost first. */
export function commandChain({ effect, analysis }: Pick<Subject, 'effect' | 'analysis'>): readonly SimpleCommand[] {
  const chain: SimpleCommand[] = [];
  for (let index = effect?.command ?? null; index !== null && chain.length <= analysis.commands.length;) {
    const command: SimpleCommand | undefined = analysis.commands[index];
    if (command === undefined) break;
    chain.push(command);
    index = command.carrier;
  }
  return chain;
}

/** Whether a rule that allows may rely on the match: nothing unknown, nothing passed over but what is harmless. */
function surely(pattern: CommandPattern, command: SimpleCommand, { context }: Subject): boolean {
  const ignoreCase = context.platform === 'win32' || !context.anchors.isCaseSensitive;
  if (command.program === '' || !overlaps(pattern.program, literal(command.program), ignoreCase)) return false;
  const words = command.argv.slice(1);
  const sequences = [words, skipGlobals(command.program, words, 'harmless')];
  return sequences.some((sequence) => {
    const isUnordered = BUNDLING.has(command.program);
    const parts = isUnordered
      ? takeOptions(pattern, sequence, { ignoreCase: context.platform === 'win32', short: asWritten })
      : { left: sequence, rest: pattern.words };
    return (
      parts !== null &&
      inSequence(parts.rest, parts.left, { isLenient: false, ignoreCase: context.platform === 'win32' })
    );
  });
}

/** Whether a rule that restricts must hear the command: options that the pattern does not mention are passed over. */
const perhaps = (pattern: CommandPattern, command: SimpleCommand, subject: Subject): Tri =>
  anyOf([
    perhapsAsWritten(pattern, command, subject),
    ...(pattern.apart === null ? [] : [perhapsAsWritten({ ...pattern, words: pattern.apart }, command, subject)]),
  ]);

function perhapsAsWritten(pattern: CommandPattern, command: SimpleCommand, { context }: Subject): Tri {
  const isWindows = context.platform === 'win32';
  let best: Tri = 'no';
  for (const { program, words } of formsOf(command)) {
    const isProgram = program !== '' && overlaps(pattern.program, literal(program), true);
    if (program !== '' && !isProgram) continue;
    const short = shortOptions(program, pattern);
    for (const isLenient of [false, true]) {
      for (const sequence of spellingsOf(program, words, pattern)) {
        const parts = takeOptions(pattern, sequence, { ignoreCase: isWindows, short });
        const options = { isLenient, ignoreCase: isWindows };
        const found =
          inSequence(pattern.words, sequence, options) ||
          (parts !== null &&
            (inSequence(parts.rest, parts.left, options) ||
              inSequence(
                parts.rest,
                parts.left.filter((word) => !isOption(word.text)),
                options,
              )));
        if (!found) continue;
        if (isProgram && !isLenient) return 'yes';
        best = 'unknown';
      }
    }
  }
  return best;
}

/** The command itself, and as its wrappers see it: `sudo rm x` is also a use of sudo. */
function formsOf(command: SimpleCommand): { program: string; words: readonly Word[] }[] {
  const own = { program: command.program, words: command.argv.slice(1) };
  return [own, ...command.wrappers.map((wrapper) => ({ program: wrapper, words: command.argv }))];
}

/** The words as they are, without the options before the sub-command, and each with the values of the pattern's options apart. */
function spellingsOf(program: string, words: readonly Word[], pattern: CommandPattern): readonly (readonly Word[])[] {
  const own = [words, skipGlobals(program, words, 'all')];
  const options = pattern.words.flatMap(({ option }) => (option === null ? [] : [option]));
  if (options.length === 0) return own;
  const apart = spelledApart(words, options, shortOptions(program, pattern));
  return apart.length === words.length ? own : [...own, apart, skipGlobals(program, apart, 'all')];
}

/** `--namespace=prod` and `-nprod` as two words, where the pattern names the option. */
const spelledApart = (
  words: readonly Word[],
  options: readonly string[],
  short: (option: string) => string,
): readonly Word[] =>
  words.flatMap((word) => {
    const [, name, value] =
      /^(--?[A-Za-z][\w.-]*)=(.*)$/s.exec(word.text) ?? /^(-[A-Za-z])(.+)$/s.exec(word.text) ?? [];
    const isNamed = name !== undefined && options.some((option) => short(option) === short(name));
    return isNamed
      ? [
          { ...word, text: name },
          { ...word, text: value ?? '' },
        ]
      : [word];
  });

/** Words after the options that stand before the sub-command. */
function skipGlobals(program: string, words: readonly Word[], which: 'harmless' | 'all'): readonly Word[] {
  const table: GlobalOptions | undefined = GLOBAL_OPTIONS.get(program);
  if (table === undefined) return words;
  const groups = which === 'all' ? [table.harmless, table.telling] : [table.harmless];
  let index = 0;
  for (;;) {
    const word = words[index]?.text ?? '';
    const name = word.split('=', 1)[0] ?? '';
    if (groups.some((group) => group.alone.includes(word))) index += 1;
    else if (groups.some((group) => group.withValue.includes(name) && word.includes('='))) index += 1;
    else if (groups.some((group) => group.withValue.includes(word))) index += 2;
    else if (program === 'cargo' && word.startsWith('+')) index += 1;
    else return words.slice(index);
  }
}

/**
 * Takes the pattern's options out of the command, wherever they stand before `--`, joined or not.
 * Null when one is not there. What is left keeps its order.
 */
function takeOptions(
  pattern: CommandPattern,
  words: readonly Word[],
  { ignoreCase, short }: { readonly ignoreCase: boolean; readonly short: (option: string) => string },
): { rest: readonly PatternWord[]; left: readonly Word[] } | null {
  const wanted = pattern.words.flatMap(({ option }) => (option === null ? [] : unbundle(option)));
  const end = words.findIndex((word) => word.text === '--');
  const before = end < 0 ? words : words.slice(0, end);
  const left = before.flatMap((word) =>
    isOption(word.text) && word.certainty !== 'dynamic'
      ? unbundle(word.text).map((text): Word => ({ ...word, text }))
      : [word],
  );
  for (const option of wanted) {
    const index = left.findIndex(
      ({ text }) =>
        isOption(text) &&
        (sameOption(text, option) ||
          short(text) === short(option) ||
          (ignoreCase && sameOption(text.toLowerCase(), option.toLowerCase()))),
    );
    if (index < 0) return null;
    left.splice(index, 1);
  }
  return {
    rest: pattern.words.filter(({ option }) => option === null),
    left: end < 0 ? left : [...left, ...words.slice(end + 1)],
  };
}

const asWritten = (option: string): string => option;

/** Brings options of one meaning to one spelling: `--force` is `-f` to rm. */
function shortOptions(program: string, { words }: CommandPattern): (option: string) => string {
  const sub = words.find(({ segment }) => segment.type === 'literal' && !isOption(segment.text))?.segment;
  const own = SAME_OPTIONS.get(program);
  const ofSub = sub?.type === 'literal' ? SAME_OPTIONS.get(`${program} ${sub.text}`) : undefined;
  if (own === undefined && ofSub === undefined) return asWritten;
  return (option) => ofSub?.get(option) ?? own?.get(option) ?? option;
}

const sameOption = (text: string, option: string): boolean =>
  text === option || (option.startsWith('--') && text.startsWith(`${option}=`));

/** `-rf` → `-r`, `-f`. Long options, and short ones with a value that is no letter, stay whole. */
const unbundle = (option: string): string[] =>
  /^-[A-Za-z]{2,}$/.test(option) ? [...option.slice(1)].map((letter) => `-${letter}`) : [option];

/** Whether the words are what the pattern's words say, in order. Lenient: a word that is not known may be any, and many. */
function inSequence(
  pattern: readonly PatternWord[],
  words: readonly Word[],
  { isLenient, ignoreCase }: { readonly isLenient: boolean; readonly ignoreCase: boolean },
): boolean {
  const end = pattern.length;
  const close = (states: Set<number>): Set<number> => {
    for (const state of states) if (pattern[state]?.segment.type === 'any') states.add(state + 1);
    return states;
  };
  let states = close(new Set([0]));
  for (const word of words) {
    const next = new Set<number>();
    for (const state of states) {
      const segment = pattern[state]?.segment;
      if (isLenient && (word.certainty === 'dynamic' || (word.certainty === 'pattern' && !word.quoted)))
        for (let later = state; later <= end; later += 1) next.add(later);
      if (segment === undefined) continue;
      if (segment.type === 'any') next.add(state);
      else if (wordHas(segment, word, isLenient, ignoreCase)) next.add(state + 1);
    }
    states = close(next);
    if (states.size === 0) return false;
  }
  return states.has(end);
}

function wordHas(segment: Segment, word: Word, isLenient: boolean, ignoreCase: boolean): boolean {
  const isStar = segment.type === 'glob' && segment.tokens.length === 1 && segment.tokens[0]?.type === 'star';
  if (isStar) return true;
  if (word.certainty === 'exact') return overlaps(segment, literal(word.text.normalize('NFC')), ignoreCase);
  if (word.certainty === 'dynamic' || !isLenient) return false;
  const glob = compileSegment(word.text.normalize('NFC'));
  return typeof glob === 'string' || overlaps(segment, glob, ignoreCase);
}
