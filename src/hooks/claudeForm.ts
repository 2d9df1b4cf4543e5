import type { HookEvent, HookOrigin, ToolCall } from './hookEvent.js';
import { fieldsOf, objectAt, outputText, textAt, type Fields } from './fields.js';
import { callTool, proposalsOf } from './tools.js';

/** A parsed event or a sentence that says what is missing. */
export type ParsedEvent = ReturnType<typeof parseClaudeForm>;

const EVENTS: ReadonlyMap<string, string> = new Map([
  ['pretooluse', 'before-tool'],
  ['beforetool', 'before-tool'],
  ['posttooluse', 'after-tool'],
  ['posttoolusefailure', 'after-tool'],
  ['aftertool', 'after-tool'],
  ['userpromptsubmit', 'prompt'],
  ['userpromptsubmitted', 'prompt'],
  ['beforeagent', 'prompt'],
  ['sessionstart', 'session-start'],
  ['sessionend', 'session-end'],
  ['subagentstart', 'subagent-start'],
  ['subagentstop', 'subagent-stop'],
]);

function originOf(fields: Fields): HookOrigin {
  const roots = fields.get('workspace_roots');
  return {
    sessionId: textAt(fields, 'session_id', 'sessionId', 'conversation_id') ?? '',
    cwd: textAt(fields, 'cwd'),
    roots: Array.isArray(roots) ? roots.filter((root) => typeof root === 'string') : [],
    subagent: textAt(fields, 'agent_id', 'agentId', 'subagent_id'),
    callId: textAt(fields, 'tool_use_id', 'toolUseId', 'toolCallId', 'tool_call_id'),
  };
}

/** The call of a tool in an event; null when the event names none. */
export function toolCallOf(fields: Fields): ToolCall | null {
  const tool = textAt(fields, 'tool_name', 'toolName');
  if (tool === null || tool === '') return null;
  const input = objectAt(fields, 'tool_input', 'toolInput', 'toolArgs', 'tool_args');
  // A tool that takes nothing is called with nothing; parameters that are there and cannot be read are not nothing.
  const raw = fields.get('tool_input') ?? fields.get('toolInput') ?? fields.get('toolArgs') ?? fields.get('tool_args');
  if (input === null && raw !== undefined && raw !== null && raw !== '') return null;
  // Gemini CLI says itself whose tool it is.
  const context = fieldsOf(fields.get('mcp_context'));
  const [server, name] = [textAt(context, 'server_name'), textAt(context, 'tool_name')];
  const proposals =
    server === null || name === null ? proposalsOf(tool, input ?? {}) : [callTool(name, input ?? {}, server)];
  return { tool, input: input ?? {}, proposals };
}

/**
 * Reads the event form that Claude Code began and VS Code, Codex, Gemini and Copilot speak with small differences: names in
 * snake or camel case, events in any case. `otherwise` names the event when the input does not, as Copilot's older form.
 */
export function parseClaudeForm(
  input: unknown,
  otherwise: string | null,
): { readonly ok: true; readonly value: HookEvent } | { readonly ok: false; readonly error: string } {
  const fields = fieldsOf(input);
  const name = textAt(fields, 'hook_event_name', 'hookEventName') ?? otherwise;
  if (name === null) return { ok: false, error: 'the hook input names no event' };
  const origin = originOf(fields);
  switch (EVENTS.get(name.toLowerCase())) {
    case 'before-tool': {
      const call = toolCallOf(fields);
      if (call === null) return { ok: false, error: 'the hook input names no tool, or its parameters cannot be read' };
      return { ok: true, value: { ...origin, type: 'before-tool', call } };
    }
    case 'after-tool': {
      const call = toolCallOf(fields);
      if (call === null) return { ok: false, error: 'the hook input names no tool, or its parameters cannot be read' };
      const result =
        fields.get('tool_response') ?? fields.get('toolResult') ?? fields.get('tool_output') ?? fields.get('error');
      const hasFailed =
        name.toLowerCase() === 'posttoolusefailure' ||
        fieldsOf(result).get('error') !== undefined ||
        textAt(fieldsOf(result), 'resultType') === 'failure';
      return { ok: true, value: { ...origin, type: 'after-tool', call, output: outputText(result), hasFailed } };
    }
    case 'prompt':
      return { ok: true, value: { ...origin, type: 'prompt', text: textAt(fields, 'prompt') ?? '' } };
    case 'session-start':
      return { ok: true, value: { ...origin, type: 'session-start' } };
    case 'session-end':
      return { ok: true, value: { ...origin, type: 'session-end' } };
    case 'subagent-start':
      return {
        ok: true,
        value: {
          ...origin,
          type: 'subagent-start',
          name: textAt(fields, 'agent_type', 'agent_name', 'agentName', 'agent_id') ?? 'sub-agent',
        },
      };
    case 'subagent-stop':
      return {
        ok: true,
        value: {
          ...origin,
          type: 'subagent-stop',
          name: textAt(fields, 'agent_type', 'agent_name', 'agentName', 'agent_id') ?? 'sub-agent',
        },
      };
    default:
      return { ok: true, value: { ...origin, type: 'other', name } };
  }
}
