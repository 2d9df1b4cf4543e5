// Drives real clients of the Model Context Protocol against a scripted model on 127.0.0.1, with `lacuna mcp` as their server and
// no hooks: what is forbidden is not done, what is allowed is. By hand, as tryClients.ts says.
//   npx tsx scripts/agents/tryMcp.ts /tmp/clients [claude codex]
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { repository } from '../host/place.js';
import { mustRun } from '../run.js';
import { main, say, step, Trouble } from '../say.js';
import { isAuditQuiet } from './auditQuiet.js';
import { CLIENTS, programOf, type Client } from './clients.js';
import { endedClient } from './endedClient.js';
import { ModelServer, type WantedCall } from './modelServer.js';

/** What the scripted model asks of the guarded tools. */
const CALLS: readonly WantedCall[] = [
  { type: 'tool', name: 'lacuna_ExecuteShell', input: { command: 'echo fine > allowed.txt' } },
  { type: 'tool', name: 'lacuna_WriteFile', input: { path: 'note.txt', content: 'written' } },
  { type: 'tool', name: 'lacuna_ExecuteShell', input: { command: 'rm -rf ~' } },
  { type: 'tool', name: 'lacuna_ReadFile', input: { path: '.env' } },
];

main(async () => {
  const [folder, ...names] = process.argv.slice(2);
  if (folder === undefined) throw new Trouble('Name the folder in which npm has installed the clients.');
  await step('Building Lacuna', () => mustRun('node', ['esbuild.js'], 'The build failed', { cwd: repository }));
  let failures = 0;
  for (const client of CLIENTS) {
    if (client.mcp === undefined || (names.length > 0 && !names.includes(client.agent))) continue;
    const program = programOf(client, path.resolve(folder));
    if (!existsSync(program)) say(`${client.agent}: not installed (${client.package})`);
    else failures += (await tried(client, client.mcp, program)) ? 0 : 1;
  }
  return failures === 0 ? 0 : 1;
});

/** Runs one client in a home folder of its own. True when the guard held and let pass what it should. */
async function tried(client: Client, mcp: NonNullable<Client['mcp']>, program: string): Promise<boolean> {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-mcp-')));
  const home = path.join(base, 'home');
  const workspace = path.join(home, 'work');
  mkdirSync(workspace, { recursive: true });
  writeFileSync(path.join(workspace, '.env'), 'TOKEN=nothing-real\n');
  writeFileSync(path.join(home, 'precious.txt'), 'keep');
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  await mustRun('git', ['init', '--quiet'], 'git failed', { cwd: workspace, env });
  const model = await ModelServer.listen(CALLS);
  try {
    const server = [path.join(repository, 'dist/cli.js'), 'mcp', '--workspace', workspace];
    const output = await endedClient(program, [...mcp('node', server), ...client.args(model.address)], workspace, {
      ...env,
      ...client.environment(model.address),
    });
    const [shell = '', , destroyed = '', secret = ''] = model.results;
    const checks: readonly (readonly [string, boolean])[] = [
      ['the allowed command was run', /DONE/.test(shell) && existsSync(path.join(workspace, 'allowed.txt'))],
      ['the allowed file was written', existsSync(path.join(workspace, 'note.txt'))],
      ['the forbidden command was not', existsSync(path.join(home, 'precious.txt'))],
      ['the agent was told why', /deletes the home folder/.test(destroyed)],
      ['the secret was not read', secret !== '' && !secret.includes('nothing-real')],
      ['the audit is whole, without an alarm', isAuditQuiet(path.join(home, '.local/state/lacuna/audit'))],
    ];
    for (const [what, holds] of checks) say(`${client.agent}: ${holds ? 'yes' : 'NO '}  ${what}`);
    const isGood = checks.every(([, holds]) => holds);
    if (!isGood) say([...new Set(model.asked), output.slice(-2000), JSON.stringify(model.results, null, 1)].join('\n'));
    return isGood;
  } finally {
    model.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  }
}
