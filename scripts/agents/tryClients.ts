// Drives the real clients of other agents against a scripted model on 127.0.0.1, with Lacuna's hooks set up by Lacuna's own
// command, and says whether what is forbidden was stopped and what is allowed was done. By hand: the clients weigh a gigabyte.
//   mkdir /tmp/clients; npm install --prefix /tmp/clients --ignore-scripts @openai/codex @google/gemini-cli \
//     @anthropic-ai/claude-code @github/copilot
//   npx tsx scripts/agents/tryClients.ts /tmp/clients [claude codex gemini copilot]
// What each client wrote to the hooks is kept in out/clients, with the folders of this machine taken out.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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

/** What the scripted model has every client do. */
const CALLS: readonly WantedCall[] = [
  { type: 'shell', command: 'echo fine > allowed.txt' },
  { type: 'shell', command: 'rm -rf ~' },
  { type: 'read', file: '.env' },
  // Makes the file only when the option is dropped, as the policy below says.
  { type: 'shell', command: 'touch -c repaired.txt' },
];

/** A rule of the workspace that changes what is asked for. */
const POLICY = `version: 1
rules:
  - id: make-it
    match: { command: "touch **" }
    verdict: modify
    repair: { dropOptions: "-c" }
    reason: Files are made.
`;

main(() => tryEach(CLIENTS, tried));

/** Runs one client in a home folder of its own. True when the guard held and let pass what it should. */
async function tried(client: Client, program: string): Promise<boolean> {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-client-')));
  const [home, workspace, records] = ['home', 'home/work', 'records'].map((name) => path.join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const one of [workspace, records]) mkdirSync(one, { recursive: true });
  for (const [name, text] of Object.entries(client.home)) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), text);
  }
  writeFileSync(path.join(workspace, '.env'), 'TOKEN=nothing-real\n');
  mkdirSync(path.join(workspace, '.lacuna'));
  writeFileSync(path.join(workspace, '.lacuna/policy.yaml'), POLICY);
  writeFileSync(path.join(home, 'precious.txt'), 'keep');
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  await mustRun('git', ['init', '--quiet'], 'git failed', { cwd: workspace, env });
  const setUp = [path.join(repository, 'dist/cli.js'), 'hook', '--set-up', client.agent];
  await mustRun('node', setUp, 'Setting up failed', { cwd: workspace, env });
  recordHooks(path.join(home, '.local/state/lacuna/hook.sh'), records);
  const model = await ModelServer.listen(CALLS);
  try {
    const output = await endedClient(program, client.args(model.address), workspace, {
      ...env,
      ...client.environment(model.address),
    });
    const [, destroyed = '', secret = ''] = model.results;
    const checks: Checks = [
      ['the allowed call was done', existsSync(path.join(workspace, 'allowed.txt'))],
      ['the forbidden call was not', existsSync(path.join(home, 'precious.txt'))],
      ['the agent was told why', /deletes the home folder/.test(destroyed)],
      ['the secret was not read', !secret.includes('nothing-real')],
      ['what the policy repairs was done in its repaired form', existsSync(path.join(workspace, 'repaired.txt'))],
      ['the audit is whole, without an alarm', isAuditQuiet(path.join(home, '.local/state/lacuna/audit'))],
    ];
    keepRecords(client, records, base);
    return report(client, checks, model, output);
  } finally {
    model.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Puts a recorder in front of the start script: what comes in, what goes out, and how it ends, a set of files a call. */
function recordHooks(launcher: string, records: string): void {
  const real = `${launcher}.real`;
  writeFileSync(real, readFileSync(launcher), { mode: 0o700 });
  writeFileSync(
    launcher,
    `#!/bin/sh
n=$(mktemp '${records}/XXXXXXXX')
cat > "$n.in"
sh '${real}' "$@" < "$n.in" > "$n.out" 2> "$n.err"
code=$?
echo $code > "$n.code"
cat "$n.out"; cat "$n.err" >&2
exit $code
`,
    { mode: 0o700 },
  );
}

/** Keeps what the client wrote and heard, without the folders of this machine. */
function keepRecords(client: Client, records: string, base: string): void {
  const folder = path.join(repository, 'out/clients');
  mkdirSync(folder, { recursive: true });
  const read = (name: string): string => readFileSync(path.join(records, name), 'utf8').replaceAll(base, '');
  const calls = readdirSync(records)
    .filter((name) => name.endsWith('.in'))
    .map((name) => name.slice(0, -3))
    .map((name) => ({ input: read(`${name}.in`), code: read(`${name}.code`).trim(), output: read(`${name}.out`) }));
  writeFileSync(path.join(folder, `${client.agent}.json`), JSON.stringify(calls, null, 2));
}
