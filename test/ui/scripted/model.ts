import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { build } from 'esbuild';
import { createVSIX } from '@vscode/vsce';
import { repository } from '../../../scripts/host/place.js';
import type { ChatRequest, Reply, Turn } from './turn.js';

/** One call that the scripted model makes. */
export type ScriptedCall = Extract<Reply, { call: object }>['call'];

interface Part {
  readonly marker: string;
  readonly calls: readonly ScriptedCall[];
  results: readonly string[];
  readonly end: () => void;
}

/**
 * The test's end of the scripted model: listens on 127.0.0.1, hands out the calls of a part one by one, and keeps what the tools
 * gave back. A conversation is known by a marker that stands in what the person, or the agent above, asked for.
 */
export class ScriptedModel {
  readonly #server: Server;
  readonly #parts: Part[] = [];
  readonly #requests: ChatRequest[] = [];
  #waiting: ((request: ChatRequest) => void) | null = null;
  /** Names of the tools that the agent was last given. */
  tools: readonly string[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async listen(): Promise<ScriptedModel> {
    const server = createServer();
    const model = new ScriptedModel(server);
    server.on('request', (request, response) => {
      void model.#answer(request.url ?? '', request).then((reply) => response.end(JSON.stringify(reply)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get address(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Has the built-in agent make these calls in a new chat. Resolves, at its end, with what each tool gave back. */
  async ask(request: string, calls: readonly ScriptedCall[]): Promise<readonly string[]> {
    const done = this.plan(request, calls);
    this.#requests.push({ query: request });
    this.#handOut();
    return await done;
  }

  /** What a sub-agent, known by its task, will do. Resolves as {@link ask} does. */
  plan(marker: string, calls: readonly ScriptedCall[]): Promise<readonly string[]> {
    return new Promise((resolve) => {
      const part: Part = { marker, calls, results: [], end: () => resolve(part.results) };
      this.#parts.push(part);
    });
  }

  async #answer(url: string, request: IncomingMessage): Promise<Reply | ChatRequest> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (url === '/request')
      return await new Promise((resolve) => {
        this.#waiting = resolve;
        this.#handOut();
      });
    return this.#turn(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Turn);
  }

  #handOut(): void {
    const next = this.#waiting === null ? undefined : this.#requests.shift();
    if (next === undefined) return;
    this.#waiting?.(next);
    this.#waiting = null;
  }

  #turn({ messages, tools }: Turn): Reply {
    // Without tools the editor wants a title or a summary, not work.
    if (tools.length === 0) return { text: 'A title' };
    this.tools = tools;
    const asked = messages.filter(({ isUser, results }) => isUser && results.length === 0).map(({ text }) => text);
    const part = this.#parts.findLast(({ marker }) => asked.some((text) => text.includes(marker)));
    if (part === undefined) return { text: 'Nothing is planned for this.' };
    part.results = messages.flatMap(({ results }) => results);
    const call = part.calls[part.results.length];
    if (call !== undefined) return { call };
    part.end();
    return { text: 'Done.' };
  }
}

/** Packs the editor's end of the model as an extension. Returns the VSIX file. */
export async function packScriptedModel(): Promise<string> {
  const folder = path.join(repository, 'out/scripted');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const source = path.join(repository, 'test/ui/scripted');
  cpSync(path.join(source, 'package.json'), path.join(folder, 'package.json'));
  await build({
    entryPoints: [path.join(source, 'extension.ts')],
    outfile: path.join(folder, 'extension.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    logLevel: 'warning',
  });
  const vsix = path.join(repository, 'out/scripted.vsix');
  await createVSIX({
    cwd: folder,
    packagePath: vsix,
    dependencies: false,
    allowMissingRepository: true,
    skipLicense: true,
    allowPackageAllSecrets: true,
  });
  return vsix;
}
