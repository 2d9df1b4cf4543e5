import * as vscode from 'vscode';

/** Called by the editor once it has started. Registers only; whatever is heavy is loaded when it is first used. */
export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.window.createOutputChannel('Lacuna', { log: true }));
}
