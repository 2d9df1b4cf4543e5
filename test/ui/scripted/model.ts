import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildTestExtension, packTestExtension } from '../../../scripts/testExtension.js';
import type { Errand, Reply, Report, ScriptedCall, Turn } from './turn.js';

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
  readonly #errands: Errand[] = [];
  #waiting: ((errand: Errand) => void) | null = null;
  readonly #reports = new Map<string, (results: readonly string[]) => void>();
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
    // A participant is given the request without its own name.
    const done = this.plan(request.replace(/^@\w+ /, ''), calls);
    this.#errands.push({ query: request });
    this.#handOut();
    return await done;
  }

  /** Has the extension call these tools side by side, outside any chat. Resolves with what each gave back. */
  invoke(calls: readonly ScriptedCall[]): Promise<readonly string[]> {
    return this.#send((id) => ({ id, invoke: calls }));
  }

  /** Has the extension run a command of the editor. */
  async command(command: string, ...args: readonly unknown[]): Promise<void> {
    await this.#send((id) => ({ id, command, args }));
  }

  /** Changes a setting of the person, also while a dialog is open. */
  async setting(setting: string, value: unknown): Promise<void> {
    await this.#send((id) => ({ id, setting, value }));
  }

  #send(errand: (id: string) => Errand): Promise<readonly string[]> {
    const id = crypto.randomUUID();
    return new Promise((resolve) => {
      this.#reports.set(id, resolve);
      this.#errands.push(errand(id));
      this.#handOut();
    });
  }

  /** What a sub-agent, known by its task, will do. Resolves as {@link ask} does. */
  plan(marker: string, calls: readonly ScriptedCall[]): Promise<readonly string[]> {
    return new Promise((resolve) => {
      const part: Part = { marker, calls, results: [], end: () => resolve(part.results) };
      this.#parts.push(part);
    });
  }

  async #answer(url: string, request: IncomingMessage): Promise<Reply | Errand | object> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (url === '/request')
      return await new Promise((resolve) => {
        this.#waiting = resolve;
        this.#handOut();
      });
    if (url === '/report') {
      const { id, results } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Report;
      this.#reports.get(id)?.(results);
      return {};
    }
    return this.#turn(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Turn);
  }

  #handOut(): void {
    const next = this.#waiting === null ? undefined : this.#errands.shift();
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
export const packScriptedModel = async (): Promise<string> =>
  packTestExtension(await buildTestExtension('scripted', 'test/ui/scripted', ['extension.ts']));
