/** The value of a JSON text; undefined, which no JSON text stands for, when it is none. Source: ECMA-404. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
