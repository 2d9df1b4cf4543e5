import type { HookAgent } from '../hookEvent.js';

/** Ways in which an agent acts, as a person thinks of them. */
export const WAYS = ['shell', 'background', 'edit', 'read', 'mcp', 'sub-agent'] as const;
export type Way = (typeof WAYS)[number];

/** A call that is only asked about, never made. */
export interface Probe {
  readonly way: Way;
  /** What a guard that works says. */
  readonly want: 'stopped' | 'goes-on';
  /** What the agent's host would write to the hook. */
  readonly input: object;
}

/** What is asked about. All but the read would destroy the home folder or the guard, which no policy allows: nobody is asked. */
const FATAL = 'rm -rf ~';

/** The probes of an agent, in its own form, for a workspace folder. `run` tells one self-test from another. */
export function probesOf(agent: HookAgent, workspace: string, run: string): readonly Probe[] {
  const policy = `${workspace}/.lacuna/policy.yaml`;
  const readme = `${workspace}/README.md`;
  const call = caller(agent, workspace, SELF_TEST + run);
  const probes: readonly (Probe | null)[] = [
    { way: 'shell', want: 'stopped', input: call(SHELL[agent], { command: FATAL }) },
    {
      way: 'background',
      want: 'stopped',
      input: call(SHELL[agent], { command: `${FATAL} &`, run_in_background: true }),
    },
    EDIT[agent] === null
      ? null
      : {
          way: 'edit',
          want: 'stopped',
          input: call(EDIT[agent], { file_path: policy, filePath: policy, path: policy, content: 'rules: []' }),
        },
    { way: 'read', want: 'goes-on', input: call(READ[agent], { file_path: readme, filePath: readme, path: readme }) },
    { way: 'mcp', want: 'stopped', input: call('mcp__lacuna_probe__run', { command: FATAL }) },
    { way: 'sub-agent', want: 'stopped', input: { ...call(SHELL[agent], { command: FATAL }), agent_id: 'probe' } },
  ];
  return probes.filter((probe) => probe !== null);
}

const SHELL: Readonly<Record<HookAgent, string>> = {
  vscode: 'run_in_terminal',
  claude: 'Bash',
  codex: 'Bash',
  copilot: 'bash',
  gemini: 'run_shell_command',
  cursor: 'Shell',
};
const EDIT: Readonly<Record<HookAgent, string | null>> = {
  vscode: 'create_file',
  claude: 'Write',
  // Codex edits by patches, which the same hook sees.
  codex: null,
  copilot: 'create',
  gemini: 'write_file',
  cursor: 'Write',
};
const READ: Readonly<Record<HookAgent, string>> = {
  vscode: 'read_file',
  claude: 'Read',
  codex: 'read_file',
  copilot: 'view',
  gemini: 'read_file',
  cursor: 'Read',
};

/** How the sessions of probes are called: they are apart from those of real work. */
const SELF_TEST = 'self-test-';
export const isSelfTest = (sessionId: string): boolean => sessionId.startsWith(SELF_TEST);

function caller(agent: HookAgent, cwd: string, session: string): (tool: string, input: object) => object {
  if (agent === 'copilot')
    return (tool, input) => ({ sessionId: session, timestamp: 0, cwd, toolName: tool, toolArgs: input });
  const shared = {
    hook_event_name: agent === 'gemini' ? 'BeforeTool' : agent === 'cursor' ? 'preToolUse' : 'PreToolUse',
    ...(agent === 'cursor' ? { conversation_id: session, workspace_roots: [cwd] } : { session_id: session }),
    cwd,
  };
  return (tool, input) => ({ ...shared, tool_name: tool, tool_input: input });
}

/** Whether the agent's host would stop the call after a hook process that ended so. */
export function isStoppedBy(
  agent: HookAgent,
  ended: { readonly code: number | null; readonly stdout: string },
): boolean {
  if (ended.code === 2) return true;
  const word = {
    vscode: 'permissionDecision',
    claude: 'permissionDecision',
    codex: 'permissionDecision',
    copilot: 'permissionDecision',
    gemini: 'decision',
    cursor: 'permission',
  }[agent];
  return ended.code === 0 && new RegExp(`"${word}":"(?:deny|ask)"`).test(ended.stdout);
}
