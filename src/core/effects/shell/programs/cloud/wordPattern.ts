/**
 * A pattern for the words of a sub-command: parts in order from the first operand on. `*` stands for one word or part of one,
 * `a|b` for either; a part that begins with `-` is an option that must be there (with `=x`, with that value), one that begins
 * with `!` an option that must not.
 */
export interface WordPattern {
  readonly parts: readonly RegExp[];
  readonly needs: readonly (readonly [string, string | null])[];
  readonly lacks: readonly string[];
  /** How much it says: patterns that say more win. */
  readonly weight: number;
}

const escape = (text: string): string => text.replace(/[.+?^${}()[\]\\]/g, '\\$&');

/** Reads one pattern. */
export function wordPattern(text: string): WordPattern {
  const parts: RegExp[] = [];
  const needs: [string, string | null][] = [];
  const lacks: string[] = [];
  let weight = 0;
  for (const part of text.trim().split(/\s+/)) {
    if (part.startsWith('!')) lacks.push(part.slice(1));
    else if (part.startsWith('-')) {
      const at = part.indexOf('=');
      needs.push(at < 0 ? [part, null] : [part.slice(0, at), part.slice(at + 1)]);
      weight += 2;
    } else {
      parts.push(new RegExp(`^(?:${escape(part).replaceAll('*', '[^ ]*')})$`, 'i'));
      weight += part === '*' ? 1 : part.includes('*') ? 3 : 4;
    }
  }
  return { parts, needs, lacks: [...lacks], weight: weight + lacks.length };
}

/** Options as they stand on the line: name and value, null where there is none. */
export type OptionTable = ReadonlyMap<string, string | null>;

/** Whether a pattern fits operands and options. */
export function fitsWords(pattern: WordPattern, operands: readonly string[], options: OptionTable): boolean {
  return (
    pattern.parts.length <= operands.length &&
    pattern.parts.every((part, index) => part.test(operands[index] ?? '')) &&
    pattern.needs.every(
      ([name, value]) =>
        options.has(name) && (value === null || options.get(name)?.toLowerCase() === value.toLowerCase()),
    ) &&
    pattern.lacks.every((name) => !options.has(name))
  );
}
