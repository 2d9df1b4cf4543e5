import * as vscode from 'vscode';
import type { Approvals, Waiting } from '../approvals/approvals.js';
import type { Review } from '../diff/change.js';
import { resultOf } from '../diff/change.js';
import type { Reviews } from '../diff/desk.js';
import { sideUri, PROPOSED } from '../diff/documents.js';
import { oneLine, proposalWords, riskWord } from '../words.js';

const { t } = vscode.l10n;

/** A row: a question that waits for an answer, or a change that waits for review. */
export type WaitingRow =
  { readonly type: 'question'; readonly waiting: Waiting } | { readonly type: 'change'; readonly review: Review };

/** What waits for the person: questions first, then proposed changes. */
export class WaitingTree implements vscode.TreeDataProvider<WaitingRow>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #approvals: Approvals;
  readonly #desk: Reviews;
  readonly #stops: readonly (() => void)[];

  constructor(approvals: Approvals, desk: Reviews) {
    this.#approvals = approvals;
    this.#desk = desk;
    const tell = (): void => this.#changed.fire(undefined);
    this.#stops = [approvals.onChange(tell), desk.onChange(tell)];
  }

  getChildren(row?: WaitingRow): WaitingRow[] {
    if (row !== undefined) return [];
    return [
      ...this.#approvals.waiting.map((waiting) => ({ type: 'question', waiting }) as const),
      ...this.#desk.reviews.map((review) => ({ type: 'change', review }) as const),
    ];
  }

  getTreeItem(row: WaitingRow): vscode.TreeItem {
    return row.type === 'question' ? questionItem(row.waiting) : changeItem(row.review);
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#changed.dispose();
  }
}

/** Shows what waits in its view, and how much it is on the icon of Lacuna. */
export function showWaiting(tree: WaitingTree): vscode.Disposable {
  const view = vscode.window.createTreeView('lacuna.waiting', { treeDataProvider: tree });
  const count = (): void => {
    const value = tree.getChildren().length;
    view.badge = value === 0 ? undefined : { value, tooltip: t('{0} waiting for your answer', value) };
  };
  count();
  return vscode.Disposable.from(view, tree.onDidChangeTreeData(count));
}

function questionItem({ question }: Waiting): vscode.TreeItem {
  const { lacuna, decision } = question;
  const title = proposalWords(lacuna);
  const item = new vscode.TreeItem(title);
  item.id = `question:${lacuna.id}`;
  item.description = riskWord(decision.risk);
  item.iconPath = new vscode.ThemeIcon('bell-dot', new vscode.ThemeColor('notificationsWarningIcon.foreground'));
  item.contextValue = 'lacuna.question';
  item.tooltip = oneLine(decision.reason, 300);
  item.accessibilityInformation = { label: t('Waits for your answer: {0}, {1}', title, riskWord(decision.risk)) };
  item.command = { command: 'lacuna.answer', title: t('Answer'), arguments: [lacuna.id] };
  return item;
}

function changeItem(review: Review): vscode.TreeItem {
  const { change, choices } = review;
  const name = vscode.workspace.asRelativePath(change.path);
  const open = choices.filter((choice) => choice === 'pending').length;
  const state =
    open > 0
      ? t('{0} of {1} to answer', open, choices.length)
      : { accepted: t('accepted'), rejected: t('rejected'), partly: t('accepted in part'), pending: '' }[
          resultOf(review)
        ];
  const item = new vscode.TreeItem(name);
  item.id = `change:${change.id}`;
  item.resourceUri = sideUri(review, PROPOSED);
  item.description = state;
  item.iconPath = new vscode.ThemeIcon(
    { create: 'diff-added', edit: 'diff-modified', delete: 'diff-removed', move: 'diff-renamed' }[change.verb],
  );
  item.contextValue = 'lacuna.change';
  item.tooltip = change.description === '' ? name : `${name}\n${oneLine(change.description, 300)}`;
  item.accessibilityInformation = { label: t('Proposed change: {0}, {1}', name, state) };
  item.command = { command: 'lacuna.review.open', title: t('Review'), arguments: [change.id] };
  return item;
}
