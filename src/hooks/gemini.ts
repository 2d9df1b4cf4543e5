import { parseClaudeForm } from './claudeForm.js';
import type { HookAnswer, HookDialect } from './hookEvent.js';
import { blocked, denial, json, SILENT, withoutAsk } from './replies.js';

const answered = (answer: HookAnswer): object => ({
  decision: answer.verdict,
  reason: answer.reason,
  ...(answer.updatedInput === null ? {} : { hookSpecificOutput: { tool_input: answer.updatedInput } }),
});

/** Gemini CLI: `decision` on exit 0, without "ask"; exit 2 blocks with the text of standard error. */
export const gemini: HookDialect = {
  parse: (input) => parseClaudeForm(input, null),
  reply(event, given) {
    const answer = withoutAsk(given);
    if (event.type !== 'before-tool' || answer.verdict === 'none') return SILENT;
    return answer.verdict === 'allow' ? json(answered(answer)) : blocked(answered(answer), answer.reason);
  },
  refuse: (reason) => blocked(answered(denial(reason)), reason),
};
