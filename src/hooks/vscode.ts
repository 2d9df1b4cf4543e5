import { parseClaudeForm } from './claudeForm.js';
import type { HookAnswer, HookDialect } from './hookEvent.js';
import { denial, hookSpecificOutput, json, SILENT } from './replies.js';

/**
 * VS Code's built-in agent, and the Agent Host that runs the same plugin. The one reads `hookSpecificOutput`, the other only
 * the top-level keys, and the other takes every exit code but 0 for "go on": so the answer is always exit 0 with both forms.
 * `ask` shows VS Code's own dialog, which its "allow all" does not skip.
 */
const answered = (answer: HookAnswer): object => ({
  ...hookSpecificOutput(answer),
  permissionDecision: answer.verdict,
  permissionDecisionReason: answer.reason,
  ...(answer.updatedInput === null ? {} : { modifiedArgs: answer.updatedInput }),
});

export const vscode: HookDialect = {
  parse: (input) => parseClaudeForm(input, 'PreToolUse'),
  reply: (event, answer) =>
    event.type !== 'before-tool' || answer.verdict === 'none' ? SILENT : json(answered(answer)),
  refuse: (reason) => json(answered(denial(reason))),
};
