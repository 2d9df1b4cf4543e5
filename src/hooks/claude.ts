import { parseClaudeForm } from './claudeForm.js';
import type { HookDialect } from './hookEvent.js';
import { blocked, hookSpecificOutput, json, SILENT } from './replies.js';

/** Claude Code: `hookSpecificOutput` on exit 0; exit 2 blocks with the text of standard error; other codes go on. */
export const claude: HookDialect = {
  asks: true,
  parse: (input) => parseClaudeForm(input, null),
  reply(event, answer) {
    if (event.type !== 'before-tool' || answer.verdict === 'none') return SILENT;
    return answer.verdict === 'deny'
      ? blocked(hookSpecificOutput(answer), answer.reason)
      : json(hookSpecificOutput(answer));
  },
};
