import * as vscode from 'vscode';
import type { Brain } from '../../core/agent/brain.js';
import { settings } from '../settings.js';
import { chatModelBrain } from './chatModelBrain.js';

/** Vendor under which the editor lists the models of this extension. */
export const VENDOR = 'lacuna';
/** Id of the demonstration model. */
export const DEMONSTRATION = 'demonstration';
/** Where the API key of the endpoint lies in the editor's secret storage. */
const KEY = 'lacuna.model.apiKey';

/** Whether a model is our demonstration. */
export const isDemonstration = ({ vendor, id }: Pick<vscode.LanguageModelChat, 'vendor' | 'id'>): boolean =>
  vendor === VENDOR && id === DEMONSTRATION;

/** The models that this extension brings: the demonstration, and those of the endpoint in the settings. */
export class Models {
  constructor(private readonly secrets: vscode.SecretStorage) {}

  /** Ids of all that are offered now. */
  get ids(): readonly string[] {
    const names = settings.model.baseUrl() === null ? [] : settings.model.names();
    return [...(settings.model.isDemoOffered() ? [DEMONSTRATION] : []), ...names];
  }

  /** The brain behind one of our ids. Loaded at the first use. */
  async brain(id: string): Promise<Brain> {
    if (id === DEMONSTRATION) return (await import('../../core/agent/demonstration/brain.js')).demonstrationBrain;
    const { DEFAULT_ENDPOINT, openAiBrain } = await import('../../adapters/openai/brain.js');
    const endpoint = {
      ...DEFAULT_ENDPOINT,
      baseUrl: settings.model.baseUrl() ?? '',
      model: id,
      maxInputTokens: settings.model.maxInputTokens(),
      firstByteMs: settings.model.timeoutMs(),
    };
    return openAiBrain(endpoint, () => this.key());
  }

  /** The brain behind whichever model a person has picked. One of ours is asked directly, without a way round by the editor. */
  async brainOf(model: vscode.LanguageModelChat): Promise<Brain> {
    return model.vendor === VENDOR ? this.brain(model.id) : chatModelBrain(model);
  }

  /** The key; '' when there is none. */
  async key(): Promise<string> {
    return (await this.secrets.get(KEY)) ?? '';
  }

  /** Keeps a key in the editor's secret storage; '' takes it away. */
  async setKey(key: string): Promise<void> {
    await (key === '' ? this.secrets.delete(KEY) : this.secrets.store(KEY, key));
  }

  /** Calls back when a key was set or taken away, also in another window. */
  onKeyChange(listener: () => void): vscode.Disposable {
    return this.secrets.onDidChange((event) => {
      if (event.key === KEY) listener();
    });
  }
}
