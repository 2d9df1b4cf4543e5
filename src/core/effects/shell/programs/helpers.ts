import type { Certainty, Trait, Word } from '../../effect.js';
import type { Emission, Invocation, Program, ProgramEntry, Run } from '../run.js';
import { exactWord, lessCertain } from '../word.js';

/** The words after the program's name. */
export const argumentsOf = (invocation: Invocation): readonly Word[] => invocation.argv.slice(1);

/** The least certain of several. */
export const leastCertain = (...certainties: readonly Certainty[]): Certainty =>
  certainties.reduce(lessCertain, 'exact');

/** Several words as one text, with a space between them. */
export const joined = (words: readonly Word[], separator = ' '): Word => ({
  text: words.map(({ text }) => text).join(separator),
  raw: words.map(({ raw }) => raw).join(separator),
  certainty: leastCertain(...words.map(({ certainty }) => certainty)),
  quoted: true,
});

/** A word with another text and the same certainty. */
export const withText = (word: Word, text: string): Word => ({ ...word, text, raw: text });

/** A path word seen from another folder than the command's own: `git -C folder add file`. */
export function inFolder(folder: Word | null, path: Word): Word {
  if (folder === null || /^([/~]|[a-z]:)/i.test(path.text)) return path;
  return {
    text: `${folder.text.replace(/\/+$/, '')}/${path.text}`,
    raw: `${folder.raw}/${path.raw}`,
    certainty: leastCertain(folder.certainty, path.certainty),
    quoted: path.quoted,
  };
}

/** Whether words ask for help: `--help` before any `--`, where it cannot be the value of an option. For words of a sub-command. */
export function asksForHelp(words: readonly Word[]): boolean {
  for (const [index, { text }] of words.entries()) {
    if (text === '--') return false;
    if (text === '--help' && !words[index - 1]?.text.startsWith('-')) return true;
  }
  return false;
}

/**
 * Whether a program only prints its help or version: as above, or a version option alone. For all words of a program, and not
 * for one whose words are another command's (`docker run image --help`).
 */
export const isHelpOnly = (words: readonly Word[]): boolean =>
  asksForHelp(words) ||
  (words.length === 1 && /^(-h|-\?|help|-help|-V|-v|-version|--version|version)$/.test(words[0]?.text ?? ''));

/** A folder or file that a command works in when none is named. */
export const HERE: Word = exactWord('.');

/** Where a service answers, as a word that `run.network` takes. */
export const serviceUrl = (host: string): Word => exactWord(`https://${host}`);

/** What a command does to something that a service holds, and the request that carries it there. */
export function remote(
  run: Run,
  op: 'read' | 'write' | 'delete' | 'execute',
  service: string,
  name: Word | null,
  emission: Emission = {},
): void {
  run.emit(
    op,
    { type: 'remote', service, name: name?.text ?? '' },
    { certainty: name?.certainty ?? 'exact', reversible: op === 'read' ? 'yes' : 'no', ...emission },
  );
}

/** Whether any of the words could hold an option that cannot be known. An unquoted variable may become several words. */
export const hasUnknownWords = (words: readonly Word[]): boolean =>
  words.some(({ certainty, quoted, text }) => certainty === 'dynamic' && !quoted && /^\$/.test(text));

/** Traits as a list, leaving out those whose condition is false. */
export const traitsWhere = (conditions: Partial<Record<Trait, boolean>>): readonly Trait[] =>
  (Object.keys(conditions) as Trait[]).filter((trait) => conditions[trait]);

/** A variable that a command sees: set for it alone, or exported before; null when neither is known. */
export function variableOf(run: Run, name: string): Word | null {
  const own = run.invocation.assignments.get(name);
  if (own) return own;
  return run.terminal.exported.has(name) ? (run.terminal.variables.get(name) ?? null) : null;
}

/** Rows for programs that one analyser serves: a space parts programs, `|` parts names of one. */
export const rows = (names: string, analyse: Program): readonly ProgramEntry[] =>
  names.split(/\s+/).map((group) => ({ names: group.split('|'), analyse }));

/** Programs that pack, unpack or turn a document into text: what options for a helper are made for. */
const CONVERTERS =
  /^(?:.*\/)?(?:gzip|pigz|gunzip|zcat|bzip2|pbzip2|lbzip2|bunzip2|bzcat|xz|pixz|unxz|xzcat|zstd|pzstd|unzstd|zstdmt|lz4|lzop|lzma|brotli|compress|cat|pdftotext|pandoc|unzip|ssh|rsh|less|more)$/;

/**
 * Says that a program is started through an option that is not made for running commands. Silent for the helpers that such options
 * are meant for. What the program does is said apart.
 */
export function runsThroughOption(run: Run, program: Word, option: string): void {
  const name = program.text.trim().split(/\s+/)[0] ?? '';
  if (program.certainty === 'exact' && CONVERTERS.test(name)) return;
  run.emit(
    'execute',
    { type: 'process', process: name },
    { traits: ['covert'], certainty: program.certainty, note: `${option} of ${run.invocation.program} starts it` },
  );
}
