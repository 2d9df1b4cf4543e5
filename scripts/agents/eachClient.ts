import { existsSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../host/place.js';
import { mustRun } from '../run.js';
import { say, step, Trouble } from '../say.js';
import { programOf, type Client } from './clients.js';
import type { ModelServer } from './modelServer.js';

/** What was looked at after a run, and whether it was as it should be. */
export type Checks = readonly (readonly [string, boolean])[];

/**
 * Tries the clients that a command line asks for: `FOLDER [NAME…]`, the folder in which npm has installed them. Builds first.
 * Resolves with the exit code: 0 when all were as they should be; a client that is not installed is told and does not count.
 */
export async function tryEach(
  clients: readonly Client[],
  tried: (client: Client, program: string) => Promise<boolean>,
): Promise<number> {
  const [folder, ...words] = process.argv.slice(2);
  const names = words.slice(0, words.includes('--only') ? words.indexOf('--only') : words.length);
  if (folder === undefined) throw new Trouble('Name the folder in which npm has installed the clients.');
  await step('Building Lacuna', () => mustRun('node', ['esbuild.js'], 'The build failed', { cwd: repository }));
  let failures = 0;
  for (const client of clients) {
    if (names.length > 0 && !names.includes(client.agent)) continue;
    const program = programOf(client, path.resolve(folder));
    if (!existsSync(program)) say(`${client.agent}: not installed (${client.package})`);
    else failures += (await tried(client, program)) ? 0 : 1;
  }
  return failures === 0 ? 0 : 1;
}

/** Says how each check went, and where one did not hold all that the model was asked and told. True when all hold. */
export function report(who: string, checks: Checks, model: ModelServer, output: string): boolean {
  for (const [what, holds] of checks) say(`${who}: ${holds ? 'yes' : 'NO '}  ${what}`);
  const isGood = checks.every(([, holds]) => holds);
  if (!isGood) say([...new Set(model.asked), output.slice(-2000), JSON.stringify(model.results, null, 1)].join('\n'));
  return isGood;
}
