import * as vscode from 'vscode';
import type { Secrets } from '../executors/credentials.js';

const { t } = vscode.l10n;

const PREFIX = 'lacuna.secret.';

/** Secrets that policy attaches to requests and commands and that databases need, in the editor's secret storage. */
export const editorSecrets = (storage: vscode.SecretStorage): Secrets => ({
  get: async (key) => (await storage.get(PREFIX + key)) ?? null,
});

/** Registers "Set Secret…": keeps a value under a name that policies and settings refer to. No agent ever sees it. */
export const registerSecrets = (storage: vscode.SecretStorage): vscode.Disposable =>
  vscode.commands.registerCommand('lacuna.setSecret', async () => {
    const key = await vscode.window.showInputBox({
      title: t('Name of the secret'),
      prompt: t('The name that a policy or the settings of a database refer to.'),
      ignoreFocusOut: true,
      validateInput: (text) => (text.trim() === '' ? t('A name is needed.') : null),
    });
    if (key === undefined) return;
    const value = await vscode.window.showInputBox({
      title: t('Value of {0}', key.trim()),
      prompt: t('Kept in the secret storage of the editor. Leave it empty to remove the secret.'),
      password: true,
      ignoreFocusOut: true,
    });
    if (value === undefined) return;
    if (value === '') await storage.delete(PREFIX + key.trim());
    else await storage.store(PREFIX + key.trim(), value);
    void vscode.window.showInformationMessage(
      value === '' ? t('{0} is removed.', key.trim()) : t('{0} is kept.', key.trim()),
    );
  });
