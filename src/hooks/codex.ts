import { parseClaudeForm } from './claudeForm.js';
import type { HookDialect } from './hookEvent.js';
import { blocked, hookSpecificOutput, json, SILENT, withoutAsk } from './replies.js';

/** Codex CLI: the form of Claude Code without unknown keys and without "ask"; a changed input is heard only beside an "allow". */
export const codex: HookDialect = {
  parse: (input) => parseClaudeForm(input, null),
  reply(event, given) {
    const answer = withoutAsk(given);
    if (event.type !== 'before-tool' || answer.verdict === 'none') return SILENT;
    return answer.verdict === 'deny'
      ? blocked(hookSpecificOutput(answer), answer.reason)
      : json(hookSpecificOutput(answer));
  },
};
