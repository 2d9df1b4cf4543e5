import { parseClaudeForm, toolCallOf } from './claudeForm.js';
import { fieldsOf, textAt, type Fields } from './fields.js';
import type { HookDialect, HookEvent, ToolCall } from './hookEvent.js';
import { cursorForm } from './refusal.js';
import { blocked, json, SILENT, withoutChange } from './replies.js';
import { proposalsOf } from './tools.js';

/** Cursor's events have a name each for the kinds of calls, with the parameters at the top. */
function callOf(name: string, fields: Fields): ToolCall | null {
  const input = Object.fromEntries(fields);
  switch (name) {
    case 'beforeshellexecution':
    case 'aftershellexecution':
      return { tool: 'shell', input, proposals: proposalsOf('shell', input) };
    case 'beforereadfile':
      return { tool: 'read_file', input, proposals: proposalsOf('read_file', input) };
    case 'afterfileedit':
      return { tool: 'multiedit', input, proposals: proposalsOf('multiedit', input) };
    case 'beforemcpexecution':
    case 'aftermcpexecution':
    case 'pretooluse':
    case 'posttooluse':
      return toolCallOf(fields);
    default:
      return null;
  }
}

/** Cursor: `permission` on exit 0; exit 2 blocks. Set up with `failClosed`, since other failures go on. */
export const cursor: HookDialect = {
  asks: true,
  parse(input) {
    const fields = fieldsOf(input);
    const name = (textAt(fields, 'hook_event_name') ?? '').toLowerCase();
    if (name === 'beforesubmitprompt')
      return parseClaudeForm({ ...Object.fromEntries(fields), hook_event_name: 'UserPromptSubmit' }, null);
    const isBefore =
      name === 'pretooluse' || (name.startsWith('before') && name.endsWith('execution')) || name === 'beforereadfile';
    const isAfter = name === 'posttooluse' || name.startsWith('after');
    if (!isBefore && !isAfter) return parseClaudeForm(input, null);
    const call = callOf(name, fields);
    const origin = parseClaudeForm({ ...Object.fromEntries(fields), hook_event_name: 'origin' }, null);
    if (call === null || !origin.ok) return { ok: false, error: `the input of ${name} cannot be read` };
    const { sessionId, cwd, roots, subagent, callId } = origin.value;
    const shared = { sessionId, cwd, roots, subagent, callId, call };
    const event: HookEvent = isBefore
      ? { ...shared, type: 'before-tool' }
      : {
          ...shared,
          type: 'after-tool',
          output: textAt(fields, 'output', 'result_json', 'tool_output') ?? '',
          hasFailed: false,
        };
    return { ok: true, value: event };
  },
  reply(event, given) {
    const answer = withoutChange(given);
    if (event.type !== 'before-tool' || answer.verdict === 'none') return SILENT;
    return answer.verdict === 'deny' ? blocked(cursorForm(answer), answer.reason) : json(cursorForm(answer));
  },
};
