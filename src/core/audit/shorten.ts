/** Longest text that the audit keeps whole, in UTF-16 units. */
const MAX_TEXT = 32 * 1024;

/**
 * Maps every text inside a JSON value, keys included as they are. Used to mask secrets before a record leaves the core.
 * Linear in the size of the value.
 */
export function mapTexts<T>(value: T, map: (text: string) => string): T {
  if (typeof value === 'string') return map(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, map)) as T;
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts<unknown>(item, map)])) as T;
  return value;
}

/** Keeps head and tail of a long text and says how much is missing between them. */
export function shorten(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const half = MAX_TEXT / 2;
  return `${text.slice(0, half)}\n[… ${String(text.length - MAX_TEXT)} characters left out of the audit …]\n${text.slice(-half)}`;
}
