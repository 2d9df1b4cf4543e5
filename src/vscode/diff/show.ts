import path from 'node:path';
import * as vscode from 'vscode';
import { isDecided, type Review } from './change.js';
import type { Reviews } from './desk.js';
import { changeOf, CURRENT, PROPOSED, sideUri } from './documents.js';

/** Opens one proposed change in the editor's own diff view. */
export async function showChange(review: Review): Promise<void> {
  await vscode.commands.executeCommand(
    'vscode.diff',
    sideUri(review, CURRENT),
    sideUri(review, PROPOSED),
    titleOf(review),
    { preview: false } satisfies vscode.TextDocumentShowOptions,
  );
}

/** Opens all proposed changes in one view, for looking over them together. */
export async function showAllChanges(reviews: readonly Review[]): Promise<void> {
  await vscode.commands.executeCommand(
    'vscode.changes',
    vscode.l10n.t('Proposed changes ({0} files)', reviews.length),
    reviews.map((review) => [vscode.Uri.file(review.change.path), sideUri(review, CURRENT), sideUri(review, PROPOSED)]),
  );
}

/** Opens the next change after `after` that waits for an answer, going round; nothing when none waits. */
export async function showNextChange(desk: Reviews, after: string | null): Promise<void> {
  const { reviews } = desk;
  const from = reviews.findIndex((review) => review.change.id === after) + 1;
  const next = [...reviews.slice(from), ...reviews.slice(0, from)].find((review) => !isDecided(review));
  if (next !== undefined) await showChange(next);
}

/** Shows a change when it is laid on an empty desk, closes its tab when it leaves. Others wait in the list until they are next. */
export function showAsTheyCome(desk: Reviews): vscode.Disposable {
  let known = new Set<string>();
  const stop = desk.onChange(() => {
    const now = new Set(desk.reviews.map((review) => review.change.id));
    const gone = [...known].filter((id) => !now.has(id));
    const isFirst = known.size === gone.length && now.size > 0;
    known = now;
    if (gone.length > 0) void closeTabs(new Set(gone));
    const [first] = desk.reviews;
    if (isFirst && first !== undefined) void showChange(first);
  });
  return new vscode.Disposable(stop);
}

function titleOf({ change, isRenewed }: Review): string {
  const name = path.basename(change.path);
  if (isRenewed) return vscode.l10n.t('{0}: proposed change, worked out again because the file changed', name);
  switch (change.verb) {
    case 'create':
      return vscode.l10n.t('{0}: proposed new file', name);
    case 'edit':
      return vscode.l10n.t('{0}: proposed change', name);
    case 'delete':
      return vscode.l10n.t('{0}: proposed deletion', name);
    case 'move':
      return vscode.l10n.t('{0} → {1}: proposed move', path.basename(change.from ?? ''), name);
  }
}

async function closeTabs(gone: ReadonlySet<string>): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff && gone.has(changeOf(input.modified) ?? ''));
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}
