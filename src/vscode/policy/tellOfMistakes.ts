import * as vscode from 'vscode';
import type { LoadedSource } from '../../core/policy/load.js';
import { problemsByFile } from '../../core/policy/problemFile.js';
import { oneLine } from '../words.js';

const { t } = vscode.l10n;

/**
 * Tells a person once of each policy file that has become unusable, and takes them to the place: what they wrote does not hold, and
 * whoever has no policy open would see nothing but a sign in the status bar. Who has the file before them sees it underlined.
 */
export class MistakeNotices {
  readonly #told = new Set<string>();

  /** `instead`: what is in force meanwhile, in a sentence. */
  tell(loaded: readonly LoadedSource[], instead: string | null): void {
    for (const source of loaded) {
      const found = firstMistake(source);
      if (found === null) this.#told.delete(source.source.path);
      else if (!this.#told.has(source.source.path)) {
        this.#told.add(source.source.path);
        if (!isSeen(found.uri)) void show(found, instead ?? '');
      }
    }
  }
}

interface Mistake {
  readonly uri: vscode.Uri;
  readonly name: string;
  readonly message: string;
  readonly place: vscode.Position;
}

function firstMistake(source: LoadedSource): Mistake | null {
  for (const [path, problems] of problemsByFile(source)) {
    const first = problems.find(({ severity }) => severity === 'error');
    if (first === undefined) continue;
    const place = new vscode.Position(first.line - 1, first.column - 1);
    return { uri: vscode.Uri.file(path), name: first.source, message: first.message, place };
  }
  return null;
}

const isSeen = (uri: vscode.Uri): boolean =>
  vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri.toString());

async function show({ uri, name, message, place }: Mistake, instead: string): Promise<void> {
  const look = t('Show the Mistake');
  const said = t('{0}, line {1}: {2} {3}', name, place.line + 1, oneLine(message, 200), instead);
  if ((await vscode.window.showWarningMessage(said, look)) === look)
    await vscode.window.showTextDocument(uri, { selection: new vscode.Range(place, place) });
}
