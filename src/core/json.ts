/** The value of a JSON text; undefined, which no JSON text stands for, when it is none. Source: ECMA-404. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether lists and objects of a JSON value lie in one another more than so many times. Linear, whatever the depth. */
export function isNestedDeeper(value: unknown, most: number): boolean {
  let level: readonly object[] = [value].filter(isCompound);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= most) return true;
    level = level.flatMap((one) => Object.values(one).filter(isCompound));
  }
  return false;
}

const isCompound = (value: unknown): value is object => typeof value === 'object' && value !== null;
