import v8 from 'node:v8';

/**
 * The parser's WASM stays as it was compiled first. Its largest function takes the optimising compiler seconds and some 45 MiB that
 * are not given back, and what it gains does not pay for that within ten thousand lines. Compiled code is only good for the flags
 * under which it was made, so this comes first.
 */
export const favourStart = (): void => v8.setFlagsFromString('--liftoff-only');
