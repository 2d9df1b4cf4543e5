import v8 from 'node:v8';

/** The index of a function that no module has. */
const NO_FUNCTION = 2 ** 30;

/**
 * Runs something with WASM in it, and leaves the functions that V8 compiles for the first time meanwhile as its baseline compiler
 * makes them, for as long as they live. Synchronous on purpose: the flag is the whole process's, and in an editor others live there.
 *
 * The lexer of the bash grammar is one function of 160 KB. V8 would hand it to the optimising compiler after some twenty
 * words: a second or more of a core, up to 670 MiB for as long as that takes, some 40 MiB that are never given back, and what it
 * gains does not pay for that within ten thousand lines. `--liftoff-only` is for the start of a process only: set later, V8 of Node
 * 24 does not look at it. The filter is looked at whenever a function is compiled; a V8 that does not know it says so on standard
 * error, and all is as if this were not here.
 */
export function inBaselineCode<T>(run: () => T): T {
  v8.setFlagsFromString(`--wasm-tier-up-filter=${NO_FUNCTION}`);
  try {
    return run();
  } finally {
    v8.setFlagsFromString('--wasm-tier-up-filter=-1'); // what V8 starts with: every function
  }
}
