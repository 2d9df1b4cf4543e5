import { isMap, isPair, isScalar, isSeq, parseDocument, type Document } from 'yaml';
import type { PolicyPath } from './schemaGuide.js';

/** What is being written at a place of a policy. */
export interface Cursor {
  /** Fields that may come here belong to the map at this path; null where no field can stand. */
  readonly map: PolicyPath | null;
  /** Fields that the map has already, the one under the cursor aside. */
  readonly present: readonly string[];
  /** A value may come here for this path; null where none can stand. */
  readonly value: PolicyPath | null;
  /** Where the word under the cursor begins and ends. */
  readonly start: number;
  readonly end: number;
}

const PLACEHOLDER = 'lacunaPlaceholder';

/**
 * Finds out what a person is writing. The word under the cursor is replaced by a placeholder, once as a field and once as a value,
 * and the tolerant parser is asked where it landed: so half-written files are understood too. Linear in the text, twice.
 */
export function cursorAt(text: string, offset: number): Cursor {
  const start =
    offset - (/[\w$:./-]*$/.exec(lineBefore(text, offset))?.[0].replace(/^.*:(?=\S*$)(?![\w-]*:)/, '') ?? '').length;
  const from = wordStart(text, offset, start);
  const end = offset + (/^[\w$./-]*/.exec(text.slice(offset))?.[0] ?? '').length;
  const after = /^["']?\s*:(\s|$)/.test(text.slice(end)) ? '' : ': ';
  const asField = placeOf(text.slice(0, from) + PLACEHOLDER + after + text.slice(end));
  const asValue = after === '' ? null : placeOf(text.slice(0, from) + PLACEHOLDER + text.slice(end));
  return {
    map: asField?.role === 'field' ? asField.path : null,
    present: asField?.role === 'field' ? asField.present : [],
    value: asValue?.role === 'value' ? asValue.path : null,
    start: from,
    end,
  };
}

const lineBefore = (text: string, offset: number): string => text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);

/** A word of a pack (`lacuna:git`) holds a colon; a field before it (`verdict:ask`) does not belong to the word. */
function wordStart(text: string, offset: number, start: number): number {
  const before = text.slice(0, offset);
  const pack = /lacuna:[\w-]*$/.exec(before);
  if (pack !== null) return pack.index;
  const word = /[\w$./-]*$/.exec(before);
  return Math.max(start, word?.index ?? offset);
}

interface Place {
  readonly role: 'field' | 'value';
  readonly path: PolicyPath;
  readonly present: readonly string[];
}

function placeOf(text: string): Place | null {
  let document: Document.Parsed;
  try {
    document = parseDocument(text, { logLevel: 'silent', strict: false, uniqueKeys: false });
  } catch (error) {
    if (error instanceof Error) return null; // hostile nesting: nothing can be offered there
    throw error;
  }
  return find(document.contents, []);
}

function find(node: unknown, path: PolicyPath): Place | null {
  if (isMap(node)) {
    const names = node.items.map((pair) => (isPair(pair) && isScalar(pair.key) ? String(pair.key.value) : ''));
    for (const [index, pair] of node.items.entries()) {
      const name = names[index] ?? '';
      if (name === PLACEHOLDER)
        return { role: 'field', path, present: names.filter((one) => one !== PLACEHOLDER && one !== '') };
      const found = find(pair.value, [...path, name]);
      if (found !== null) return found;
    }
    return null;
  }
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      const found = find(item, [...path, index]);
      if (found !== null) return found;
    }
    return null;
  }
  return isScalar(node) && node.value === PLACEHOLDER ? { role: 'value', path, present: [] } : null;
}

/** What stands at a place of a policy: a field or a value, with its path; null where there is neither. */
export interface Standing {
  readonly role: 'field' | 'value';
  readonly path: PolicyPath;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The field or value under an offset. */
export function standingAt(text: string, offset: number): Standing | null {
  let document: Document.Parsed;
  try {
    document = parseDocument(text, { logLevel: 'silent', strict: false, uniqueKeys: false });
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
  return standing(document.contents, [], offset);
}

function standing(node: unknown, path: PolicyPath, offset: number): Standing | null {
  const holds = (range: readonly number[] | null | undefined): range is readonly number[] =>
    range !== null && range !== undefined && (range[0] ?? 0) <= offset && offset <= (range[1] ?? 0);
  if (isMap(node)) {
    for (const pair of node.items) {
      if (!isScalar(pair.key)) continue;
      const name = String(pair.key.value);
      if (holds(pair.key.range))
        return {
          role: 'field',
          path: [...path, name],
          text: name,
          start: pair.key.range[0] ?? 0,
          end: pair.key.range[1] ?? 0,
        };
      const found = standing(pair.value, [...path, name], offset);
      if (found !== null) return found;
    }
    return null;
  }
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      const found = standing(item, [...path, index], offset);
      if (found !== null) return found;
    }
    return null;
  }
  return isScalar(node) && holds(node.range)
    ? { role: 'value', path, text: String(node.value), start: node.range[0] ?? 0, end: node.range[1] ?? 0 }
    : null;
}
