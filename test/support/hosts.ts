import type { HookAgent } from '../../src/hooks/hookEvent.js';

/** What a hook process printed and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
}

function parsed(text: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  } catch (error) {
    if (error instanceof SyntaxError) return new Map([['isNoJson', true]]);
    throw error;
  }
}

const STOPS: readonly unknown[] = ['deny', 'ask', 'block'];

/** Whether an answer in the form that VS Code, Claude Code and Codex share stops the call. */
const specific = (answer: ReadonlyMap<string, unknown>): boolean => {
  const inner = answer.get('hookSpecificOutput');
  return STOPS.includes(
    new Map(typeof inner === 'object' && inner !== null ? Object.entries(inner) : []).get('permissionDecision'),
  );
};

/**
 * How each host takes the end of a hook process: whether it stops the call, or puts it to a person. Everything else "goes on".
 * Sources: the hosts' own reference pages, and what their clients did when they were tried.
 */
const HOSTS: Readonly<Record<HookAgent, (ended: Ended) => boolean>> = {
  // Both readers of our plugin must stop: the built-in agent, and the Agent Host, which reads only exit 0 and the top level.
  vscode: ({ code, stdout }) =>
    code === 0 && specific(parsed(stdout)) && STOPS.includes(parsed(stdout).get('permissionDecision')),
  claude: ({ code, stdout }) => code === 2 || (code === 0 && specific(parsed(stdout))),
  codex: ({ code, stdout }) => code === 2 || (code === 0 && /"permissionDecision":"deny"/.test(stdout)),
  copilot: ({ code, stdout }) => code !== 0 || STOPS.includes(parsed(stdout).get('permissionDecision')),
  gemini: ({ code, stdout }) => code === 2 || (code === 0 && /"decision":"(deny|block)"/.test(stdout)),
  cursor: ({ code, stdout }) => code === 2 || (code === 0 && STOPS.includes(parsed(stdout).get('permission'))),
};

/** Whether the agent's host stops the call, or asks a person first. */
export const isStopped = (agent: HookAgent, ended: Ended): boolean => HOSTS[agent](ended);

/** A call of the agent's shell tool, as the agent writes it to a hook. */
export function shellCall(agent: HookAgent, command: string, cwd: string, session = 's'): object {
  switch (agent) {
    case 'vscode':
      return {
        hook_event_name: 'PreToolUse',
        session_id: session,
        tool_name: 'run_in_terminal',
        tool_input: { command },
        tool_use_id: `call-${command.slice(0, 40)}`,
        cwd,
      };
    case 'claude':
    case 'codex':
      return {
        hook_event_name: 'PreToolUse',
        session_id: session,
        tool_name: 'Bash',
        tool_input: { command },
        tool_use_id: `toolu-${command.slice(0, 40)}`,
        cwd,
      };
    case 'copilot':
      return { sessionId: session, timestamp: 1, cwd, toolName: 'bash', toolArgs: { command } };
    case 'gemini':
      return {
        hook_event_name: 'BeforeTool',
        session_id: session,
        tool_name: 'run_shell_command',
        tool_input: { command },
        cwd,
      };
    case 'cursor':
      return {
        hook_event_name: 'beforeShellExecution',
        conversation_id: session,
        generation_id: 'g',
        workspace_roots: [cwd],
        command,
        cwd,
      };
  }
}
