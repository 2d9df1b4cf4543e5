import type { ParamsOf } from '../core/lacuna/kinds.js';
import { parseProposal, type Proposal } from '../core/lacuna/lacuna.js';
import { readingsOf } from '../core/lacuna/toolName.js';
import { fieldsOf, numberAt, parseObject, textAt, type Fields } from './fields.js';
import { parsePatch, type PatchedFile } from './patch.js';
import { quoteWord } from '../core/effects/shell/quote.js';

/** The parameters of a tool, read into Lacunas; null when they have not the shape that the tool is known for. */
type Reader = (fields: Fields) => readonly Proposal[] | null;

/** A proposal of a kind, or null when the parameters do not fit it. */
function propose<K extends Proposal['kind']>(
  kind: K,
  params: { readonly [P in keyof ParamsOf[K]]?: unknown },
): Proposal | null {
  const given = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== null));
  const parsed = parseProposal(kind, given);
  return parsed.ok ? parsed.value : null;
}

const all = (...proposals: readonly (Proposal | null)[]): readonly Proposal[] | null => {
  const known = proposals.filter((proposal) => proposal !== null);
  return known.length === proposals.length && known.length > 0 ? known : null;
};

const PATH = [
  'filePath',
  'file_path',
  'path',
  'absolute_path',
  'notebook_path',
  'target_file',
  'dirPath',
  'dir_path',
  'resource_path',
] as const;

const shell: Reader = (fields) => {
  const command = textAt(fields, 'command', 'cmd', 'script', 'bash_command');
  if (command === null) return shellArgv(fields);
  const seconds = numberAt(fields, 'timeout', 'timeout_ms');
  return all(
    propose('ExecuteShell', {
      command,
      cwd: textAt(fields, 'cwd', 'workdir', 'directory', 'dir_path') ?? undefined,
      background: isBackground(fields) ? true : undefined,
      timeoutSeconds: seconds !== null && seconds > 0 ? Math.min(86_400, seconds / 1000) : undefined,
    }),
  );
};

const isBackground = (fields: Fields): boolean =>
  ['isBackground', 'is_background', 'run_in_background', 'detach'].some((name) => fields.get(name) === true) ||
  fields.get('mode') === 'async';

/** What is typed into a shell that runs: a line of it. Typing nothing looks at what was printed. */
const typed: Reader = (fields) => {
  const command = textAt(fields, 'chars', 'input', 'command', 'text') ?? '';
  return command.trim() === '' ? [callTool('get_terminal_output', {})] : all(propose('ExecuteShell', { command }));
};

/** `{"command":["bash","-lc","…"]}`: a program with its arguments, as Codex's shell takes it. */
function shellArgv(fields: Fields): readonly Proposal[] | null {
  const argv = fields.get('command');
  if (!Array.isArray(argv) || !argv.every((word) => typeof word === 'string') || argv.length === 0) return null;
  const command = argv.map(quoteWord).join(' ');
  return all(propose('ExecuteShell', { command, cwd: textAt(fields, 'workdir', 'cwd') ?? undefined }));
}

const readOne: Reader = (fields) => {
  const start = numberAt(fields, 'startLine', 'offset', 'start_line');
  return all(
    propose('ReadFile', {
      path: textAt(fields, ...PATH) ?? undefined,
      startLine: start !== null && start >= 1 ? Math.floor(start) : undefined,
    }),
  );
};

const readMany: Reader = (fields) => {
  const paths = ['paths', 'file_paths', 'include', 'filePaths'].map((name) => fields.get(name)).find(Array.isArray);
  if (paths === undefined) return readOne(fields);
  return all(...paths.map((path: unknown) => propose('ReadFile', { path })));
};

const list: Reader = (fields) => all(propose('ListFiles', { path: textAt(fields, ...PATH) ?? '.' }));

/** Where a search looks: one place, or, as Copilot has it, a text or a list under `paths`. */
function places(fields: Fields, ...names: readonly string[]): readonly unknown[] {
  const many = fields.get('paths');
  if (Array.isArray(many) && many.length > 0) return many;
  return [textAt(fields, 'path', 'dir_path', 'paths', ...names)];
}

const findFiles: Reader = (fields) =>
  all(
    ...places(fields).map((path) =>
      propose('ListFiles', {
        path: path ?? '.',
        recursive: true,
        pattern: textAt(fields, 'pattern', 'query', 'glob_pattern') ?? undefined,
      }),
    ),
  );

const search: Reader = (fields) =>
  all(
    ...places(fields, 'includePattern').map((path) =>
      propose('SearchFiles', { query: textAt(fields, 'pattern', 'query', 'regex') ?? undefined, path }),
    ),
  );

const write: Reader = (fields) =>
  all(
    propose('WriteFile', {
      path: textAt(fields, ...PATH) ?? undefined,
      content: textAt(fields, 'content', 'contents', 'file_text', 'code', 'new_source') ?? undefined,
    }),
  );

/** One passage replaced: the names differ, the shape does not. */
function edit(fields: Fields, path: string | null): Proposal | null {
  const oldText = textAt(fields, 'oldString', 'old_string', 'old_str', 'oldText');
  const newText = textAt(fields, 'newString', 'new_string', 'new_str', 'newText');
  if (path === null || newText === null) return null;
  // An empty old text creates the file, with all agents that have this form.
  return oldText === null || oldText === ''
    ? propose('WriteFile', { path, content: newText })
    : propose('EditFile', { path, edits: [{ oldText, newText }] });
}

const editOne: Reader = (fields) => all(edit(fields, textAt(fields, ...PATH)));

const editMany: Reader = (fields) => {
  const edits = fields.get('replacements') ?? fields.get('edits');
  if (!Array.isArray(edits)) return null;
  const shared = textAt(fields, ...PATH);
  return all(...edits.map((item: unknown) => edit(fieldsOf(item), textAt(fieldsOf(item), ...PATH) ?? shared)));
};

/** The editor tool with a verb inside: `view`, `create`, `str_replace`, `insert`. */
const editorTool: Reader = (fields) => {
  switch (textAt(fields, 'command')) {
    case 'view':
      return readOne(fields);
    case 'create':
      return write(fields);
    case 'str_replace':
      return editOne(fields);
    default:
      return null;
  }
};

/** An edit whose text is a sketch ("…existing code…"): what will stand there is decided later by the host. */
const sketch: Reader = (fields) =>
  all(
    propose('WriteFile', {
      path: textAt(fields, ...PATH) ?? undefined,
      content: textAt(fields, 'code', 'code_edit', 'content', 'newCode', 'new_source') ?? undefined,
    }),
  );

const patch: Reader = (fields) => {
  const text = textAt(fields, 'input', 'patch', 'command', 'diff');
  const files = text === null ? null : parsePatch(text);
  return files === null ? null : all(...files.map(patched).flat());
};

function patched(file: PatchedFile): readonly (Proposal | null)[] {
  const at = file.movedTo ?? file.path;
  const move = file.movedTo === null ? [] : [propose('MoveFile', { from: file.path, to: file.movedTo })];
  switch (file.change) {
    case 'add':
      return [propose('WriteFile', { path: file.path, content: file.content })];
    case 'delete':
      return [propose('DeleteFile', { path: file.path })];
    case 'update':
      return [...move, ...(file.edits.length === 0 ? [] : [propose('EditFile', { path: at, edits: file.edits })])];
  }
}

const remove: Reader = (fields) => all(propose('DeleteFile', { path: textAt(fields, ...PATH) ?? undefined }));
const makeFolder: Reader = (fields) => {
  const path = textAt(fields, ...PATH);
  return path === null ? null : all(propose('ExecuteShell', { command: `mkdir -p ${quoteWord(path)}` }));
};

const fetchPage: Reader = (fields) => {
  const urls = fields.get('urls');
  const list = Array.isArray(urls) ? urls : [textAt(fields, 'url', 'query', 'prompt')];
  return all(
    ...list.map((url: unknown) =>
      propose('HttpRequest', {
        url: typeof url === 'string' ? (/https?:\/\/[^\s)"']+/.exec(url)?.[0] ?? url) : undefined,
        method: 'GET',
      }),
    ),
  );
};

const subagent: Reader = (fields) =>
  all(
    propose('Delegate', {
      goal: textAt(fields, 'prompt', 'message', 'task', 'objective', 'description') ?? undefined,
      // The agents do not say what a sub-agent may do: each of its calls comes through the hook by itself.
      kinds: [
        'ReadFile',
        'ListFiles',
        'SearchFiles',
        'WriteFile',
        'EditFile',
        'DeleteFile',
        'MoveFile',
        'ExecuteShell',
        'HttpRequest',
        'CallTool',
      ],
      budget: {},
    }),
  );

const task: Reader = (fields) => {
  const inner = fieldsOf(fields.get('task'));
  const command = textAt(inner, 'command') ?? textAt(fields, 'command');
  if (command === null) return null;
  const args = inner.get('args');
  const words = Array.isArray(args) ? args.filter((word) => typeof word === 'string').map(quoteWord) : [];
  return all(propose('ExecuteShell', { command: [command, ...words].join(' ') }));
};

/**
 * What the tools of the agents are called and how their parameters read, one list for all agents: where two agents use one name
 * they mean the same. A tool that is not here is a CallTool, which is judged by the shape of its parameters.
 */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  // Shells: VS Code, Claude Code, Copilot, Codex, Gemini, Cursor.
  ...[
    'run_in_terminal',
    'send_to_terminal',
    'bash',
    'powershell',
    'shell',
    'local_shell',
    'exec_command',
    'run_shell_command',
    'run_terminal_cmd',
    'execute_command',
  ].map((name) => [name, shell] as const),
  ...['write_stdin', 'write_bash'].map((name) => [name, typed] as const),
  ['create_and_run_task', task],
  ['run_task', task],
  // Reading.
  ...['read_file', 'read', 'view', 'readfile', 'view_image', 'notebookread', 'copilot_getnotebooksummary'].map(
    (name) => [name, readOne] as const,
  ),
  ['read_many_files', readMany],
  ...['list_dir', 'ls', 'list_directory', 'listdir'].map((name) => [name, list] as const),
  ...['file_search', 'glob', 'find_files'].map((name) => [name, findFiles] as const),
  ...['grep_search', 'grep', 'search_file_content', 'ripgrep', 'rg', 'semantic_search', 'codebase_search'].map(
    (name) => [name, search] as const,
  ),
  // Writing.
  ...['create_file', 'write', 'write_file', 'create', 'create_new_jupyter_notebook'].map(
    (name) => [name, write] as const,
  ),
  ...['str_replace_editor', 'str_replace_based_edit_tool'].map((name) => [name, editorTool] as const),
  ...['replace_string_in_file', 'edit', 'replace', 'str_replace', 'search_replace'].map(
    (name) => [name, editOne] as const,
  ),
  ...['multi_replace_string_in_file', 'multiedit', 'multi_edit'].map((name) => [name, editMany] as const),
  ...['insert_edit_into_file', 'edit_file', 'edit_notebook_file', 'notebookedit'].map(
    (name) => [name, sketch] as const,
  ),
  ['apply_patch', patch],
  ...['delete_file', 'delete'].map((name) => [name, remove] as const),
  ['create_directory', makeFolder],
  // The world outside and other agents.
  ...['fetch_webpage', 'webfetch', 'web_fetch', 'fetch'].map((name) => [name, fetchPage] as const),
  ...[
    'runsubagent',
    'task',
    'agent',
    'subagent',
    'delegate',
    'invoke_agent',
    'codebase_investigator',
    // Codex, Claude Code, Copilot: a new task for a sub-agent, or more of it.
    'spawn_agent',
    'send_input',
    'sendmessage',
    'write_agent',
  ].map((name) => [name, subagent] as const),
]);

/** Whether the name is one that agents give to tools of MCP servers: `mcp__server__tool` or `mcp_server_tool`. */
const isMcp = (tool: string): boolean => readingsOf({ tool }).some(({ server }) => server !== null);

/**
 * A call of a tool that no reader knows. What JSON cannot hold is dropped by the round trip. `server`: what the host says of it;
 * null where only the name may tell.
 */
export function callTool(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  server: string | null = null, // [by the name]
): Proposal {
  const plain = parseObject(JSON.stringify(input)) ?? {};
  // A name that can be read in several ways stays as it is: policy tries them all.
  const [reading, another] = readingsOf(server === null ? { tool } : { tool, server });
  const isClear = reading !== undefined && reading.server !== null && another === undefined;
  const proposal = propose('CallTool', { ...(isClear ? reading : { tool }), input: plain });
  if (proposal !== null) return proposal;
  return { kind: 'CallTool', params: { tool: tool === '' ? 'unnamed' : tool, input: {} } };
}

/**
 * Reads a call of an agent's tool into Lacunas, at least one. A known tool with parameters of an unknown shape is a CallTool too:
 * it is judged by what can be seen of it, and never taken for harmless because of its name.
 */
export function proposalsOf(tool: string, input: Readonly<Record<string, unknown>>): readonly Proposal[] {
  if (isMcp(tool)) return [callTool(tool, input)];
  const reader = READERS.get(tool.toLowerCase().replace(/^(copilot_|functions\.)/, ''));
  const proposals = reader?.(new Map(Object.entries(input))) ?? null;
  return proposals ?? [callTool(tool, input)];
}
