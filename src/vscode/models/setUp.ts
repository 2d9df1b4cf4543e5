import * as vscode from 'vscode';
import { settings } from '../settings.js';
import type { Models } from './models.js';

const { t } = vscode.l10n;

/** Commands that set up a model of one's own. */
export const registerModelCommands = (models: Models): vscode.Disposable =>
  vscode.commands.registerCommand('lacuna.setApiKey', () => setApiKey(models));

/** Asks for the key of the endpoint, keeps it in the secret storage, and says what is still missing. */
async function setApiKey(models: Models): Promise<void> {
  const host = settings.model.baseUrl();
  const key = await vscode.window.showInputBox({
    title: host === null ? t('API key of your model') : t('API key for {0}', host),
    prompt: t('Kept in the secret storage of the editor. Leave it empty to remove the key.'),
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined) return;
  await models.setKey(key.trim());
  const said = key.trim() === '' ? t('The API key is removed.') : t('The API key is kept.');
  if (host !== null && settings.model.names().length > 0) {
    void vscode.window.showInformationMessage(said);
    return;
  }
  const open = t('Open Settings');
  const missing = t('Set the address of the endpoint and the names of its models too.');
  if ((await vscode.window.showInformationMessage(`${said} ${missing}`, open)) === open)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'lacuna.model');
}
