import * as vscode from 'vscode';
import type { BrainPart } from '../../core/agent/brain.js';
import { estimateTokens } from '../../core/agent/tokens.js';
import { signalOf } from '../cancel.js';
import { onSettingChange, settings } from '../settings.js';
import { DEMONSTRATION, type Models, VENDOR } from './models.js';
import { callPart, fromChat, textOf, toolsFromChat } from './parts.js';

const { t } = vscode.l10n;
type Information = vscode.LanguageModelChatInformation;

/** Offers the models of this extension to every chat of the editor. */
export function registerModelProvider(models: Models): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.LanguageModelChatProvider = {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: () => models.ids.map(informationOf),
    provideTokenCount: async (_model, text) =>
      estimateTokens(typeof text === 'string' ? text : text.content.map(textOf).join('')),
    provideLanguageModelChatResponse: (model, messages, options, progress, token) =>
      respond(models, model.id, { messages, options }, progress, token),
  };
  const registration = vscode.lm.registerLanguageModelChatProvider(VENDOR, provider);
  // The editor asks a provider for its models only when somebody looks for one: until then its picker stays empty, and a first
  // question in the chat would find no model.
  vscode.lm.selectChatModels({ vendor: VENDOR }).then(undefined, () => undefined);
  return vscode.Disposable.from(
    changed,
    registration,
    onSettingChange('model', () => changed.fire()),
    models.onKeyChange(() => changed.fire()),
  );
}

function informationOf(id: string): Information {
  const isDemo = id === DEMONSTRATION;
  return {
    id,
    name: isDemo ? t('Lacuna demonstration') : id,
    family: isDemo ? 'lacuna-demonstration' : id,
    version: '1',
    detail: isDemo ? t('no real model') : hostOf(settings.model.baseUrl() ?? ''),
    tooltip: isDemo
      ? t('Plays guided stories that show how Lacuna guards an agent. Needs no key and no network.')
      : t('A model of the endpoint in the setting lacuna.model.baseUrl.'),
    maxInputTokens: isDemo ? 64_000 : settings.model.maxInputTokens(),
    maxOutputTokens: 16_000,
    capabilities: { toolCalling: true, imageInput: false },
  };
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

interface Asked {
  readonly messages: readonly vscode.LanguageModelChatRequestMessage[];
  readonly options: vscode.ProvideLanguageModelChatResponseOptions;
}

async function respond(
  models: Models,
  id: string,
  { messages, options }: Asked,
  progress: vscode.Progress<vscode.LanguageModelResponsePart>,
  token: vscode.CancellationToken,
): Promise<void> {
  const brain = await models.brain(id);
  const { signal, close } = signalOf(token);
  const request = {
    messages: fromChat(messages),
    tools: toolsFromChat(options.tools ?? []),
    choice: options.toolMode === vscode.LanguageModelChatToolMode.Required ? 'must-call' : 'free',
  } as const;
  try {
    for await (const part of brain.respond(request, signal)) {
      if (part.type === 'text') progress.report(new vscode.LanguageModelTextPart(part.text));
      if (part.type === 'call') progress.report(callPart(part.call));
      if (part.type === 'failed') throw errorOf(part);
    }
  } finally {
    close();
  }
}

/** A failure in the terms of the editor, so that every chat says the right thing about it. */
function errorOf({ why, message }: BrainPart & { type: 'failed' }): Error {
  switch (why) {
    case 'cancelled':
      return new vscode.CancellationError();
    case 'wrong-key':
    case 'no-permission':
      return vscode.LanguageModelError.NoPermissions(message);
    case 'unknown-model':
      return vscode.LanguageModelError.NotFound(message);
    case 'rate-limited':
    case 'refused':
      return vscode.LanguageModelError.Blocked(message);
    case 'no-tool-calling':
    case 'unreachable':
    case 'server-error':
    case 'timed-out':
    case 'cut-off':
    case 'malformed':
    case 'too-long':
    case 'other':
      return new Error(message);
  }
}
