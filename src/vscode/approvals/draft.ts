import * as vscode from 'vscode';
import { Store } from '../store.js';

/** A text that a person may change before it is used. */
export interface Draft {
  readonly content: string;
  readonly language: 'yaml' | 'json';
  /** Label of the line that takes the text: "Write this rule and allow". */
  readonly useLabel: string;
  /** Why the text cannot be used; null when it can. The draft stays open meanwhile. */
  readonly problem: (text: string) => string | null;
}

/**
 * Lets a person edit a text in an editor of its own and say when it is good. Resolves with the text, or with null when they
 * closed it. Nothing is written anywhere.
 */
export async function editDraft(draft: Draft): Promise<string | null> {
  const document = await vscode.workspace.openTextDocument({ content: draft.content, language: draft.language });
  await vscode.window.showTextDocument(document, { preview: false });
  const store = new Store();
  const isOurs = (other: vscode.TextDocument): boolean => other.uri.toString() === document.uri.toString();
  try {
    return await new Promise<string | null>((resolve) => {
      const use = async (): Promise<void> => {
        const problem = draft.problem(document.getText());
        if (problem === null) resolve(document.getText());
        else await vscode.window.showErrorMessage(problem);
      };
      store.add(vscode.commands.registerCommand('lacuna.draft.use', use));
      store.add(vscode.commands.registerCommand('lacuna.draft.discard', () => resolve(null)));
      store.add(vscode.workspace.onDidCloseTextDocument((closed) => isOurs(closed) && resolve(null)));
      store.add(
        vscode.languages.registerCodeLensProvider(
          { scheme: document.uri.scheme, language: draft.language },
          { provideCodeLenses: (shown) => (isOurs(shown) ? lenses(draft.useLabel) : []) },
        ),
      );
    });
  } finally {
    store.dispose();
    await close(document);
  }
}

function lenses(useLabel: string): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  return [
    new vscode.CodeLens(top, { command: 'lacuna.draft.use', title: `$(check)\u00a0${useLabel}` }),
    new vscode.CodeLens(top, {
      command: 'lacuna.draft.discard',
      title: vscode.l10n.t('$(close)\u00a0Back to the question'),
    }),
  ];
}

/** Closes the draft without asking whether to save it. */
async function close(document: vscode.TextDocument): Promise<void> {
  if (document.isClosed) return;
  await vscode.window.showTextDocument(document, { preview: false });
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
}
