import { spawn } from 'node:child_process';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { Trouble } from '../say.js';
import { parts, repository } from './place.js';
import { prepareProfile } from './profile.js';

/** VS Code's server, running on 127.0.0.1 and open only to who knows its token. */
export interface WebEditor {
  /** Address of the editor for a folder or a `.code-workspace` file. `payload` names extensions under development and their tests. */
  address(target: string, payload?: readonly (readonly [string, string])[]): string;
  /** A path of this machine as the page has to name it. */
  remote(file: string): string;
  /** What the server has printed so far. */
  log(): string;
  /** Resolves with a sentence once the server has ended by itself. */
  readonly ended: Promise<string>;
  /** Ends the server and everything it started. */
  stop(): Promise<void>;
}

/** How a web editor is started. */
export interface WebEditorOptions {
  /** Folder for the profile, the extensions and the server's own files. */
  readonly profile: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly env?: NodeJS.ProcessEnv;
  /** `tests`: a page may name extensions under development, and tests to run. */
  readonly purpose: 'use' | 'tests';
  /** Vendors of models, besides Lacuna's own, that the chat offers. */
  readonly models?: readonly string[];
  /** 0, the default: any free port. */
  readonly port?: number;
}

/** The server is installed without TypeScript, and complains where a script is opened; ours is as good. */
const LANGUAGES = { 'js/ts.tsdk.path': path.join(repository, 'node_modules/typescript/lib') };

/** Starts the server and waits until it listens, for at most 30 seconds. */
export async function startWebEditor(options: WebEditorOptions): Promise<WebEditor> {
  const userData = path.join(options.profile, 'data');
  prepareProfile(userData, { ...LANGUAGES, ...options.settings }, options.models);
  const token = randomBytes(24).toString('hex');
  const server = spawn(
    parts.node,
    [
      parts.server,
      ...['--host', '127.0.0.1', '--port', String(options.port ?? 0), '--connection-token', token],
      ...['--user-data-dir', userData, '--extensions-dir', extensionsFolder(options.profile)],
      ...['--server-data-dir', path.join(options.profile, 'server'), '--telemetry-level', 'off'],
      '--accept-server-license-terms',
      ...(options.purpose === 'tests' ? ['--enable-smoke-test-driver'] : []),
    ],
    { env: options.env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  let log = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = new Promise<string>((resolve) => {
    server.on('error', (error) => resolve(`The web editor could not be started: ${error.message}`));
    server.on('exit', (code) => resolve(`The web editor ended (${code}).\n${log.slice(-2000)}`));
  });
  const stop = async (): Promise<void> => {
    if (server.exitCode === null && server.signalCode === null) kill(server.pid, 'SIGTERM');
    const late = setTimeout(() => kill(server.pid, 'SIGKILL'), 5000);
    await ended;
    clearTimeout(late);
  };
  process.once('exit', () => {
    if (server.exitCode === null && server.signalCode === null) kill(server.pid, 'SIGTERM');
  });
  const port = await listening(() => log, ended, stop);

  return {
    address: (target, payload = []) => {
      const query = new URLSearchParams({ tkn: token });
      query.set(target.endsWith('.code-workspace') ? 'workspace' : 'folder', target);
      if (payload.length > 0) query.set('payload', JSON.stringify([...payload, ['skipWelcome', 'true']]));
      return `http://127.0.0.1:${port}/?${query.toString()}`;
    },
    remote: (file) => `vscode-remote://127.0.0.1:${port}${encodeURI(path.resolve(file))}`,
    log: () => log,
    ended,
    stop,
  };
}

/** Where the extensions of a profile are. */
export const extensionsFolder = (profile: string): string => path.join(profile, 'extensions');

async function listening(log: () => string, ended: Promise<string>, stop: () => Promise<void>): Promise<number> {
  const gone = ended.then((why) => {
    throw new Trouble(why);
  });
  const untilMs = Date.now() + 30_000;
  while (Date.now() < untilMs) {
    const port = /Web UI available at http:\/\/localhost:(\d+)/.exec(log())?.[1];
    if (port !== undefined) return Number(port);
    await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 50))]);
  }
  await stop();
  throw new Trouble(`The web editor did not listen within 30 s.\n${log().slice(-2000)}`);
}

/** Signals the whole group: the server's extension hosts and terminals are its children. */
function kill(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
