import { appendFileSync } from 'node:fs';

/**
 * Tells the run of all tests which part of the world was really used by a suite, or why not: one line, appended to the file that
 * `LACUNA_EXERCISED` names. The run shows the lines at its end, so that a green run cannot hide what it did not try.
 */
export function sayExercised(what: string): void {
  const file = process.env['LACUNA_EXERCISED'];
  if (file !== undefined) appendFileSync(file, `${what}\n`);
}
