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
export type Reply =
  | { readonly call: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> } }
  | { readonly text: string };

/** A request that the chat is opened with. */
export interface ChatRequest {
  readonly query: string;
}

/** Environment variable with the address of the test. */
export const SCRIPT_ADDRESS = 'LACUNA_SCRIPTED_MODEL';
