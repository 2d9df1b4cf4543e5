import { askedBy, type Asked, type Intent } from './intents.js';
import { namedIn, overlapOf, type Named, type NamesOfResource } from './names.js';

/**
 * How the words that ask for a deed stand to what it is done to. `tied`: one sentence asks for the deed and names its target;
 * `part`: the sentence that asks says a word of its name, or a folder that it lies in; `loose`: the sentence that asks names
 * nothing ("delete them"); `other`: it names something else; `name`: a sentence names the target and asks for another deed;
 * `refused`: a sentence names it and says not to; `none`: no sentence does either.
 */
export const BONDS = ['refused', 'tied', 'part', 'loose', 'other', 'name', 'none'] as const;
export type Bond = (typeof BONDS)[number];

/** One sentence of a request: what it asks for, and what it names. */
export interface Clause {
  readonly asked: Asked;
  readonly named: Named;
  /** It names a place, or something in quotes. */
  readonly isNaming: boolean;
}

/** A long request is read at both ends: what is asked stands there, and what is pasted stands between. */
const MOST_CLAUSES = 24;
const MOST_TEXT = 6000;

/** Where one thing that is asked ends and the next begins. */
const BETWEEN =
  /[\n;。；！？]+|[.!?]+(?=\s|$)|，?(?:然后|接着|另外|但)|,?\s+(?:and then|then|also|but|oh,? and|und dann|aber|et puis|mais|y luego|pero|потом|но)\s+/iu;

const QUOTED = /`[^`\n]{2,80}`|"[^"\n]{2,80}"|“[^”\n]{2,80}”|「[^」\n]{2,80}」/u;

function clauseOf(text: string): Clause {
  const named = namedIn(text);
  return { asked: askedBy(text), named, isNaming: named.places.length > 0 || QUOTED.test(text) };
}

/** Takes a request apart into its sentences; at most {@link MOST_CLAUSES} of them, from both ends. Linear in the request. */
export function clausesOf(request: string): readonly Clause[] {
  const ends =
    request.length <= MOST_TEXT ? [request] : [request.slice(0, MOST_TEXT / 2), request.slice(-MOST_TEXT / 2)];
  const texts = ends.flatMap((end) => end.split(BETWEEN)).filter((text) => text.trim() !== '');
  const kept =
    texts.length <= MOST_CLAUSES ? texts : [...texts.slice(0, MOST_CLAUSES / 2), ...texts.slice(-MOST_CLAUSES / 2)];
  return kept.map(clauseOf);
}

const some = (intents: readonly Intent[], set: ReadonlySet<Intent>): boolean =>
  intents.some((intent) => set.has(intent));

function bondIn({ asked, named, isNaming }: Clause, plain: readonly Intent[], names: NamesOfResource): Bond {
  const overlap = overlapOf(names, named);
  const isNamed = overlap === 'exact' || overlap === 'base';
  if (some(plain, asked.wanted)) {
    if (isNamed) return 'tied';
    if (overlap === 'folder' || overlap === 'part') return 'part';
    return isNaming || overlap === 'near' ? 'other' : 'loose';
  }
  if (!isNamed) return 'none';
  return some(plain, asked.forbidden) ? 'refused' : 'name';
}

/** The strongest bond that any sentence makes. `plain`: what asks for the deed; empty: nobody has to ask, and the bond is `none`. */
export function bondOf(clauses: readonly Clause[], plain: readonly Intent[], names: NamesOfResource): Bond {
  if (plain.length === 0) return 'none';
  const found = new Set(clauses.map((clause) => bondIn(clause, plain, names)));
  return BONDS.find((bond) => found.has(bond)) ?? 'none';
}
