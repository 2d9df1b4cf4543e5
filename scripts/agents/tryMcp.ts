// Drives real clients of the Model Context Protocol against a scripted model on 127.0.0.1, with `lacuna mcp` as their server and
// no hooks: what is forbidden is not done, what is allowed is. By hand, as tryClients.ts says.
//   npx tsx scripts/agents/tryMcp.ts /tmp/clients [claude codex]
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { repository } from '../host/place.js';
import { mustRun } from '../run.js';
import { main } from '../say.js';
import { isAuditQuiet } from './auditQuiet.js';
import { CLIENTS, type Client } from './clients.js';
import { report, tryEach, type Checks } from './eachClient.js';
import { endedClient } from './endedClient.js';
import { ModelServer, type WantedCall } from './modelServer.js';

/** What the scripted model asks of the guarded tools. */
const CALLS: readonly WantedCall[] = [
  { type: 'tool', name: 'lacuna_ExecuteShell', input: { command: 'echo fine > allowed.txt' } },
  { type: 'tool', name: 'lacuna_WriteFile', input: { path: 'note.txt', content: 'written' } },
  { type: 'tool', name: 'lacuna_ExecuteShell', input: { command: 'rm -rf ~' } },
  { type: 'tool', name: 'lacuna_ReadFile', input: { path: '.env' } },
];

main(() =>
  tryEach(
    CLIENTS.filter(({ mcp }) => mcp !== undefined),
    tried,
  ),
);

/** Runs one client in a home folder of its own. True when the guard held and let pass what it should. */
async function tried(client: Client, program: string): Promise<boolean> {
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
    const output = await endedClient(
      program,
      [...(client.mcp?.('node', server) ?? []), ...client.args(model.address)],
      workspace,
      {
        ...env,
        ...client.environment(model.address),
      },
    );
    const [shell = '', , destroyed = '', secret = ''] = model.results;
    const checks: Checks = [
      ['the allowed command was run', /DONE/.test(shell) && existsSync(path.join(workspace, 'allowed.txt'))],
      ['the allowed file was written', existsSync(path.join(workspace, 'note.txt'))],
      ['the forbidden command was not', existsSync(path.join(home, 'precious.txt'))],
      ['the agent was told why', /deletes the home folder/.test(destroyed)],
      ['the secret was not read', secret !== '' && !secret.includes('nothing-real')],
      ['the audit is whole, without an alarm', isAuditQuiet(path.join(home, '.local/state/lacuna/audit'))],
    ];
    return report(client, checks, model, output);
  } finally {
    model.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  }
}
