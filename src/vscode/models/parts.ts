import * as vscode from 'vscode';
import type { Message, ToolCall, ToolSpec } from '../../core/agent/brain.js';
import { err, ok } from '../../core/result.js';

/**
 * Arguments that are no JSON object cannot pass through the editor's API, which wants an object. They travel under this key,
 * so that whoever reads them sees that they are unreadable, and no schema takes them for arguments.
 */
const UNREADABLE = 'lacuna_unreadable_arguments';

/** Role that agents of the editor use for their standing rules; stable typings name only 1 and 2. */
const SYSTEM_ROLE = 3;

/** A call in the words of the editor. */
export const callPart = ({ id, name, input }: ToolCall): vscode.LanguageModelToolCallPart =>
  new vscode.LanguageModelToolCallPart(id, name, input.ok ? { ...input.value } : { [UNREADABLE]: input.error.raw });

/** A call as the editor hands it on. */
export function callOf({ callId, name, input }: vscode.LanguageModelToolCallPart): ToolCall {
  const given: unknown = input;
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    return { id: callId, name, input: err({ raw: JSON.stringify(given) }) };
  const value = given as Readonly<Record<string, unknown>>;
  const raw = value[UNREADABLE];
  return { id: callId, name, input: typeof raw === 'string' ? err({ raw }) : ok(value) };
}

/** A conversation in the words of the editor. It has no role for rules in its stable API: they go first, as a user's message. */
export function toChat(messages: readonly Message[]): vscode.LanguageModelChatMessage[] {
  const { LanguageModelChatMessage: Chat } = vscode;
  return messages.map((message) => {
    switch (message.role) {
      case 'rules':
      case 'person':
        return Chat.User(message.text);
      case 'brain': {
        const text = message.text === '' ? [] : [new vscode.LanguageModelTextPart(message.text)];
        return Chat.Assistant([...text, ...message.calls.map(callPart)]);
      }
      case 'answers':
        return Chat.User(
          message.answers.map(
            ({ callId, text }) =>
              new vscode.LanguageModelToolResultPart(callId, [new vscode.LanguageModelTextPart(text)]),
          ),
        );
    }
  });
}

/** A conversation that another agent sends to a model of ours. Parts that are no text (images) are left out. */
export function fromChat(messages: readonly vscode.LanguageModelChatRequestMessage[]): readonly Message[] {
  return messages.flatMap(({ role, content }): Message[] => {
    const text = content.map(textOf).join('');
    if (role === vscode.LanguageModelChatMessageRole.Assistant) {
      const calls = content.filter((part) => part instanceof vscode.LanguageModelToolCallPart).map(callOf);
      return [{ role: 'brain', text, calls }];
    }
    const answers = content
      .filter((part) => part instanceof vscode.LanguageModelToolResultPart)
      .map((part) => ({ callId: part.callId, text: part.content.map(textOf).join('') }));
    const said: Message[] = text === '' ? [] : [{ role: Number(role) === SYSTEM_ROLE ? 'rules' : 'person', text }];
    return answers.length > 0 ? [{ role: 'answers', answers }, ...said] : said;
  });
}

/** Text of a part; '' for parts of other sorts. */
export function textOf(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  return part instanceof vscode.LanguageModelPromptTsxPart ? JSON.stringify(part.value) : '';
}

/** Functions in the words of the editor. */
export const toolsToChat = (tools: readonly ToolSpec[]): vscode.LanguageModelChatTool[] =>
  tools.map(({ name, description, schema }) => ({ name, description, inputSchema: schema }));

/** Functions that another agent offers to a model of ours. */
export const toolsFromChat = (tools: readonly vscode.LanguageModelChatTool[]): readonly ToolSpec[] =>
  tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    schema: (inputSchema ?? { type: 'object', properties: {} }) as Readonly<Record<string, unknown>>,
  }));
