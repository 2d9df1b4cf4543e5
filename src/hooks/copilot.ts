import { parseClaudeForm } from './claudeForm.js';
import type { HookDialect } from './hookEvent.js';
import { copilotForm } from './refusal.js';
import { blocked, json, SILENT } from './replies.js';

/**
 * Copilot CLI: top-level keys; a denied call ends with exit 2 too, which it takes as a block. Its older form names no event:
 * one with a tool and a result is the one after the call.
 */
export const copilot: HookDialect = {
  parse(input) {
    const hasResult = typeof input === 'object' && input !== null && 'toolResult' in input;
    const hasTool = typeof input === 'object' && input !== null && 'toolName' in input;
    return parseClaudeForm(input, hasResult ? 'postToolUse' : hasTool ? 'preToolUse' : null);
  },
  reply(event, answer) {
    if (event.type !== 'before-tool' || answer.verdict === 'none') return SILENT;
    return answer.verdict === 'deny' ? blocked(copilotForm(answer), answer.reason) : json(copilotForm(answer));
  },
};
