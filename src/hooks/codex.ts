import { parseClaudeForm } from './claudeForm.js';
import type { HookDialect } from './hookEvent.js';
import { blocked, hookSpecificOutput, json, SILENT, withoutAsk } from './replies.js';

/**
 * Codex CLI: the form of Claude Code without unknown keys and without "ask". An "allow" is heard only beside a changed input; alone
 * Codex takes it for a hook that failed, so that a call to which nothing is said stays without an answer.
 */
export const codex: HookDialect = {
  asks: false,
  parse: (input) => parseClaudeForm(input, null),
  reply(event, given) {
    const answer = withoutAsk(given);
    if (event.type !== 'before-tool' || answer.verdict === 'none') return SILENT;
    if (answer.verdict === 'allow' && answer.updatedInput === null) return SILENT;
    return answer.verdict === 'deny'
      ? blocked(hookSpecificOutput(answer), answer.reason)
      : json(hookSpecificOutput(answer));
  },
};
