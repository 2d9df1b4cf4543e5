import { parseClaudeForm } from './claudeForm.js';
import type { HookDialect } from './hookEvent.js';
import { vscodeForm } from './refusal.js';
import { json, SILENT } from './replies.js';

/** VS Code's built-in agent, and the Agent Host. `ask` shows VS Code's own dialog, which its "allow all" does not skip. */
export const vscode: HookDialect = {
  asks: true,
  parse: (input) => parseClaudeForm(input, 'PreToolUse'),
  reply: (event, answer) =>
    event.type !== 'before-tool' || answer.verdict === 'none' ? SILENT : json(vscodeForm(answer)),
};
