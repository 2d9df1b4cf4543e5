import * as vscode from 'vscode';
import { unitPlaces, type Review } from './change.js';
import type { Reviews } from './desk.js';
import { changeOf } from './documents.js';

/** Lines above each changed place of the proposed side: accept, reject, take back. */
export class ReviewLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #desk: Reviews;
  readonly #stop: () => void;

  constructor(desk: Reviews) {
    this.#desk = desk;
    this.#stop = desk.onChange(() => this.#changed.fire());
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const review = this.#desk.review(changeOf(document.uri) ?? '');
    if (review === null) return [];
    return unitPlaces(review).flatMap(({ start }, unit) => {
      const line = Math.min(start, document.lineCount - 1);
      const range = new vscode.Range(line, 0, line, 0);
      return unitCommands(review, unit).map((command) => new vscode.CodeLens(range, command));
    });
  }

  dispose(): void {
    this.#stop();
    this.#changed.dispose();
  }
}

function unitCommands(review: Review, unit: number): vscode.Command[] {
  const args = [review.change.id, unit];
  const count = review.choices.length;
  const which = count > 1 ? vscode.l10n.t('change {0} of {1}', unit + 1, count) : vscode.l10n.t('this change');
  const back = { command: 'lacuna.review.reopenHunk', arguments: args };
  const choice = review.choices[unit];
  switch (choice) {
    case 'accepted':
      return [{ ...back, title: vscode.l10n.t('$(check)\u00a0Accepted: {0}. Take back', which) }];
    case 'rejected':
      return [{ ...back, title: vscode.l10n.t('$(close)\u00a0Rejected: {0}. Take back', which) }];
    default:
      return [
        {
          command: 'lacuna.review.acceptHunk',
          arguments: args,
          title: vscode.l10n.t('$(check)\u00a0Accept {0}', which),
        },
        { command: 'lacuna.review.rejectHunk', arguments: args, title: vscode.l10n.t('$(close)\u00a0Reject') },
      ];
  }
}
