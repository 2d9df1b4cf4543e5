import type { Message, ToolCall, ToolSpec } from '../brain.js';
import { PLAN_TOOL, toolName } from '../tools.js';
import type { Plan } from '../../plan/plan.js';

/** What the demonstration wants to do, whatever the functions for it are called. Paths are relative to the workspace. */
export type Wish =
  | { readonly type: 'plan'; readonly plan: Plan }
  | { readonly type: 'list'; readonly path: string }
  | { readonly type: 'read'; readonly path: string }
  | { readonly type: 'search'; readonly query: string }
  | { readonly type: 'edit'; readonly path: string; readonly edits: readonly Edit[] }
  | { readonly type: 'run'; readonly command: string }
  | { readonly type: 'send'; readonly url: string; readonly body: string };

/** A passage and what shall stand in its place. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

/** A function and its arguments. */
export interface Use {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Puts wishes into the functions that are at hand. */
export interface Toolbox {
  /** Whether the guarded functions of Lacuna are at hand: only with them are dangerous things tried. */
  readonly isGuarded: boolean;
  /** Whether the conversation is one of Lacuna's own loop, which wants a plan. */
  readonly hasPlan: boolean;
  /** Whether nothing but a plan is asked for. */
  readonly isPlanOnly: boolean;
  /** Null: nothing here can do it. */
  use(wish: Wish, why: string, step: string | null): Use | null;
  /** The wish behind a call that this toolbox made; null for other calls. */
  wishOf(call: ToolCall): Wish | null;
}

/** Functions of VS Code's own agent that read, edit and run. Source: what its Local harness offers in VS Code 1.139. */
const EDITOR_TOOLS = ['list_dir', 'read_file', 'replace_string_in_file', 'run_in_terminal', 'grep_search'] as const;

/** Looks through the functions on offer: Lacuna's first, else those of VS Code's agent. */
export function toolboxOf(tools: readonly ToolSpec[], messages: readonly Message[]): Toolbox {
  const names = new Set(tools.map(({ name }) => name));
  const isGuarded = names.has(toolName('ReadFile')) && names.has(toolName('ExecuteShell'));
  const hasPlan = names.has(PLAN_TOOL);
  const root = isGuarded || !EDITOR_TOOLS.some((name) => names.has(name)) ? '' : rootIn(messages);
  return {
    isGuarded,
    hasPlan,
    isPlanOnly: hasPlan && tools.length === 1,
    use: (wish, why, step) => {
      const use = guardedUse(wish, why, hasPlan ? step : null);
      if (names.has(use.name)) return use;
      const foreign = root === '' ? null : editorUse(wish, why, root);
      return foreign !== null && names.has(foreign.name) ? foreign : null;
    },
    wishOf: (call) => wishOf(call, root),
  };
}

function guardedUse(wish: Wish, why: string, step: string | null): Use {
  const notes = { why, ...(step === null ? {} : { step }) };
  switch (wish.type) {
    case 'plan':
      return { name: PLAN_TOOL, input: wish.plan };
    case 'list':
      return { name: toolName('ListFiles'), input: { path: wish.path, recursive: true, ...notes } };
    case 'read':
      return { name: toolName('ReadFile'), input: { path: wish.path, ...notes } };
    case 'search':
      return { name: toolName('SearchFiles'), input: { query: wish.query, ...notes } };
    case 'edit':
      return { name: toolName('EditFile'), input: { path: wish.path, edits: wish.edits, ...notes } };
    case 'run':
      return { name: toolName('ExecuteShell'), input: { command: wish.command, ...notes } };
    case 'send':
      return { name: toolName('HttpRequest'), input: { url: wish.url, method: 'POST', body: wish.body, ...notes } };
  }
}

function editorUse(wish: Wish, why: string, root: string): Use | null {
  const path = (relative: string): string => `${root}/${relative}`;
  switch (wish.type) {
    case 'list':
      return { name: 'list_dir', input: { path: wish.path === '.' ? root : path(wish.path) } };
    case 'read':
      return { name: 'read_file', input: { filePath: path(wish.path), startLine: 1, endLine: 2000 } };
    case 'search':
      return { name: 'grep_search', input: { query: wish.query, isRegexp: false } };
    case 'edit': {
      const [first] = wish.edits; // one passage a call; the needless one is left out
      if (first === undefined) return null;
      const input = { filePath: path(wish.path), oldString: first.oldText, newString: first.newText };
      return { name: 'replace_string_in_file', input };
    }
    case 'run':
      return {
        name: 'run_in_terminal',
        input: {
          command: wish.command,
          explanation: why,
          goal: why,
          mode: 'sync',
          isBackground: false,
          timeout: 60_000,
        },
      };
    case 'plan':
    case 'send':
      return null;
  }
}

/** The workspace folder, as VS Code's agent tells it to its model; '' when it does not. */
function rootIn(messages: readonly Message[]): string {
  for (const message of messages) {
    if (message.role !== 'person' && message.role !== 'rules') continue;
    const root = /<workspace_info>[\s\S]*?^\s*- (\/[^\n]+|[A-Za-z]:[^\n]+)$/m.exec(message.text)?.[1];
    if (root !== undefined) return root.trim().replace(/[\\/]$/, '');
  }
  return '';
}

function wishOf({ name, input }: ToolCall, root: string): Wish | null {
  const given = input.ok ? input.value : {};
  const text = (key: string): string => (typeof given[key] === 'string' ? given[key] : '');
  const path = (key: string): string => {
    const full = text(key);
    if (root === '' || !full.startsWith(root)) return full;
    return full === root ? '.' : full.slice(root.length + 1);
  };
  switch (name) {
    case toolName('ListFiles'):
    case 'list_dir':
      return { type: 'list', path: path('path') };
    case toolName('ReadFile'):
      return { type: 'read', path: path('path') };
    case 'read_file':
      return { type: 'read', path: path('filePath') };
    case toolName('SearchFiles'):
    case 'grep_search':
      return { type: 'search', query: text('query') };
    case toolName('EditFile'):
      return { type: 'edit', path: path('path'), edits: (given['edits'] ?? []) as readonly Edit[] };
    case 'replace_string_in_file':
      return {
        type: 'edit',
        path: path('filePath'),
        edits: [{ oldText: text('oldString'), newText: text('newString') }],
      };
    case toolName('ExecuteShell'):
    case 'run_in_terminal':
      return { type: 'run', command: text('command') };
    case toolName('HttpRequest'):
      return { type: 'send', url: text('url'), body: text('body') };
    default:
      return null;
  }
}
