import type { CancellationToken } from 'vscode';

/** An abort signal that follows an editor's cancellation token. `close` frees the listener. */
export function signalOf(token: CancellationToken): { readonly signal: AbortSignal; readonly close: () => void } {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const listener = token.onCancellationRequested(() => controller.abort());
  return { signal: controller.signal, close: () => listener.dispose() };
}
