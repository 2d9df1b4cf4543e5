import * as vscode from 'vscode';
import type { Guard } from '../guard.js';

/** Commands of the reviewer. Their code is loaded when they are called. */
export function registerReviewerCommands(context: vscode.ExtensionContext, guard: Guard): vscode.Disposable {
  const models = vscode.Uri.joinPath(context.globalStorageUri, 'models').fsPath;
  return vscode.Disposable.from(
    vscode.commands.registerCommand('lacuna.chooseReviewer', async () =>
      (await import('./choose.js')).chooseReviewer(models),
    ),
    vscode.commands.registerCommand('lacuna.benchmarkReviewer', async () =>
      (await import('./benchmark.js')).benchmarkReviewer(guard),
    ),
    vscode.commands.registerCommand('lacuna.exportAnswers', async () =>
      (await import('./exportAnswers.js')).exportAnswers(),
    ),
  );
}
