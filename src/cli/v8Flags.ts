import v8 from 'node:v8';

/**
 * The parser's largest function is worth optimising only in long runs; in a short one the process would wait seconds for the
 * optimising compiler when it has long answered. Compiled code is only good for the flags under which it was made, so this
 * comes first.
 */
export const favourStart = (): void => v8.setFlagsFromString('--wasm-tiering-budget=200000000');
