import type { Platform } from '../../core/effects/facts.js';
import type { HookAgent } from '../hookEvent.js';
import { hookCommand, timeoutOf, type HookUse } from './command.js';
import type { WantedHook } from './hookFile.js';
import type { JsonObject } from './jsonText.js';

/** Agents whose hooks are set up in files. VS Code's own agent gets them with the extension. */
export type SetUpAgent = Exclude<HookAgent, 'vscode'>;
export const SET_UP_AGENTS: readonly SetUpAgent[] = ['claude', 'codex', 'copilot', 'gemini', 'cursor'];

/** Where and for what a person sets an agent up. */
export interface SetUpPlace {
  readonly platform: Platform;
  /** Absolute, with `/`. */
  readonly home: string;
  /** Value of an environment variable; null when it is not set. */
  readonly environment: (name: string) => string | null;
  /** The start script in our state folder, as the system writes paths. */
  readonly launcher: string;
}

/** How one agent is set up. */
export interface AgentSetUp {
  /** As people call it. */
  readonly name: string;
  /** Folder of its own configuration: when it is not there, the agent is most likely not installed. */
  readonly folder: (place: SetUpPlace) => string;
  /** File of its hooks, below the folder. */
  readonly hookFile: string;
  /** `own`: the file is ours alone. `shared`: others write it too. */
  readonly ownership: 'own' | 'shared';
  /** Keys that the file needs besides the hooks. */
  readonly frame: JsonObject;
  readonly hooks: (place: SetUpPlace) => readonly WantedHook[];
  /** Where it reads MCP servers from, below the folder. */
  readonly serverFile: string;
  /** What a person has to do besides; empty when nothing. */
  readonly afterwards: string;
}

/** Lists of events, with what each is for. */
const events = (call: string, ...notes: readonly string[]): readonly (readonly [string, HookUse])[] => [
  [call, 'call'],
  ...notes.map((note): readonly [string, HookUse] => [note, 'note']),
];

/** Groups as Claude Code began them: a matcher and a list of hooks. */
const groups = (
  agent: SetUpAgent,
  names: readonly (readonly [string, HookUse])[],
  {
    matcher,
    unitsPerSecond,
    more,
  }: { matcher: string | null; unitsPerSecond: number; more: (use: HookUse) => JsonObject },
): AgentSetUp['hooks'] => {
  return ({ launcher, platform }) =>
    names.map(([event, use]) => ({
      event,
      entry: {
        ...(matcher === null ? {} : { matcher }),
        hooks: [
          {
            type: 'command',
            command: hookCommand(launcher, agent, use, platform),
            timeout: timeoutOf(use) * unitsPerSecond,
            ...more(use),
          },
        ],
      },
    }));
};

const inHome =
  (variable: string | null, folder: string): AgentSetUp['folder'] =>
  ({ home, environment }) =>
    (variable === null ? null : environment(variable)) ?? `${home}/${folder}`;

/** Every agent. Sources: the reference pages of their hooks, and what their clients did when they were tried. */
export const AGENT_SET_UPS: Readonly<Record<SetUpAgent, AgentSetUp>> = {
  claude: {
    name: 'Claude Code',
    folder: inHome('CLAUDE_CONFIG_DIR', '.claude'),
    hookFile: 'settings.json',
    ownership: 'shared',
    frame: {},
    hooks: groups(
      'claude',
      events(
        'PreToolUse',
        'PostToolUse',
        'PostToolUseFailure',
        'UserPromptSubmit',
        'SessionStart',
        'SessionEnd',
        'SubagentStart',
        'SubagentStop',
      ),
      // Without this an agent that cannot start the hook goes on; older versions do not know the key and pass it over.
      { matcher: '*', unitsPerSecond: 1, more: (use) => (use === 'call' ? { onFailure: 'block' } : {}) },
    ),
    serverFile: '../.claude.json',
    afterwards: '',
  },
  codex: {
    name: 'Codex CLI',
    folder: inHome('CODEX_HOME', '.codex'),
    hookFile: 'hooks.json',
    ownership: 'shared',
    frame: {},
    hooks: groups('codex', events('PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart'), {
      matcher: null,
      unitsPerSecond: 1,
      more: () => ({}),
    }),
    serverFile: 'config.toml',
    afterwards:
      'Codex runs a hook only when you have trusted it: start codex, type /hooks, and trust those of Lacuna. Until then nothing is guarded there.',
  },
  copilot: {
    name: 'Copilot CLI',
    folder: inHome('COPILOT_HOME', '.copilot'),
    hookFile: 'hooks/lacuna.json',
    ownership: 'own',
    frame: { version: 1 },
    hooks: ({ launcher, platform }) =>
      events('preToolUse', 'postToolUse', 'userPromptSubmitted', 'sessionStart', 'sessionEnd').map(([event, use]) => ({
        event,
        entry: {
          type: 'command',
          ...(platform === 'win32'
            ? { powershell: `& ${hookCommand(launcher, 'copilot', use, platform)}` }
            : { bash: hookCommand(launcher, 'copilot', use, platform) }),
          timeoutSec: timeoutOf(use),
        },
      })),
    serverFile: 'mcp-config.json',
    afterwards: '',
  },
  gemini: {
    name: 'Gemini CLI',
    folder: ({ home, environment }) => `${environment('GEMINI_CLI_HOME') ?? home}/.gemini`,
    hookFile: 'settings.json',
    ownership: 'shared',
    frame: {},
    hooks: groups('gemini', events('BeforeTool', 'AfterTool', 'BeforeAgent', 'SessionStart', 'SessionEnd'), {
      matcher: null,
      unitsPerSecond: 1000,
      more: () => ({ name: 'lacuna' }),
    }),
    serverFile: 'settings.json',
    afterwards: '',
  },
  cursor: {
    name: 'Cursor',
    folder: inHome(null, '.cursor'),
    hookFile: 'hooks.json',
    ownership: 'shared',
    frame: { version: 1 },
    hooks: ({ launcher, platform }) => [
      ...['beforeShellExecution', 'beforeMCPExecution', 'beforeReadFile'].map((event) =>
        cursorHook(event, 'call', launcher, platform, {}),
      ),
      // Edits have no event of their own before they are done; the others would be judged twice.
      cursorHook('preToolUse', 'call', launcher, platform, {
        matcher: 'Write|Edit|MultiEdit|StrReplace|NotebookEdit|Delete|Task',
      }),
      ...['afterShellExecution', 'afterMCPExecution', 'afterFileEdit', 'beforeSubmitPrompt'].map((event) =>
        cursorHook(event, 'note', launcher, platform, {}),
      ),
    ],
    serverFile: 'mcp.json',
    afterwards: '',
  },
};

const cursorHook = (
  event: string,
  use: HookUse,
  launcher: string,
  platform: Platform,
  more: JsonObject,
): WantedHook => ({
  event,
  entry: {
    command: hookCommand(launcher, 'cursor', use, platform),
    ...more,
    timeout: timeoutOf(use),
    ...(use === 'call' ? { failClosed: true } : {}),
  },
});
