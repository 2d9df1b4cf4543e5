import type { SyntaxNode } from '../../syntax.js';

/** A part of a word before expansion: text outside of quotes, in which braces count, or a node that is opaque to them. */
export type Unit =
  { readonly type: 'text'; readonly text: string } | { readonly type: 'node'; readonly node: SyntaxNode };

const MAX_WORDS = 600;

/** A character outside of quotes, or an opaque node. */
type Atom = string | SyntaxNode;

/**
 * The words that braces make of one word: `a{b,c}` → `ab`, `ac`; `{1..3}` → `1`, `2`, `3`. Null when there are more than 600.
 * A word without braces comes back as it is.
 */
export function expandBraces(units: readonly Unit[]): readonly (readonly Unit[])[] | null {
  if (!units.some((unit) => unit.type === 'text' && unit.text.includes('{'))) return [units];
  const atoms = units.flatMap((unit): Atom[] => (unit.type === 'text' ? characters(unit.text) : [unit.node]));
  const words = expand(atoms);
  return words && words.map(toUnits);
}

/** Escaped characters stay together with their backslash. */
const characters = (text: string): string[] => text.match(/\\[\s\S]|[\s\S]/g) ?? [];

function toUnits(atoms: readonly Atom[]): Unit[] {
  const units: Unit[] = [];
  let text = '';
  for (const atom of atoms) {
    if (typeof atom === 'string') text += atom;
    else {
      if (text !== '') units.push({ type: 'text', text });
      text = '';
      units.push({ type: 'node', node: atom });
    }
  }
  if (text !== '' || units.length === 0) units.push({ type: 'text', text });
  return units;
}

function expand(atoms: readonly Atom[]): Atom[][] | null {
  for (let open = atoms.indexOf('{'); open >= 0; open = atoms.indexOf('{', open + 1)) {
    const group = groupAt(atoms, open);
    if (!group) continue;
    const before = atoms.slice(0, open);
    const tails = expand(atoms.slice(group.close + 1));
    if (!tails) return null;
    const words: Atom[][] = [];
    for (const part of group.parts) {
      const heads = expand(part);
      if (!heads || words.length + heads.length * tails.length > MAX_WORDS) return null;
      for (const head of heads) for (const tail of tails) words.push([...before, ...head, ...tail]);
    }
    return words;
  }
  return [[...atoms]];
}

/** The group that opens at an index: its alternatives, and where it closes. Null when it is no brace expression. */
function groupAt(atoms: readonly Atom[], open: number): { readonly parts: Atom[][]; readonly close: number } | null {
  let depth = 0;
  let start = open + 1;
  const parts: Atom[][] = [];
  for (let at = open + 1; at < atoms.length; at += 1) {
    const atom = atoms[at];
    if (atom === '{') depth += 1;
    else if (atom === ',' && depth === 0) {
      parts.push(atoms.slice(start, at));
      start = at + 1;
    } else if (atom === '}') {
      if (depth > 0) {
        depth -= 1;
        continue;
      }
      const last = atoms.slice(start, at);
      if (parts.length > 0) return { parts: [...parts, last], close: at };
      const sequence = sequenceOf(last);
      return sequence && { parts: sequence, close: at };
    }
  }
  return null;
}

function sequenceOf(atoms: readonly Atom[]): Atom[][] | null {
  if (atoms.some((atom) => typeof atom !== 'string')) return null;
  const match = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(atoms.join(''));
  if (!match) return null;
  const [, from = '', to = '', by = '1'] = match;
  const isNumber = /\d/.test(from);
  if (isNumber !== /\d/.test(to)) return null;
  const [first, last] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const step = Math.max(1, Math.abs(Number(by))) * (first <= last ? 1 : -1);
  const width = isNumber && /^-?0\d|^-?\d+\.\.-?0\d/.test(`${from}..${to}`) ? Math.max(from.length, to.length) : 0;
  const words: Atom[][] = [];
  for (let value = first; step > 0 ? value <= last : value >= last; value += step) {
    if (words.length > MAX_WORDS) break;
    words.push([...(isNumber ? String(value).padStart(width, '0') : String.fromCharCode(value))]);
  }
  return words;
}
