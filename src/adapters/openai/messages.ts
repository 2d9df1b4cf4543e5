import type { ChatCompletionMessageParam, ChatCompletionFunctionTool } from 'openai/resources/chat/completions';
import type { Message, ToolCall, ToolSpec } from '../../core/agent/brain.js';

/** A conversation in the words of the chat completions API. */
export const toWire = (messages: readonly Message[]): ChatCompletionMessageParam[] => messages.flatMap(one);

function one(message: Message): ChatCompletionMessageParam[] {
  switch (message.role) {
    case 'rules':
      return [{ role: 'system', content: message.text }];
    case 'person':
      return [{ role: 'user', content: message.text }];
    case 'brain': {
      const calls = message.calls.map((call) => ({
        id: call.id,
        type: 'function' as const,
        function: { name: call.name, arguments: argumentsOf(call) },
      }));
      // Some servers refuse an empty list of calls, some an empty content beside calls.
      return [
        {
          role: 'assistant',
          content: message.text === '' && calls.length > 0 ? null : message.text,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
      ];
    }
    case 'answers':
      return message.answers.map(({ callId, text }) => ({ role: 'tool', tool_call_id: callId, content: text }));
  }
}

/** Servers read the arguments of earlier calls again, so a malformed one goes back wrapped in valid JSON. */
const argumentsOf = ({ input }: ToolCall): string =>
  JSON.stringify(input.ok ? input.value : { unreadable: input.error.raw });

/** Functions in the words of the API. */
export const toolsToWire = (tools: readonly ToolSpec[]): ChatCompletionFunctionTool[] =>
  tools.map(({ name, description, schema }) => ({
    type: 'function',
    function: { name, description, parameters: { ...schema } },
  }));
