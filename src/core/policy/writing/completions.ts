import { cursorAt } from './cursor.js';
import { fieldsAt, valuesAt, type Choice } from './schemaGuide.js';

/** What can be written under a cursor, and the text that it takes the place of. */
export interface Completions {
  readonly items: readonly Offered[];
  readonly start: number;
  readonly end: number;
}

/** One thing that can be written. */
export interface Offered extends Choice {
  readonly role: 'field' | 'value';
}

/** Completions of a policy at an offset: fields of the map that is being written, and values of the field. */
export function completionsAt(text: string, offset: number): Completions {
  const { map, present, value, start, end } = cursorAt(text, offset);
  const fields = map === null ? [] : fieldsAt(map).filter(({ text: name }) => !present.includes(name));
  const values = value === null ? [] : valuesAt(value);
  // A value where a value is awaited; a field there would only be one where a map may stand as well.
  const isAfterColon = /:[ \t]+\S*$/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start + 1).trimStart());
  return {
    items: [
      ...(values.length > 0 && isAfterColon ? [] : fields.map((field) => ({ ...field, role: 'field' as const }))),
      ...values.map((one) => ({ ...one, role: 'value' as const })),
    ],
    start,
    end,
  };
}
