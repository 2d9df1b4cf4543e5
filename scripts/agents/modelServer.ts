import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that the scripted model makes, in words that every client understands: it is put into the client's own tool. */
export type WantedCall =
  | { readonly type: 'shell'; readonly command: string; readonly when?: 'background' }
  | { readonly type: 'read'; readonly file: string }
  /** A file written whole by the client's own tool, or by a patch. */
  | { readonly type: 'write'; readonly file: string; readonly content: string }
  /** A task for a sub-agent, which is to make these calls in order. */
  | { readonly type: 'delegate'; readonly calls: readonly WantedCall[] }
  /** A tool of the client that concerns nothing but itself: its list of things to do, say. */
  | { readonly type: 'own' }
  /** A tool of a server, whatever the client puts before its name. */
  | { readonly type: 'tool'; readonly name: string; readonly input: Json };

type Json = Readonly<Record<string, unknown>>;
const record = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};
const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(record) : []);

/** A tool as a client offered it: by name, with the names of its parameters. */
interface Offered {
  readonly name: string;
  readonly parameters: readonly string[];
  /** The group that it is called in; null outside of any. */
  readonly namespace: string | null;
}

/** What a client sent, whatever its protocol. */
interface Turn {
  readonly tools: readonly Offered[];
  /** Results of tools so far, as text. */
  readonly results: readonly string[];
  /** What a person, or an agent for its sub-agent, has said in this conversation. */
  readonly said: string;
}

/** What the model says next. */
type Reply =
  { readonly tool: string; readonly input: Json; readonly namespace?: string | null } | { readonly text: string };

const SHELLS = ['Bash', 'bash', 'shell_command', 'exec_command', 'shell', 'local_shell', 'run_shell_command'];
const READERS = ['Read', 'view', 'read_file', 'read'];
const WRITERS = ['Write', 'create', 'write_file'];
const SUBAGENTS = ['Agent', 'Task', 'spawn_agent', 'invoke_agent', 'task'];
const BACKGROUND = ['run_in_background', 'is_background'];
/** By this a conversation is known as a sub-agent's. */
const SUB_TASK = 'Do the steps of the sub-agent.';

/** Tools that concern the client alone, with what they are given. */
const OWN: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['TaskCreate', { subject: 'a step', description: 'the first step' }],
  ['TodoWrite', { todos: [{ content: 'a step', status: 'pending', activeForm: 'doing a step' }] }],
  ['get_goal', {}],
  ['update_plan', { plan: [{ step: 'a step', status: 'pending' }] }],
  ['write_todos', { todos: [{ description: 'a step', status: 'pending' }] }],
  ['list_bash', {}],
]);

const notThere = (tools: readonly Offered[]): Reply => ({
  text: `There is no tool for this: ${tools.map(({ name }) => name).join(', ')}`,
});

/** The parameters of a tool that it has, of those that one might give it. */
const fitting = ({ parameters }: Offered, given: Json): Json =>
  Object.fromEntries(Object.entries(given).filter(([name]) => parameters.includes(name)));

/** Puts a wanted call into a tool that the client has. */
function callOf(wanted: WantedCall, tools: readonly Offered[]): Reply {
  const oneOf = (names: readonly string[]): Offered | undefined =>
    names.flatMap((name) => tools.filter((tool) => tool.name === name))[0];
  const calling = (tool: Offered | undefined, input: Json): Reply =>
    tool === undefined ? notThere(tools) : { tool: tool.name, input, namespace: tool.namespace };
  switch (wanted.type) {
    case 'tool':
      return calling(
        tools.find(({ name }) => name.endsWith(wanted.name)),
        wanted.input,
      );
    case 'shell':
      return shellCall(oneOf(SHELLS), wanted.command, wanted.when === 'background', tools);
    case 'read': {
      const tool = oneOf(READERS);
      if (tool === undefined) return shellCall(oneOf(SHELLS), `cat ${wanted.file}`, false, tools);
      const { file } = wanted;
      return calling(tool, fitting(tool, { file_path: file, path: file, absolute_path: file, filePath: file }));
    }
    case 'write': {
      const tool = oneOf(WRITERS);
      const { file, content } = wanted;
      const patch = `*** Begin Patch\n*** Add File: ${file}\n+${content}\n*** End Patch`;
      if (tool === undefined) return shellCall(oneOf(SHELLS), `apply_patch <<'EOF'\n${patch}\nEOF`, false, tools);
      return calling(tool, fitting(tool, { file_path: file, path: file, content, file_text: content }));
    }
    case 'delegate': {
      const tool = oneOf(SUBAGENTS);
      const given = { prompt: SUB_TASK, message: SUB_TASK, description: 'the steps', name: 'helper' };
      const kind = { subagent_type: 'general-purpose', agent_type: 'general-purpose', agent_name: 'generalist' };
      return tool === undefined ? notThere(tools) : calling(tool, fitting(tool, { ...given, ...kind }));
    }
    case 'own': {
      const tool = oneOf([...OWN.keys()]);
      return calling(tool, OWN.get(tool?.name ?? '') ?? {});
    }
  }
}

function shellCall(
  tool: Offered | undefined,
  command: string,
  isInBackground: boolean,
  tools: readonly Offered[],
): Reply {
  if (tool === undefined) return notThere(tools);
  const flag = BACKGROUND.find((name) => tool.parameters.includes(name));
  const behind = !isInBackground ? {} : flag !== undefined ? { [flag]: true } : fitting(tool, { mode: 'async' });
  if (tool.parameters.includes('cmd')) return { tool: tool.name, input: { cmd: command, ...behind } };
  const isArgv = tool.name === 'shell' || tool.name === 'local_shell';
  const extra = fitting(tool, { description: 'a step' });
  return {
    tool: tool.name,
    input: { command: isArgv ? ['bash', '-lc', command] : command, ...extra, ...behind },
  };
}

/** A model on 127.0.0.1 that speaks the protocols of Anthropic, OpenAI (both) and Gemini, and makes the wanted calls in order. */
export class ModelServer {
  readonly #server: Server;
  readonly #wanted: readonly WantedCall[];
  /** What each tool gave back, as the model saw it last. */
  results: readonly string[] = [];
  /** The same of the sub-agent. */
  subResults: readonly string[] = [];
  /** Paths that were asked for, for when a client speaks otherwise than expected. */
  readonly asked: string[] = [];

  private constructor(server: Server, wanted: readonly WantedCall[]) {
    this.#server = server;
    this.#wanted = wanted;
  }

  static async listen(wanted: readonly WantedCall[]): Promise<ModelServer> {
    const server = createServer();
    const model = new ModelServer(server, wanted);
    server.on('request', (request, response) => void model.#serve(request, response));
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

  #next({ tools, results, said }: Turn): Reply {
    if (tools.length === 0) return { text: 'A title' };
    const isSub = said.includes(SUB_TASK);
    if (isSub) this.subResults = results;
    else this.results = results;
    const all = isSub ? this.#wanted.flatMap((one) => (one.type === 'delegate' ? one.calls : [])) : this.#wanted;
    const wanted = all[results.length];
    return wanted === undefined ? { text: 'Done.' } : callOf(wanted, tools);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = request.url ?? '';
    this.asked.push(`${request.method ?? ''} ${url}`);
    let body: Json = {};
    try {
      body = record(JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}'));
    } catch (error) {
      this.asked.push(String(error));
    }
    if (url.includes('/messages') && !url.includes('count_tokens'))
      return anthropic(body, response, (turn) => this.#next(turn));
    if (url.includes('/responses')) return responses(body, response, (turn) => this.#next(turn));
    if (url.includes('/chat/completions')) return completions(body, response, (turn) => this.#next(turn));
    if (/generateContent/i.test(url)) return gemini(url, body, response, (turn) => this.#next(turn));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: [], models: [], input_tokens: 1, totalTokens: 1 }));
  }
}

type Next = (turn: Turn) => Reply;
const propertiesOf = (schema: unknown): readonly string[] => Object.keys(record(record(schema)['properties']));
const id = (): string => Math.random().toString(36).slice(2, 12);

function stream(response: ServerResponse, events: readonly (readonly [string | null, Json])[], end = ''): void {
  response.setHeader('content-type', 'text/event-stream');
  for (const [name, data] of events)
    response.write(`${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`);
  response.end(end);
}

function anthropic(body: Json, response: ServerResponse, next: Next): void {
  const results = list(body['messages']).flatMap(({ content }) =>
    list(content)
      .filter(({ type }) => type === 'tool_result')
      .map(({ content: inner }) => textOf(inner)),
  );
  const tools = list(body['tools']).map(({ name, input_schema }) => ({
    name: String(name),
    parameters: propertiesOf(input_schema),
    namespace: null,
  }));
  const said = list(body['messages'])
    .filter(({ role }) => role === 'user')
    .map(({ content }) => saidIn(content))
    .join('\n');
  const reply = next({ tools, results, said });
  const block =
    'text' in reply
      ? { type: 'text', text: reply.text }
      : { type: 'tool_use', id: `toolu_${id()}`, name: reply.tool, input: reply.input };
  const message = {
    id: `msg_${id()}`,
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [] as unknown[],
    stop_reason: null as string | null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const stop_reason = 'text' in reply ? 'end_turn' : 'tool_use';
  if (body['stream'] !== true) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...message, content: [block], stop_reason }));
    return;
  }
  const delta =
    'text' in reply
      ? { type: 'text_delta', text: reply.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(reply.input) };
  stream(response, [
    ['message_start', { type: 'message_start', message }],
    [
      'content_block_start',
      {
        type: 'content_block_start',
        index: 0,
        content_block: 'text' in reply ? { type: 'text', text: '' } : { ...block, input: {} },
      },
    ],
    ['content_block_delta', { type: 'content_block_delta', index: 0, delta }],
    ['content_block_stop', { type: 'content_block_stop', index: 0 }],
    [
      'message_delta',
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
    ],
    ['message_stop', { type: 'message_stop' }],
  ]);
}

function responses(body: Json, response: ServerResponse, next: Next): void {
  const results = list(body['input'])
    .filter(({ type }) => String(type).endsWith('_call_output'))
    .map(({ output }) => textOf(output));
  const offered = (tool: Json, namespace: string | null): Offered => ({
    name: String(tool['name'] ?? tool['type']),
    parameters: propertiesOf(tool['parameters']),
    namespace,
  });
  const tools = list(body['tools']).flatMap((tool) =>
    tool['type'] === 'namespace'
      ? list(tool['tools']).map((inner) => offered(inner, String(tool['name'])))
      : [offered(tool, null)],
  );
  const said = list(body['input'])
    .filter(({ role }) => role === 'user')
    .map(({ content }) => saidIn(content))
    .join('\n');
  const reply = next({ tools, results, said });
  const item =
    'text' in reply
      ? {
          type: 'message',
          id: `msg_${id()}`,
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: reply.text, annotations: [] }],
        }
      : {
          type: 'function_call',
          id: `fc_${id()}`,
          call_id: `call_${id()}`,
          name: reply.tool,
          ...(reply.namespace === undefined || reply.namespace === null ? {} : { namespace: reply.namespace }),
          arguments: JSON.stringify(reply.input),
          status: 'completed',
        };
  const whole = {
    id: `resp_${id()}`,
    object: 'response',
    status: 'completed',
    model: 'scripted',
    output: [item],
    usage: {
      input_tokens: 1,
      input_tokens_details: null,
      output_tokens: 1,
      output_tokens_details: null,
      total_tokens: 2,
    },
  };
  stream(response, [
    ['response.created', { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } }],
    ['response.output_item.added', { type: 'response.output_item.added', output_index: 0, item }],
    ['response.output_item.done', { type: 'response.output_item.done', output_index: 0, item }],
    ['response.completed', { type: 'response.completed', response: whole }],
  ]);
}

function completions(body: Json, response: ServerResponse, next: Next): void {
  const results = list(body['messages'])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => textOf(content));
  const tools = list(body['tools']).map((tool) => ({
    name: String(record(tool['function'])['name']),
    parameters: propertiesOf(record(tool['function'])['parameters']),
    namespace: null,
  }));
  const said = list(body['messages'])
    .filter(({ role }) => role === 'user')
    .map(({ content }) => saidIn(content))
    .join('\n');
  const reply = next({ tools, results, said });
  const call =
    'text' in reply
      ? null
      : {
          index: 0,
          id: `call_${id()}`,
          type: 'function',
          function: { name: reply.tool, arguments: JSON.stringify(reply.input) },
        };
  const message =
    'text' in reply
      ? { role: 'assistant', content: reply.text }
      : { role: 'assistant', content: null, tool_calls: [call] };
  const finish_reason = 'text' in reply ? 'stop' : 'tool_calls';
  const frame = { id: `chatcmpl-${id()}`, created: 1, model: 'scripted' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  if (body['stream'] !== true) {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        ...frame,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason }],
        usage,
      }),
    );
    return;
  }
  const chunk = (delta: Json, reason: string | null): readonly [null, Json] => [
    null,
    { ...frame, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] },
  ];
  stream(
    response,
    [
      chunk(message, null),
      chunk({}, finish_reason),
      [null, { ...frame, object: 'chat.completion.chunk', choices: [], usage }],
    ],
    'data: [DONE]\n\n',
  );
}

function gemini(url: string, body: Json, response: ServerResponse, next: Next): void {
  const results = list(body['contents']).flatMap(({ parts }) =>
    list(parts)
      .filter((part) => 'functionResponse' in part)
      .map((part) => JSON.stringify(part['functionResponse'])),
  );
  const tools = list(body['tools'])
    .flatMap((tool) => list(tool['functionDeclarations']))
    .map((tool) => ({
      name: String(tool['name']),
      parameters: propertiesOf(tool['parametersJsonSchema'] ?? tool['parameters']),
      namespace: null,
    }));
  const said = list(body['contents'])
    .filter(({ role }) => role === 'user')
    .map(({ parts }) => saidIn(parts))
    .join('\n');
  const reply = next({ tools, results, said });
  const part = 'text' in reply ? { text: reply.text } : { functionCall: { name: reply.tool, args: reply.input } };
  const whole = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: 'scripted',
  };
  if (url.includes('streamGenerateContent')) return stream(response, [[null, whole]]);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(whole));
}

/** What stands in a message as text, results of tools left out. */
const saidIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : list(content)
        .map(({ text }) => (typeof text === 'string' ? text : ''))
        .join('\n');

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return (
    list(content)
      .map(({ text }) => (typeof text === 'string' ? text : ''))
      .join('') || JSON.stringify(content ?? '')
  );
}
