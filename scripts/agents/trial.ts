import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { repository } from '../host/place.js';
import { mustRun } from '../run.js';
import type { Client } from './clients.js';
import { endedClient } from './endedClient.js';
import { ModelServer, type WantedCall } from './modelServer.js';

/** Folders of one trial: nothing of this machine's own settings is in them. */
export interface TrialPlace {
  readonly base: string;
  readonly home: string;
  readonly workspace: string;
  /** Lacuna's own. */
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A server of the Model Context Protocol beside the client's own tools. */
export interface TrialServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** A home folder with a repository in it, and what a person would have there to use the client. */
export async function trialPlace(client: Client): Promise<TrialPlace> {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lac-')));
  const home = path.join(base, 'home');
  const workspace = path.join(home, 'work');
  mkdirSync(workspace, { recursive: true });
  for (const [name, text] of Object.entries(client.home)) put(path.join(home, name), text);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  await mustRun('git', ['init', '--quiet'], 'git failed', { cwd: workspace, env });
  return { base, home, workspace, state: path.join(home, '.local/state/lacuna'), env };
}

/** Writes a file and the folders above it. */
export function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Lets a client work through the calls. Resolves with all that it printed and the model that it talked to, closed by then. */
export async function runClient(
  client: Client,
  program: string,
  { home, workspace, env }: TrialPlace,
  { calls, servers }: { readonly calls: readonly WantedCall[]; readonly servers: readonly TrialServer[] },
): Promise<{ readonly model: ModelServer; readonly output: string }> {
  const words = servers.flatMap(({ name, command, args }) => client.mcp(name, command, args));
  if (client.mcpFile !== undefined)
    for (const { name, command, args } of servers) addServer(path.join(home, client.mcpFile), name, { command, args });
  const model = await ModelServer.listen(calls);
  try {
    const output = await endedClient(program, [...client.args(model.address), ...words], workspace, {
      ...env,
      ...client.environment(model.address),
    });
    return { model, output };
  } finally {
    model.close();
  }
}

/** Puts a server into a file of settings, as its first key: what follows stays as it is. */
function addServer(file: string, name: string, server: object): void {
  const text = readFileSync(file, 'utf8');
  const known = /"mcpServers"\s*:\s*\{/.exec(text);
  const entry = `${JSON.stringify(name)}: ${JSON.stringify(server)}`;
  writeFileSync(
    file,
    known === null
      ? text.replace('{', `{ "mcpServers": { ${entry} },`)
      : text.replace(known[0], `${known[0]} ${entry},`),
  );
}

/** Ends a trial: nothing is left. */
export const endTrial = ({ base }: TrialPlace): void =>
  rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });

/** Puts a recorder in front of the start script: what comes in, what goes out, and how it ends, a set of files a call. */
export function recordHooks({ base, state }: TrialPlace): void {
  const launcher = path.join(state, 'hook.sh');
  const records = path.join(base, 'records');
  const real = `${launcher}.real`;
  mkdirSync(records);
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

/** Keeps what the client wrote to the hooks and heard, without the folders of this machine. */
export function keepRecords(name: string, { base }: TrialPlace): void {
  const folder = path.join(repository, 'out/clients');
  const records = path.join(base, 'records');
  mkdirSync(folder, { recursive: true });
  const read = (file: string): string => readFileSync(path.join(records, file), 'utf8').replaceAll(base, '');
  const calls = readdirSync(records)
    .filter((file) => file.endsWith('.code'))
    .map((file) => file.slice(0, -'.code'.length))
    .map((file) => ({ input: read(`${file}.in`), code: read(`${file}.code`).trim(), output: read(`${file}.out`) }));
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(calls, null, 2));
}
