import { parseClaudeForm } from './claudeForm.js';
import type { HookDialect } from './hookEvent.js';
import { geminiForm } from './refusal.js';
import { blocked, json, SILENT, withoutAsk } from './replies.js';

/** Gemini CLI: `decision` on exit 0, without "ask"; exit 2 blocks with the text of standard error. */
export const gemini: HookDialect = {
  asks: false,
  parse: (input) => parseClaudeForm(input, null),
  reply(event, given) {
    const answer = withoutAsk(given);
    if (event.type !== 'before-tool' || answer.verdict === 'none') return SILENT;
    return answer.verdict === 'allow' ? json(geminiForm(answer)) : blocked(geminiForm(answer), answer.reason);
  },
};
