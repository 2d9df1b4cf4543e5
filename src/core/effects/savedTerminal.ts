import type { Inflow, TerminalState, Word } from './effect.js';

/** A terminal as JSON: maps and sets as arrays, in their order. */
export interface SavedTerminal {
  readonly cwd: string | null;
  /** Absent where nothing is known of it. */
  readonly mayBeIn?: readonly string[];
  readonly previousCwd: string | null;
  readonly directoryStack: readonly string[];
  readonly variables: readonly (readonly [string, Word])[];
  readonly origins: readonly (readonly [string, readonly Inflow[]])[];
  readonly exported: readonly string[];
  readonly aliases: readonly (readonly [string, string])[];
  readonly functions: readonly (readonly [string, string])[];
  readonly options: readonly string[];
}

/** A terminal as JSON. Inverse of {@link restoreTerminal}. */
export const saveTerminal = (terminal: TerminalState): SavedTerminal => ({
  cwd: terminal.cwd,
  ...(terminal.mayBeIn.length === 0 ? {} : { mayBeIn: terminal.mayBeIn }),
  previousCwd: terminal.previousCwd,
  directoryStack: terminal.directoryStack,
  variables: [...terminal.variables],
  origins: [...terminal.origins],
  exported: [...terminal.exported],
  aliases: [...terminal.aliases],
  functions: [...terminal.functions],
  options: [...terminal.options],
});

/** The terminal that was saved. */
export const restoreTerminal = (saved: SavedTerminal): TerminalState => ({
  cwd: saved.cwd,
  mayBeIn: saved.mayBeIn ?? [],
  previousCwd: saved.previousCwd,
  directoryStack: saved.directoryStack,
  variables: new Map(saved.variables),
  origins: new Map(saved.origins),
  exported: new Set(saved.exported),
  aliases: new Map(saved.aliases),
  functions: new Map(saved.functions),
  options: new Set(saved.options),
});
