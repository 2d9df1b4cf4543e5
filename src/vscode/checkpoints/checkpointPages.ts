import * as vscode from 'vscode';
import type { Change, CheckpointSource, EntryState } from '../../core/checkpoint.js';

const { t } = vscode.l10n;

/** Scheme of the pages that show a file as it stood in a checkpoint. On no disk, and not to be edited. */
export const CHECKPOINT = 'lacuna-checkpoint';

/** Address of a state of a file. It ends like the file, so that the editor knows language and title. */
export const stateUri = (file: string, state: EntryState | null): vscode.Uri =>
  vscode.Uri.file(file).with({ scheme: CHECKPOINT, query: queryOf(state) });

function queryOf(state: EntryState | null): string {
  switch (state?.type) {
    case 'file':
      return `file:${state.hash}`;
    case 'link':
      return `link:${encodeURIComponent(state.target)}`;
    default:
      return state?.type ?? 'absent';
  }
}

/** Gives the editor the text of a file in a checkpoint; what is no text in a sentence. */
export class CheckpointPages implements vscode.TextDocumentContentProvider {
  readonly #open: () => Promise<CheckpointSource>;

  constructor(open: () => Promise<CheckpointSource>) {
    this.#open = open;
  }

  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    const [type, what = ''] = query.split(':');
    switch (type) {
      case 'file':
        return textOf(await (await this.#open()).read(what));
      case 'link':
        return t('A link to {0}', decodeURIComponent(what));
      case 'absent':
        return '';
      default:
        return t('This cannot be shown as text.');
    }
  }
}

function textOf(bytes: Uint8Array | null): string {
  if (bytes === null) return t('The content is damaged or gone in the store.');
  return bytes.subarray(0, 8_000).includes(0) ? t('This cannot be shown as text.') : new TextDecoder().decode(bytes);
}

/** Shows what a restore would do to one file: as it stands now on the left, as it would be on the right. */
export async function compare(change: Change): Promise<void> {
  const { path: file, from, to } = change;
  const now = from === null ? stateUri(file, null) : vscode.Uri.file(file);
  const name = vscode.workspace.asRelativePath(file);
  await vscode.commands.executeCommand('vscode.diff', now, stateUri(file, to), t('{0} (now ↔ checkpoint)', name), {
    preview: true,
  });
}
