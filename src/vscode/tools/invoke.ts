import * as vscode from 'vscode';
import { passToolCall, undecided } from '../../core/agent/passToolCall.js';
import { kindOfTool, readCall } from '../../core/agent/tools.js';
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
  { input, toolInvocationToken }: Invocation,
  token: vscode.CancellationToken,
  host: AgentHost,
): Promise<vscode.LanguageModelToolResult> {
  const { signal, close } = signalOf(token);
  try {
    const { own: gate } = await host.sessions.use(host.announced.take(name, input) ?? host.toolSession);
    // The editor does not tell a tool which agent calls it, nor for which request.
    const origin = { agent: 'vscode', subagent: null, request: '', requestId: null };
    const marker = `DATA-${host.ids.next().slice(0, 8)}`;
    const inItsChat: typeof gate.pass = (lacuna, ...rest) =>
      host.tokens.during(lacuna.id, toolInvocationToken, () => gate.pass(lacuna, ...rest));
    const passage = {
      gate: { open: gate.open.bind(gate), pass: inItsChat },
      folders: openFolders(),
      cancel: signal,
      marker,
    };
    return resultOf(await passToolCall({ tool: name, input, origin }, passage));
  } catch (error) {
    // A session that cannot be opened, or a bug of ours: nothing was decided, so nothing was done.
    host.report(error);
    return resultOf(undecided(error));
  } finally {
    close();
  }
}

const resultOf = (text: string): vscode.LanguageModelToolResult =>
  new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
