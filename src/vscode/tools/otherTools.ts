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

/** Whether a tool of the editor is one of Lacuna's own, also by way of its own server. */
export const isOwn = ({ name }: vscode.LanguageModelToolInformation): boolean =>
  name.startsWith('lacuna_') || name.startsWith('mcp_lacuna_lacuna_');

/** Most characters of a server's name that the editor puts before the names of its tools. */
const MOST_SERVER = 13;

/** A server's name as the editor puts it before the names of its tools: `mcp_<server>_<tool>`. Source: VS Code 1.139, McpPrefixGenerator. */
const shortName = (server: string): string =>
  server
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '_')
    .slice(0, MOST_SERVER);

/** The tool of that name; with a server, the one that this server offers. */
function find(tool: string, server: string | undefined): vscode.LanguageModelToolInformation | null {
  const wanted = server === undefined ? [tool] : [`mcp_${shortName(server)}_${tool}`, `mcp__${server}__${tool}`];
  return vscode.lm.tools.find((one) => wanted.includes(one.name) && !isOwn(one)) ?? null;
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
    // A tool says by throwing that it failed or that the input does not fit. That it was cancelled, though we did not, is the
    // person's no to a question that the editor or the tool itself has asked.
    if (error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'Canceled'))
      return { text: 'The person said no to the question that the tool asked.', isError: true };
    return { text: error instanceof Error ? error.message : String(error), isError: true };
  } finally {
    cancel.removeEventListener('abort', stop);
    source.dispose();
  }
}

function textOf(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return JSON.stringify(part.value);
  // Pictures and the like. Their class is younger than the oldest editor that we run in.
  const isData = typeof part === 'object' && part !== null && 'mimeType' in part && 'data' in part;
  if (!isData || typeof part.mimeType !== 'string' || !(part.data instanceof Uint8Array))
    return '[a part that is no text]';
  const isText = /^text\/|[/+]json$/.test(part.mimeType);
  return isText ? Buffer.from(part.data).toString('utf8') : `[${part.mimeType}, ${part.data.byteLength} bytes]`;
}
