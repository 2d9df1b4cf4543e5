import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { askEngine } from '../adapters/engine/client.js';
import { enginesFor } from '../adapters/engine/directory.js';
import { thisPlatform } from '../adapters/facts.js';
import { askThrough, mcpServer } from '../adapters/mcpServer.js';
import { stateFolder } from '../adapters/stateFolder.js';
import { passToolCall, undecided } from '../core/agent/passToolCall.js';
import { openSession, type Session } from '../core/gate/openSession.js';
import type { Approver } from '../core/ports.js';
import { questionText } from './askOnTerminal.js';
import { openEngine } from './engine.js';
import { EXIT, only, parseArguments, UsageError, type ExitCode, type Io } from './io.js';

const HELP = `usage: lacuna mcp [--workspace DIR]

A server of the Model Context Protocol on standard input and output: the guarded tools for agents that speak it. An editor window
that has the folder open decides and asks; without one the policy decides here, and the agent's own window is asked where it can.
`;

/** How long a window may take to answer: a person may have to be asked, and then the command runs. */
const WINDOW_TIMEOUT_MS = 3_600_000;

/** `lacuna mcp`: serves until its input ends. */
export async function mcp(args: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments(args, { workspace: 'value', help: 'switch' });
  if (parsed.switches.has('help')) {
    io.out(HELP);
    return EXIT.done;
  }
  const workspace = path.resolve(only(parsed, 'workspace') ?? '.');
  if (!existsSync(workspace) || !statSync(workspace).isDirectory())
    throw new UsageError(`There is no folder ${workspace}.`);
  const guarded = new GuardedCalls(workspace, io.error);
  const server = mcpServer('0.1.0', (tool, input, cancel) => guarded.call(tool, input, cancel));
  guarded.approver = {
    ask: (question, cancel) =>
      cancel.aborted
        ? Promise.resolve({ type: 'nobody', why: 'cancelled' })
        : askThrough(server, questionText(question)),
  };
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
  });
  await server.connect(new StdioServerTransport());
  await ended;
  await guarded.close();
  return EXIT.done;
}

/** Calls of the tools: by a window where one has the folder open, else by a gate of our own, opened at the first call. */
class GuardedCalls {
  readonly #workspace: string;
  readonly #warn: (text: string) => void;
  #opening: Promise<{ readonly session: Session; readonly close: () => Promise<void> }> | null = null;
  readonly #sessionId = `mcp-${crypto.randomUUID()}`;
  approver: Approver = { ask: () => Promise.resolve({ type: 'nobody', why: 'headless' }) };

  constructor(workspace: string, warn: (text: string) => void) {
    this.#workspace = workspace;
    this.#warn = warn;
  }

  async call(tool: string, input: Readonly<Record<string, unknown>>, cancel: AbortSignal): Promise<string> {
    try {
      return (await this.#byWindow(tool, input, cancel)) ?? (await this.#byOurselves(tool, input, cancel));
    } catch (error) {
      return undecided(error);
    }
  }

  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }

  /** Null when no window has the folder open. */
  async #byWindow(tool: string, input: Readonly<Record<string, unknown>>, cancel: AbortSignal): Promise<string | null> {
    const call = JSON.stringify({ sessionId: this.#sessionId, tool, input });
    for (const card of enginesFor(stateFolder(), this.#workspace)) {
      const answer = await askEngine(card, 'mcp', call, WINDOW_TIMEOUT_MS, undefined, cancel);
      if (answer !== null) return answer.stdout;
    }
    return null;
  }

  async #byOurselves(tool: string, input: Readonly<Record<string, unknown>>, cancel: AbortSignal): Promise<string> {
    const { session } = await (this.#opening ??= this.#open());
    const origin = { agent: 'mcp', subagent: null, request: '', requestId: null };
    const marker = `DATA-${crypto.randomUUID().slice(0, 8)}`;
    const folders = { folders: [], platform: thisPlatform(), isThere: existsSync };
    return passToolCall({ tool, input, origin }, { gate: session.gate, folders, cancel, marker });
  }

  async #open(): Promise<{ readonly session: Session; readonly close: () => Promise<void> }> {
    const engine = await openEngine({
      workspace: this.#workspace,
      isHeadless: false,
      approver: { ask: (question, cancel) => this.approver.ask(question, cancel) },
      warn: this.#warn,
    });
    const session = await openSession({ sessionId: this.#sessionId, mode: 'balanced' }, engine);
    return { session, close: () => engine.close() };
  }
}
