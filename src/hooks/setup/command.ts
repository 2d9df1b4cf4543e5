import type { Platform } from '../../core/effects/facts.js';
import type { HookAgent } from '../hookEvent.js';

/** How long a host may wait for the answer to a call, in seconds: a person may have to be asked first. */
export const CALL_TIMEOUT_S = 600;
/** How long a host may wait while we take note of something, in seconds. */
export const NOTE_TIMEOUT_S = 30;
/** How much earlier than the host our own deadline is, in seconds. */
const MARGIN_S = 10;

/** What a host waits for: an answer to a call, or that a note is taken. */
export type HookUse = 'call' | 'note';

/** The host's own time limit for a use, in seconds. */
export const timeoutOf = (use: HookUse): number => (use === 'call' ? CALL_TIMEOUT_S : NOTE_TIMEOUT_S);

const posixWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * The command line that an agent's host runs for a hook. `launcher`: the start script in our state folder, whose place stays the
 * same from version to version. Whatever goes wrong before the script itself can answer ends in code 2, which these hosts read as
 * a block.
 */
export function hookCommand(launcher: string, agent: HookAgent, use: HookUse, platform: Platform): string {
  const flags = `--agent ${agent} --deadline ${String(timeoutOf(use) - MARGIN_S)}`;
  return platform === 'win32' ? `"${launcher}" ${flags}` : `sh ${posixWord(launcher)} ${flags} || exit 2`;
}

/** Whether a command line of a host's configuration is one of ours, of this version or an older one. */
export const isOurCommand = (command: unknown): boolean =>
  typeof command === 'string' && /lacuna/i.test(command) && /--agent[ =]/.test(command);
