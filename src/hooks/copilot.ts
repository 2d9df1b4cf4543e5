import { parseClaudeForm } from './claudeForm.js';
import type { HookAnswer, HookDialect } from './hookEvent.js';
import { blocked, denial, json, SILENT } from './replies.js';

const answered = (answer: HookAnswer): object => ({
  permissionDecision: answer.verdict,
  permissionDecisionReason: answer.reason,
  ...(answer.updatedInput === null ? {} : { modifiedArgs: answer.updatedInput }),
});

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
    return answer.verdict === 'deny' ? blocked(answered(answer), answer.reason) : json(answered(answer));
  },
  refuse: (reason) => blocked(answered(denial(reason)), reason),
};
