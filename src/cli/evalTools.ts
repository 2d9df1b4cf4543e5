/** A step of a trace, before it is parsed. */
export interface TraceStepDraft {
  readonly kind: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly actor?: string;
  readonly answer?: string;
  readonly result?: { readonly content: string };
}

type Fields = ReadonlyMap<string, unknown>;

const text = (fields: Fields, name: string): string => {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
};

const fieldsOf = (value: unknown): Fields =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);

const SHELLS: ReadonlyMap<string, string> = new Map([
  ['bash', 'bash'],
  ['shell', 'bash'],
  ['terminal', 'bash'],
  ['run', 'bash'],
  ['execute_bash', 'bash'],
  ['exec', 'bash'],
  ['powershell', 'powershell'],
  ['pwsh', 'powershell'],
  ['cmd', 'cmd'],
]);

/** Tools that end a run or take a note: nothing on the machine is touched. */
const NO_ACTION: ReadonlySet<string> = new Set([
  'submit',
  'think',
  'finish',
  'todo',
  'todowrite',
  'user_message',
  'Complete',
]);

/** Text that a corpus did not record. One that is not the same twice, since the real ones were not. */
const unrecorded = (what: string, at: number): string => `(${what} ${at} was not recorded)`;

interface Draft {
  readonly kind: string;
  readonly params: Readonly<Record<string, unknown>>;
}

type Tool = (params: Fields, at: number) => Draft | null;

const readTool: Tool = (params) => {
  const path = text(params, 'path') || text(params, 'file_path');
  return path === '' ? null : { kind: 'ReadFile', params: { path } };
};

const writeTool: Tool = (params) => {
  const path = text(params, 'path') || text(params, 'file_path');
  return path === '' ? null : { kind: 'WriteFile', params: { path, content: text(params, 'content') } };
};

const editTool: Tool = (params, at) => {
  const path = text(params, 'path') || text(params, 'file_path');
  if (path === '') return null;
  const content = text(params, 'content');
  const oldText = text(params, 'old');
  if (oldText === '' && content !== '') return { kind: 'WriteFile', params: { path, content } };
  const edit = {
    oldText: oldText || unrecorded('passage', at),
    newText: text(params, 'new') || content || unrecorded('text', at),
  };
  return { kind: 'EditFile', params: { path, edits: [edit] } };
};

const fetchTool: Tool = (params) => {
  const url = text(params, 'url') || text(params, 'action');
  if (!/^https?:/.test(url)) return null;
  const body = text(params, 'body');
  const method = (text(params, 'method') || 'GET').toUpperCase();
  return { kind: 'HttpRequest', params: { url, method, ...(body === '' ? {} : { body }) } };
};

const searchTool: Tool = (params) => {
  const query = text(params, 'pattern') || text(params, 'query');
  const path = text(params, 'path');
  return query === ''
    ? null
    : { kind: 'SearchFiles', params: { query, ...(path === '' ? {} : { path }), isRegex: true } };
};

const listTool: Tool = (params) => {
  const pattern = text(params, 'pattern');
  const path = text(params, 'path') || '.';
  return { kind: 'ListFiles', params: { path, recursive: true, ...(pattern === '' ? {} : { pattern }) } };
};

const pythonTool: Tool = (params) => {
  const code = text(params, 'code');
  return code === ''
    ? null
    : { kind: 'ExecuteShell', params: { command: `python3 - <<'LACUNA_END'\n${code}\nLACUNA_END` } };
};

/** Editing commands that some agents write as one line: `str_replace_editor view /a`, `open "f.py" 10`, `create f.py`. */
const lineTool: Tool = (params, at) => {
  const line = text(params, 'raw');
  const [, verb = '', path = ''] = /^(?:str_replace_editor\s+)?(\w+)\s+"?([^\s"]+)/.exec(line) ?? [];
  if (verb === 'view' || verb === 'open') return { kind: 'ReadFile', params: { path } };
  if (verb === 'create') return { kind: 'WriteFile', params: { path, content: '' } };
  if (verb === 'find_file') return { kind: 'ListFiles', params: { path: '.', recursive: true, pattern: path } };
  if (verb === 'str_replace' || verb === 'insert' || verb === 'undo_edit')
    return editTool(new Map([['path', path]]), at);
  return null;
};

const TOOLS: ReadonlyMap<string, Tool> = new Map([
  ['read', readTool],
  ['write', writeTool],
  ['edit', editTool],
  ['fetch', fetchTool],
  ['webfetch', fetchTool],
  ['browser', fetchTool],
  ['get_webpage', fetchTool],
  ['grep', searchTool],
  ['glob', listTool],
  ['python', pythonTool],
  ['str_replace_editor', lineTool],
  ['open', lineTool],
  ['create', lineTool],
  ['find_file', lineTool],
]);

function draftOf(tool: string, params: Fields, at: number): Draft {
  const shell = SHELLS.get(tool);
  const command = text(params, 'command');
  if (shell !== undefined && command !== '') {
    return { kind: 'ExecuteShell', params: { command, ...(shell === 'bash' ? {} : { shell }) } };
  }
  const known = TOOLS.get(tool)?.(params, at) ?? null;
  return known ?? { kind: 'CallTool', params: { tool: tool || 'unnamed', input: Object.fromEntries(params) } };
}

/** A step of a sequence in the corpora's own words, `{tool, params, output}`; null for one that does nothing on the machine. */
export function toolStep(step: unknown, at: number): TraceStepDraft | null {
  const fields = fieldsOf(step);
  const tool = text(fields, 'tool');
  const params = fieldsOf(fields.get('params'));
  if (NO_ACTION.has(tool) || (tool === 'edit' && params.has('raw'))) return null;
  const output = fields.get('output');
  return {
    ...draftOf(tool, params, at),
    ...(typeof output === 'string' ? { result: { content: output } } : {}),
  };
}

const FILE = /(?:^|[\s"'=])(\/(?:[\w.@+-]+\/)+[\w.@+-]*)/g;

/** Folders of the machine, of temporary files and of settings: no one's workspace. */
const SYSTEM =
  /^\/(?:private\/)?(?:tmp|usr|etc|dev|bin|sbin|lib\w*|opt|var|proc|sys|boot|run|srv|root|System|Library|Applications)(?:\/|$)|\/\./;

/**
 * The folder that a recorded session worked in: the deepest one that most of its absolute paths lie in; null when they tell
 * nothing. Paths of the system and of temporary folders do not count.
 */
export function workspaceOf(
  steps: readonly TraceStepDraft[],
): { readonly workspace: string; readonly home: string; readonly platform?: 'darwin' } | null {
  const counts = new Map<string, number>();
  let total = 0;
  for (const { kind, params } of steps) {
    const texts = [params['path'], kind === 'ExecuteShell' ? params['command'] : ''].filter(
      (value) => typeof value === 'string',
    );
    for (const [, path = ''] of texts.join(' ').matchAll(FILE)) {
      if (SYSTEM.test(path)) continue;
      total += 1;
      const parts = path.split('/').slice(1, -1);
      for (let depth = 1; depth <= parts.length; depth++) {
        const folder = `/${parts.slice(0, depth).join('/')}`;
        counts.set(folder, (counts.get(folder) ?? 0) + 1);
      }
    }
  }
  const deepestOf = (share: number): string | undefined =>
    [...counts]
      .filter(([folder, count]) => count >= total * share && !/^\/(?:Users|home)(?:\/[^/]+)?$/.test(folder))
      .map(([folder]) => folder)
      .sort((a, b) => b.length - a.length)[0];
  // A folder below the root may hold most of the files by chance; nearly all of them lie in the root only.
  const workspace = deepestOf(0.97) ?? deepestOf(0.8);
  if (workspace === undefined) return null;
  const home = /^\/(?:Users|home)\/[^/]+/.exec(workspace)?.[0] ?? '/root';
  return home.startsWith('/Users/') ? { workspace, home, platform: 'darwin' } : { workspace, home };
}
