/** A test of a number: `3`, `">=3"`, `"<10"`. */
export interface Comparison {
  readonly operator: '<' | '<=' | '=' | '>=' | '>';
  readonly value: number;
}

/** Reads a comparison; null when it is none. */
export function readComparison(text: string | number): Comparison | null {
  if (typeof text === 'number') return { operator: '=', value: text };
  const found = /^\s*(<=|>=|<|>|=)?\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text);
  if (found === null) return null;
  return { operator: (found[1] ?? '=') as Comparison['operator'], value: Number(found[2]) };
}

/** Whether the number passes. */
export function compares({ operator, value }: Comparison, number: number): boolean {
  switch (operator) {
    case '<':
      return number < value;
    case '<=':
      return number <= value;
    case '=':
      return number === value;
    case '>=':
      return number >= value;
    case '>':
      return number > value;
  }
}
