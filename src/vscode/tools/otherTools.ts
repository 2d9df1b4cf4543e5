import * as vscode from 'vscode';
import type { Cancel } from '../../core/cancel.js';
import type { ToolAnswer, Tools } from '../../executors/callTool.js';
import type { InvocationTokens } from './invocationTokens.js';

/** Tools of other extensions and MCP servers, as the editor lists them. Lacuna's own are left out: they have their kinds. */
export const otherTools = (tokens: InvocationTokens): Tools => ({
  call: async ({ tool, server, input }, lacuna, cancel) => {
    const found = find(tool, server);
    if (found === null) return null;
    return invoke(found, input, tokens.of(lacuna), cancel);
  },
});

/** Whether a tool of the editor is one of Lacuna's own. */
export const isOwn = ({ name }: vscode.LanguageModelToolInformation): boolean => name.startsWith('lacuna_');

/** The editor names a tool of an MCP server `mcp_<server>_<tool>`. */
function find(tool: string, server: string | undefined): vscode.LanguageModelToolInformation | null {
  const wanted = server === undefined ? tool : `mcp_${server}_${tool}`;
  return vscode.lm.tools.find((one) => one.name === wanted && !isOwn(one)) ?? null;
}

async function invoke(
  { name }: vscode.LanguageModelToolInformation,
  input: Readonly<Record<string, unknown>>,
  toolInvocationToken: vscode.ChatParticipantToolToken | undefined,
  cancel: Cancel,
): Promise<ToolAnswer> {
  const source = new vscode.CancellationTokenSource();
  const stop = (): void => source.cancel();
  cancel.addEventListener('abort', stop, { once: true });
  try {
    const result = await vscode.lm.invokeTool(name, { input: { ...input }, toolInvocationToken }, source.token);
    return { text: result.content.map(textOf).join('\n'), isError: false };
  } catch (error) {
    // A tool says by throwing that it failed, that the input does not fit, or that the person skipped it.
    return { text: error instanceof Error ? error.message : String(error), isError: true };
  } finally {
    cancel.removeEventListener('abort', stop);
    source.dispose();
  }
}

const textOf = (part: unknown): string => {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return JSON.stringify(part.value);
  return '[a part that is no text]';
};
