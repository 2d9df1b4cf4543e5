import { parseClaudeForm } from './claudeForm.js';
import type { HookDialect } from './hookEvent.js';
import { copilotForm } from './refusal.js';
import { blocked, json, SILENT } from './replies.js';

/** Keys by which an event without a name is known: its older form names none. Of several the first counts. */
const EVENTS: readonly (readonly [string, string])[] = [
  ['toolResult', 'postToolUse'],
  ['toolName', 'preToolUse'],
  ['prompt', 'userPromptSubmitted'],
  ['source', 'sessionStart'],
  ['reason', 'sessionEnd'],
];

/** Copilot CLI: top-level keys; a denied call ends with exit 2 too, which it takes as a block. */
export const copilot: HookDialect = {
  asks: true,
  parse(input) {
    const keys = typeof input === 'object' && input !== null ? Object.keys(input) : [];
    return parseClaudeForm(input, EVENTS.find(([key]) => keys.includes(key))?.[1] ?? null);
  },
  reply(event, answer) {
    if (event.type !== 'before-tool' || answer.verdict === 'none') return SILENT;
    return answer.verdict === 'deny' ? blocked(copilotForm(answer), answer.reason) : json(copilotForm(answer));
  },
};
