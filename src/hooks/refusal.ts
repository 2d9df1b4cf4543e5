import type { HookAgent, HookAnswer, HookReply } from './hookEvent.js';
import { blocked, denial, hookSpecificOutput, json } from './replies.js';

/** The top-level keys that Copilot reads. */
export const copilotForm = (answer: HookAnswer): object => ({
  permissionDecision: answer.verdict,
  permissionDecisionReason: answer.reason,
  ...(answer.updatedInput === null ? {} : { modifiedArgs: answer.updatedInput }),
});

/**
 * VS Code's built-in agent reads `hookSpecificOutput`, the Agent Host that runs the same plugin only the top-level keys, and takes
 * every exit code but 0 for "go on": so its answer is always exit 0 with both forms.
 */
export const vscodeForm = (answer: HookAnswer): object => ({ ...hookSpecificOutput(answer), ...copilotForm(answer) });

/** The keys that Gemini CLI reads. */
export const geminiForm = (answer: HookAnswer): object => ({
  decision: answer.verdict,
  reason: answer.reason,
  ...(answer.updatedInput === null
    ? {}
    : { hookSpecificOutput: { tool_input: answer.updatedInput }, systemMessage: answer.reason }),
});

/** The keys that Cursor reads. */
export const cursorForm = (answer: HookAnswer): object => ({
  permission: answer.verdict === 'none' ? 'allow' : answer.verdict,
  user_message: answer.reason,
  agent_message: answer.reason,
});

/**
 * What an agent hears when its call could not even be read, or nothing could be decided in time: its own form of "no". Kept apart
 * from the dialects, so that the hook process can say it without loading anything else.
 */
export function refusal(agent: HookAgent, reason: string): HookReply {
  const answer = denial(reason);
  switch (agent) {
    case 'vscode':
      return json(vscodeForm(answer));
    case 'claude':
    case 'codex':
      return blocked(hookSpecificOutput(answer), reason);
    case 'copilot':
      return blocked(copilotForm(answer), reason);
    case 'gemini':
      return blocked(geminiForm(answer), reason);
    case 'cursor':
      return blocked(cursorForm(answer), reason);
  }
}
