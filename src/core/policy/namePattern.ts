import { expandBraces } from './pathPattern.js';
import { compileSegment, coversSegment, overlaps, type Segment } from './segmentPattern.js';

/** A glob over one name, in which `*` also spans dots and slashes. */
export type NamePattern = readonly Segment[];

/** Compiles a glob over a name; a message when it is no good. */
export function compileName(text: string): NamePattern | string {
  const segments: Segment[] = [];
  const expanded = expandBraces(text.normalize('NFC'));
  if (expanded === null) return 'the braces give too many alternatives';
  for (const one of expanded) {
    const segment = compileSegment(one);
    if (typeof segment === 'string') return segment;
    segments.push(segment);
  }
  return segments;
}

/** Whether the name falls under the pattern. */
export const nameMatches = (pattern: NamePattern, name: string, ignoreCase: boolean): boolean => {
  const normal = name.normalize('NFC');
  const literal: Segment = { type: 'literal', text: normal, folded: normal.toLowerCase() };
  return pattern.some((segment) => overlaps(segment, literal, ignoreCase));
};

/** Whether some name that the glob stands for falls under the pattern. A glob that cannot be read may stand for anything. */
export const nameMayMatch = (pattern: NamePattern, glob: string, ignoreCase: boolean): boolean => {
  const meant = compileName(glob);
  return (
    typeof meant === 'string' || meant.some((one) => pattern.some((segment) => overlaps(segment, one, ignoreCase)))
  );
};

/** Whether every name that the glob stands for falls under the pattern. Errs on the side of no. */
export const nameCovers = (pattern: NamePattern, glob: string, ignoreCase: boolean): boolean => {
  const meant = compileName(glob);
  return (
    typeof meant !== 'string' &&
    meant.every((one) => pattern.some((segment) => coversSegment(segment, one, ignoreCase)))
  );
};

/** Whether the pattern holds of every name. */
export const holdsOfAll = (pattern: NamePattern): boolean => nameCovers(pattern, '*', false);

/** The names that the pattern holds of, when they can be counted out; null when there is a wildcard. */
export const literalNames = (pattern: NamePattern): readonly string[] | null => {
  const names: string[] = [];
  for (const segment of pattern) {
    if (segment.type !== 'literal') return null;
    names.push(segment.folded);
  }
  return names;
};
