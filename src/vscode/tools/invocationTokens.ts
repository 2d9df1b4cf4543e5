import type { ChatParticipantToolToken } from 'vscode';

/**
 * Which chat a Lacuna belongs to, in the editor's own terms. A tool of another extension that a CallTool calls gets this
 * token, so that the editor shows it, and whatever it asks, in the right conversation.
 */
export class InvocationTokens {
  readonly #tokens = new Map<string, ChatParticipantToolToken>();

  /** Keeps the token at hand while a Lacuna goes through the gate. */
  async during<T>(lacunaId: string, token: ChatParticipantToolToken | undefined, act: () => Promise<T>): Promise<T> {
    if (token === undefined) return act();
    this.#tokens.set(lacunaId, token);
    try {
      return await act();
    } finally {
      this.#tokens.delete(lacunaId);
    }
  }

  /** The token of a Lacuna; undefined when it comes from no chat. One that was judged anew is a child of the one proposed. */
  of(lacuna: { readonly id: string; readonly parentId: string | null }): ChatParticipantToolToken | undefined {
    return this.#tokens.get(lacuna.id) ?? this.#tokens.get(lacuna.parentId ?? '');
  }
}
