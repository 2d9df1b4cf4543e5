import os from 'node:os';
import type { PolicyContext } from '../core/policy/context.js';

/** Name of the person on this machine, as rules with `context: { user: … }` see it; null when the system knows none. */
export function userName(): string | null {
  known ??= { name: lookUp() };
  return known.name;
}

/** It does not change while a process lives, and the look-up takes longer than a decision may. */
let known: { readonly name: string | null } | null = null;

function lookUp(): string | null {
  try {
    return os.userInfo().username;
  } catch (error) {
    // Node throws where the user id has no entry in the system's table, as in some containers.
    if (error instanceof Error) return process.env['USER'] ?? process.env['USERNAME'] ?? null;
    throw error;
  }
}

/** A moment as rules with `context: { time: … }` see it, by the clock on the wall. */
export const localTime = (now: Date): NonNullable<PolicyContext['time']> => ({
  minutes: now.getHours() * 60 + now.getMinutes(),
  weekday: now.getDay(),
});
