import type { Certainty, Word } from '../../effect.js';
import { escapeGlob, hasGlob, NUMBER } from '../word.js';

/**
 * A part of a word after expansion. `bare` stood in the text without quotes, `split` came out of an expansion without quotes
 * (it is split at white space and its stars are globs), `quoted` stands for itself. `break` ends a word (`"$@"`).
 */
export interface Piece {
  readonly text: string;
  readonly quoting: 'bare' | 'split' | 'quoted' | 'break';
  readonly certainty: Certainty;
}

export const bare = (text: string): Piece => ({ text, quoting: 'bare', certainty: 'exact' });
export const quoted = (text: string): Piece => ({ text, quoting: 'quoted', certainty: 'exact' });
/** A part that cannot be known; `raw` is how it was written and begins with `$`. */
export const unknownPiece = (raw: string, quoting: 'split' | 'quoted'): Piece => ({
  text: raw,
  quoting,
  certainty: 'dynamic',
});
/** A number that cannot be known. */
export const numberPiece: Piece = { text: NUMBER.text, quoting: 'quoted', certainty: NUMBER.certainty };
export const BREAK: Piece = { text: '', quoting: 'break', certainty: 'exact' };

/** A variable's value where it is used. */
export const valuePiece = (value: Word, isQuoted: boolean): Piece => ({
  text: value.text,
  quoting: isQuoted ? 'quoted' : 'split',
  certainty: value.certainty,
});

interface Field {
  readonly pieces: Piece[];
}

/**
 * Splits pieces into fields and makes a word of each, as the shell does: unquoted expansions are split at `separators` (the value
 * of IFS), empty unquoted fields vanish, unquoted globs make patterns. `raw` is what was written. Linear.
 */
export function wordsOf(pieces: readonly Piece[], raw: string, separators: string, globs: 'globs' | 'noglob'): Word[] {
  const fields: Field[] = [];
  let current: Piece[] = [];
  let isOpen = false;
  const close = (): void => {
    if (isOpen || current.length > 0) fields.push({ pieces: current });
    current = [];
    isOpen = false;
  };
  for (const piece of pieces) {
    if (piece.quoting === 'break') close();
    else if (piece.quoting === 'split' && piece.certainty === 'exact' && separators !== '') {
      const parts = splitAt(piece.text, separators);
      parts.forEach((part, at) => {
        if (at > 0) close();
        if (part !== '') current.push({ ...piece, text: part });
      });
    } else {
      if (piece.quoting === 'quoted') isOpen = true;
      if (piece.text !== '') current.push(piece);
    }
  }
  close();
  return fields.map((field) => wordOf(field.pieces, raw, globs));
}

const BLANKS = /[ \t\n]+/;

function splitAt(text: string, separators: string): string[] {
  if (separators === ' \t\n') return BLANKS.test(text) ? text.split(BLANKS) : [text];
  const set = separators.replace(/[\\\]^-]/g, '\\$&');
  return text.split(new RegExp(/^\s+$/.test(separators) ? `[${set}]+` : `[${set}]`));
}

/** One word of all pieces, not split: an assignment's value, the target of a redirection. */
export function wordOf(parts: readonly Piece[], raw: string, globs: 'globs' | 'noglob'): Word {
  const pieces = inOnePiece(parts);
  const isQuoted = pieces.some(({ quoting }) => quoting === 'quoted');
  if (pieces.some(({ certainty }) => certainty === 'dynamic')) {
    const text = pieces.map((piece) => piece.text).join('');
    return { text, raw, certainty: 'dynamic', quoted: isQuoted };
  }
  const isGlob = (piece: Piece): boolean =>
    piece.certainty === 'pattern' ||
    (globs === 'globs' && piece.quoting !== 'quoted' && (hasGlob(piece.text) || EXTENDED.test(piece.text)));
  if (!pieces.some(isGlob)) {
    const text = pieces.map((piece) => piece.text).join('');
    return { text, raw, certainty: 'exact', quoted: isQuoted };
  }
  const text = pieces.map((piece) => (isGlob(piece) ? simplifyExtended(piece.text) : escapeGlob(piece.text))).join('');
  // Nothing matches a word like these unless someone made a file of that very name, and then the word is still an option or URL.
  const plain = pieces.map((piece) => piece.text).join('');
  if (
    pieces.every(({ certainty }) => certainty === 'exact') &&
    (plain.startsWith('-') || /^[a-z+]+:\/\//i.test(plain))
  ) {
    return { text: plain, raw, certainty: 'exact', quoted: isQuoted };
  }
  return { text, raw, certainty: 'pattern', quoted: isQuoted };
}

/** Bare text that was read in several parts: a class of characters may begin in one and end in the next (`.[`, `!.]`, `*`). */
function inOnePiece(parts: readonly Piece[]): readonly Piece[] {
  const isBare = ({ quoting, certainty }: Piece): boolean => quoting === 'bare' && certainty === 'exact';
  const pieces: Piece[] = [];
  for (const part of parts) {
    const last = pieces.at(-1);
    if (last !== undefined && isBare(last) && isBare(part)) pieces[pieces.length - 1] = bare(last.text + part.text);
    else pieces.push(part);
  }
  return pieces;
}

const EXTENDED = /[!@+]\([^()]*\)/;

/** `!(a|b)` and its kin match no more than a star does. */
const simplifyExtended = (glob: string): string => glob.replace(/[?*+@!]\([^()]*\)/g, '*');
