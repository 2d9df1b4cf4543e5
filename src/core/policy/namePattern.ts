import { expandBraces } from './pathPattern.js';
import { compileSegment, overlaps, type Segment } from './segmentPattern.js';

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

/** The names that the pattern holds of, when they can be counted out; null when there is a wildcard. */
export const literalNames = (pattern: NamePattern): readonly string[] | null => {
  const names: string[] = [];
  for (const segment of pattern) {
    if (segment.type !== 'literal') return null;
    names.push(segment.folded);
  }
  return names;
};
