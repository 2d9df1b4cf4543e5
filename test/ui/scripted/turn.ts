/** A part of a message as the test sees it: what was said, or what a tool gave back. */
export interface SeenMessage {
  readonly isUser: boolean;
  readonly text: string;
  /** Results of tools, in order. */
  readonly results: readonly string[];
}

/** What the editor asks the model for: everything said so far, and the tools it may call. */
export interface Turn {
  readonly messages: readonly SeenMessage[];
  readonly tools: readonly string[];
}

/** What the model says next: one call of a tool, or its last words. */
export type Reply = { readonly call: ScriptedCall } | { readonly text: string };

/** One call of a tool. */
export interface ScriptedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the editor's end is to do: open the chat with a request, call tools side by side as an extension would, run a command, or change a setting. */
export type Errand =
  | { readonly query: string }
  | { readonly id: string; readonly invoke: readonly ScriptedCall[] }
  | { readonly id: string; readonly command: string; readonly args: readonly unknown[] }
  | { readonly id: string; readonly setting: string; readonly value: unknown };

/** What came of an errand with an id. */
export interface Report {
  readonly id: string;
  readonly results: readonly string[];
}

/** Environment variable with the address of the test. */
export const SCRIPT_ADDRESS = 'LACUNA_SCRIPTED_MODEL';
