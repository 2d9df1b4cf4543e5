/** Thrown where the program is wrong, not its input. Caught at the three edges only; there it becomes "no verdict". */
export class BugError extends Error {
  override readonly name = 'BugError';
}

/** Throws a {@link BugError}: what cannot happen has happened. Never call it for bad input. */
export function bug(what: string): never {
  throw new BugError(what);
}

/** Closes a switch over a union: a member added later no longer compiles here. */
export function never(value: never): never {
  return bug(`unexpected value: ${JSON.stringify(value)}`);
}
