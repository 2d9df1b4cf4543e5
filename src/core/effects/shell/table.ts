import type { ProgramEntry } from './run.js';
import { coreutils } from './programs/coreutils.js';
import { git } from './programs/git.js';

/** All programs, each with its names. A new one is a file in `programs/` and a line here. */
const ENTRIES: readonly ProgramEntry[] = [...coreutils, ...git];

/** Programs by each of their names. */
export const PROGRAMS: ReadonlyMap<string, ProgramEntry> = new Map(
  ENTRIES.flatMap((entry) => entry.names.map((name): [string, ProgramEntry] => [name, entry])),
);
