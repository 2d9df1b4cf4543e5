import * as vscode from 'vscode';
import { settings } from '../settings.js';
import { keptAnswers } from './answers.js';

const { t } = vscode.l10n;

/** Opens the kept answers as a text of one's own to look at and save, and offers to forget them. */
export async function exportAnswers(): Promise<void> {
  const kept = keptAnswers();
  const text = await kept.read();
  if (text === '') {
    const open = t('Open Settings');
    const said = settings.reviewer.keepsAnswers()
      ? t('No answers were kept yet.')
      : t(
          'Answers are not kept. Switch it on in the settings if you want to measure or improve the reviewer with them.',
        );
    if ((await vscode.window.showInformationMessage(said, open)) === open)
      await vscode.commands.executeCommand('workbench.action.openSettings', 'lacuna.reviewer.keepAnswers');
    return;
  }
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'jsonl', content: text }));
  const forget = t('Forget Them');
  const count = text.trim().split('\n').length;
  const picked = await vscode.window.showInformationMessage(
    t('{0} answers are kept on this machine. They are sent nowhere. Save this text to export them.', count),
    forget,
  );
  if (picked === forget) await kept.forget();
}
