/** How far one request may go. All are settings; the numbers here are the defaults of mission row L7. */
export interface AgentLimits {
  /** How deep sub-agents may be nested; 0 forbids them. */
  readonly depth: number;
  /** Lacunas of the request, those of sub-agents included. */
  readonly lacunas: number;
  /** Wall time of the request in milliseconds. */
  readonly durationMs: number;
  /** How often the brain may be asked; a stop for brains that talk and never act. */
  readonly turns: number;
  /** Tokens of all answers and questions together; null: no limit. */
  readonly tokens: number | null;
  /** Malformed calls in a row after which the run ends. */
  readonly malformedInARow: number;
  /** How often the very same call is answered before the run ends. */
  readonly repeats: number;
  /** How often a brain is asked for another plan because the work has left the one there is. */
  readonly replans: number;
  /** How often a brain that failed in passing is asked again. */
  readonly brainRetries: number;
  /** How many read-only Lacunas run side by side. */
  readonly sideBySide: number;
  /** Characters of one result that the brain sees; the middle of a longer one is left out. */
  readonly resultCharacters: number;
  /** Part of the brain's input that a conversation may fill, 0 to 1. */
  readonly contextShare: number;
}

export const DEFAULT_LIMITS: AgentLimits = {
  depth: 10,
  lacunas: 100,
  durationMs: 600_000,
  turns: 120,
  tokens: null,
  malformedInARow: 3,
  repeats: 3,
  replans: 3,
  brainRetries: 1,
  sideBySide: 4,
  resultCharacters: 24_000,
  contextShare: 0.75,
};
