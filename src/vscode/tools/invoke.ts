import * as vscode from 'vscode';
import { answerFor, malformedAnswer } from '../../core/agent/answer.js';
import { DEFAULT_LIMITS } from '../../core/agent/limits.js';
import { inFolders } from '../../core/agent/folders.js';
import { kindOfTool, readCall, type ReadCall } from '../../core/agent/tools.js';
import { bug } from '../../core/bug.js';
import type { AgentHost } from '../agent/host.js';
import { signalOf } from '../cancel.js';
import { openFolders } from '../folders.js';
import { proposalWords } from '../words.js';

const { t } = vscode.l10n;
export type Invocation = vscode.LanguageModelToolInvocationOptions<Record<string, unknown>>;

/** What the editor shows while a call of this tool goes on. */
export function describe(name: string, input: Record<string, unknown>): vscode.PreparedToolInvocation {
  const kind = kindOfTool(name) ?? bug(`no kind behind ${name}`);
  const read = readCall(kind, input);
  return read.ok ? { invocationMessage: t('Lacuna: {0}', proposalWords(read.value.proposal)) } : {};
}

/** Takes a call through the gate and tells the agent what came of it. */
export async function invoke(
  name: string,
  options: Invocation,
  token: vscode.CancellationToken,
  host: AgentHost,
): Promise<vscode.LanguageModelToolResult> {
  const kind = kindOfTool(name) ?? bug(`no kind behind ${name}`);
  const read = readCall(kind, options.input);
  const text = read.ok
    ? await placedThroughTheGate(read.value, host.announced.take(name, options.input), options, token, host)
    : malformedAnswer(read.error.issues, 'Correct it and call again.');
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}

function placedThroughTheGate(
  call: ReadCall,
  session: string | null,
  options: Invocation,
  token: vscode.CancellationToken,
  host: AgentHost,
): Promise<string> {
  const placed = inFolders(call.proposal, openFolders());
  return placed.ok
    ? throughTheGate({ ...call, proposal: placed.value }, session, options, token, host)
    : Promise.resolve(malformedAnswer([placed.error], 'Correct it and call again.'));
}

async function throughTheGate(
  { proposal, why }: ReadCall,
  session: string | null,
  { toolInvocationToken }: Invocation,
  token: vscode.CancellationToken,
  host: AgentHost,
): Promise<string> {
  const { signal, close } = signalOf(token);
  try {
    const { gate } = await host.sessions.use(session ?? host.toolSession);
    // The editor does not tell a tool which agent calls it, nor for which request.
    const origin = { agent: 'vscode', subagent: null, request: '', requestId: null };
    const lacuna = gate.open({ proposal, origin, parentId: null, depth: 0, description: why, planStep: null });
    const pass = (): ReturnType<typeof gate.pass> => gate.pass(lacuna, signal, { output: () => undefined });
    const passed = await host.tokens.during(lacuna.id, toolInvocationToken, pass);
    const marker = `DATA-${host.ids.next().slice(0, 8)}`;
    return answerFor(proposal, passed, { marker, characters: DEFAULT_LIMITS.resultCharacters });
  } catch (error) {
    // A session that cannot be opened, or a bug of ours: nothing was decided, so nothing was done.
    host.report(error);
    const said = error instanceof Error ? error.message : String(error);
    return `NOT DONE: Lacuna could not decide (${said}). Nothing was done. Tell the person; do not try it another way.`;
  } finally {
    close();
  }
}
