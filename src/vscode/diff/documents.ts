import * as vscode from 'vscode';
import { currentText, proposedText, type Review } from './change.js';
import type { Reviews } from './desk.js';

/** Schemes of the two sides of a diff. Documents of these schemes cannot be edited and are on no disk. */
export const CURRENT = 'lacuna-current';
export const PROPOSED = 'lacuna-proposed';

/** Address of one side. It ends like the file, so that the editor knows language and title. */
export const sideUri = (review: Review, scheme: typeof CURRENT | typeof PROPOSED): vscode.Uri => {
  const { verb, from, path, id } = review.change;
  const file = verb === 'move' && scheme === CURRENT && from !== null ? from : path;
  return vscode.Uri.file(file).with({ scheme, query: id });
};

/** Id of the change that a document of ours belongs to; null for other documents. */
export const changeOf = (uri: vscode.Uri | undefined): string | null =>
  uri !== undefined && (uri.scheme === CURRENT || uri.scheme === PROPOSED) ? uri.query : null;

/** Gives the editor the texts of both sides, and tells it when the proposed one has changed. */
export class ReviewDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #desk: Reviews;
  readonly #stop: () => void;

  constructor(desk: Reviews) {
    this.#desk = desk;
    this.#stop = desk.onChange(() => {
      for (const review of desk.reviews) this.#changed.fire(sideUri(review, PROPOSED));
    });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const review = this.#desk.review(uri.query);
    if (review === null) return vscode.l10n.t('This change has been answered. There is nothing more to see here.');
    return uri.scheme === CURRENT ? currentText(review) : proposedText(review);
  }

  dispose(): void {
    this.#stop();
    this.#changed.dispose();
  }
}
