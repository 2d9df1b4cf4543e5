import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import { describeKind, inputSchemaOf, toolName } from '../core/agent/tools.js';
import { KIND_NAMES, KINDS, type Kind } from '../core/lacuna/kinds.js';
import type { Approval } from '../core/ports.js';

/** Kinds without a place here: there is no loop that could take over a task, and no other tools to call. */
const ABSENT: ReadonlySet<Kind> = new Set(['Delegate', 'CallTool']);

/** Does what a tool is called for. Never rejects: what went wrong is said in words for the agent. */
export type CallGuarded = (
  tool: string,
  input: Readonly<Record<string, unknown>>,
  cancel: AbortSignal,
) => Promise<string>;

const toolOf = (kind: Kind): Tool => ({
  name: toolName(kind),
  description: describeKind(kind),
  inputSchema: { ...inputSchemaOf(kind), type: 'object' },
  annotations: {
    readOnlyHint: KINDS[kind].sideEffects === 'none',
    destructiveHint: KINDS[kind].reversibility === 'no',
    openWorldHint: kind === 'HttpRequest',
  },
});

/** Tools of the server, one for each kind: the same schemas that the editor's language-model tools have. */
export const mcpTools = (): readonly Tool[] => KIND_NAMES.filter((kind) => !ABSENT.has(kind)).map(toolOf);

/** A server of the Model Context Protocol that offers the guarded tools. It is not connected yet. */
export function mcpServer(version: string, call: CallGuarded): Server {
  const tools = mcpTools();
  const server = new Server({ name: 'lacuna', version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const text = await call(params.name, params.arguments ?? {}, signal);
    return { content: [{ type: 'text', text }], isError: !/^(?:DONE|PARTLY DONE)/.test(text) };
  });
  return server;
}

/** Asks the person through the agent's own window, where the client can do so; else there is nobody to be asked. */
export async function askThrough(server: Server, text: string): Promise<Approval> {
  if (server.getClientCapabilities()?.elicitation === undefined) return { type: 'nobody', why: 'headless' };
  const { action, content } = await server.elicitInput({
    message: text,
    requestedSchema: {
      type: 'object',
      properties: { allow: { type: 'boolean', title: 'Allow it once', default: false } },
      required: ['allow'],
    },
  });
  return action === 'accept' && content?.['allow'] === true ? { type: 'once' } : { type: 'no', reason: '' };
}
