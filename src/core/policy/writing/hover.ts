import { standingAt } from './cursor.js';
import { meaningOf, valueMeans } from './schemaGuide.js';

/** What is said of the word under a cursor, as Markdown, and where the word stands. */
export interface Hover {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The meaning of the field or value at an offset; null where there is nothing to say. */
export function hoverAt(text: string, offset: number): Hover | null {
  const found = standingAt(text, offset);
  if (found === null) return null;
  const meaning = found.role === 'field' ? meaningOf(found.path) : valueMeans(found.path, found.text);
  return meaning === '' ? null : { text: `**${found.text}** ${meaning}`, start: found.start, end: found.end };
}
