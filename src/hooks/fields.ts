/** An object from outside, looked at by own properties only. */
export type Fields = ReadonlyMap<string, unknown>;

/** The own properties of a value that is an object; empty for anything else. */
export const fieldsOf = (value: unknown): Fields =>
  new Map(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []);

/** The first of several names that holds a text; null when none does. */
export function textAt(fields: Fields, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields.get(name);
    if (typeof value === 'string') return value;
  }
  return null;
}

/** A number under a name; null when there is none. */
export function numberAt(fields: Fields, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = fields.get(name);
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  }
  return null;
}

/** An object under a name, or one that was passed as the text of its JSON, as older agents do; null for neither. */
export function objectAt(fields: Fields, ...names: readonly string[]): Readonly<Record<string, unknown>> | null {
  for (const name of names) {
    const value = fields.get(name);
    const object = typeof value === 'string' ? parseObject(value) : value;
    if (typeof object === 'object' && object !== null && !Array.isArray(object))
      return Object.fromEntries(Object.entries(object));
  }
  return null;
}

/** JSON of an object; null when the text is none. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Text of a tool's result, which agents pass as text, as parts, or as an object. */
export function outputText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  const fields = fieldsOf(value);
  const direct = textAt(fields, 'stdout', 'output', 'text', 'content', 'llmContent', 'textResultForLlm', 'result');
  if (direct !== null) return [direct, textAt(fields, 'stderr') ?? ''].filter((part) => part !== '').join('\n');
  return JSON.stringify(value);
}
