import * as vscode from 'vscode';
import type { Brain, BrainFailure, BrainPart, BrainRequest } from '../../core/agent/brain.js';
import { estimateTokens } from '../../core/agent/tokens.js';
import type { Cancel } from '../../core/cancel.js';
import { callOf, toChat, toolsToChat } from './parts.js';

const { t } = vscode.l10n;

/** A model of the editor (GitHub Copilot's, or one of another extension) as a brain. What it is told counts as leaving the machine. */
export const chatModelBrain = (model: vscode.LanguageModelChat): Brain => ({
  name: model.name,
  isRemote: true,
  maxInputTokens: model.maxInputTokens,
  countTokens: estimateTokens,
  respond: (request, cancel) => respond(model, request, cancel),
});

async function* respond(
  model: vscode.LanguageModelChat,
  request: BrainRequest,
  cancel: Cancel,
): AsyncGenerator<BrainPart> {
  const source = new vscode.CancellationTokenSource();
  const stop = (): void => source.cancel();
  cancel.addEventListener('abort', stop);
  if (cancel.aborted) stop();
  try {
    const response = await model.sendRequest(toChat(request.messages), optionsOf(request), source.token);
    for await (const part of response.stream) {
      if (part instanceof vscode.LanguageModelTextPart) yield { type: 'text', text: part.value };
      else if (part instanceof vscode.LanguageModelToolCallPart) yield { type: 'call', call: callOf(part) };
      // Other parts (thinking, images) are neither words for the person nor calls.
    }
  } catch (error) {
    yield cancel.aborted ? { type: 'failed', why: 'cancelled', message: t('Cancelled.') } : failureOf(error, model);
  } finally {
    cancel.removeEventListener('abort', stop);
    source.dispose();
  }
}

const optionsOf = ({ tools, choice }: BrainRequest): vscode.LanguageModelChatRequestOptions => ({
  justification: t('You asked @lacuna in the chat; this model is the one that you picked there.'),
  tools: toolsToChat(tools),
  toolMode: choice === 'must-call' ? vscode.LanguageModelChatToolMode.Required : vscode.LanguageModelChatToolMode.Auto,
});

/** The editor's errors in the terms of the loop. `code` is a name of one of its factories, or absent. */
function failureOf(error: unknown, { name }: vscode.LanguageModelChat): BrainPart & { type: 'failed' } {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof vscode.LanguageModelError ? error.code : '';
  const failed = (why: BrainFailure, text: string): BrainPart & { type: 'failed' } => ({
    type: 'failed',
    why,
    message: text,
  });
  if (code === vscode.LanguageModelError.NoPermissions.name)
    return failed('no-permission', t('Lacuna may not use {0}: {1}', name, message));
  if (code === vscode.LanguageModelError.NotFound.name)
    return failed('unknown-model', t('The model {0} is not there any more. Pick another one.', name));
  if (code === vscode.LanguageModelError.Blocked.name)
    return failed('rate-limited', t('{0} does not answer now: {1}', name, message));
  if (/tool|function/i.test(message) && /support/i.test(message))
    return failed('no-tool-calling', t('{0} cannot call tools, which an agent needs. Pick another model.', name));
  if (/context|token|too (long|large)|exceed/i.test(message))
    return failed('too-long', t('The conversation is too long for {0}: {1}', name, message));
  return failed('other', t('{0} failed: {1}', name, message));
}
