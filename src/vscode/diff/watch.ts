import path from 'node:path';
import * as vscode from 'vscode';
import { Store } from '../store.js';
import { isUnsaved, type Ticket } from './apply.js';
import type { Review } from './change.js';
import type { Desk } from './desk.js';

/** Takes a change off the desk as soon as its file is no longer as it was shown: by another program, or by typing in an editor. */
export function watchForChanges(desk: Desk<Ticket>): vscode.Disposable {
  const watchers = new Map<string, vscode.Disposable>();
  const look = async ({ change }: Review): Promise<void> => {
    const ticket = desk.ticket(change.id);
    if (ticket === null) return;
    if (isUnsaved(change.from ?? change.path) || !(await ticket.isStillTrue())) desk.outdate(change.id);
  };
  const update = (): void => {
    const open = new Set(desk.reviews.map((review) => review.change.id));
    for (const [id, watcher] of watchers) {
      if (open.has(id)) continue;
      watcher.dispose();
      watchers.delete(id);
    }
    for (const review of desk.reviews) {
      const { id } = review.change;
      if (!watchers.has(id))
        watchers.set(
          id,
          watch(review, () => void look(review)),
        );
    }
  };
  const store = new Store();
  store.addEnd(desk.onChange(update));
  store.add(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (document.uri.scheme !== 'file' || contentChanges.length === 0) return;
      const touched = desk.reviews.find(
        ({ change }) => vscode.Uri.file(change.from ?? change.path).fsPath === document.uri.fsPath,
      );
      if (touched !== undefined) void look(touched);
    }),
  );
  store.addEnd(() => {
    for (const watcher of watchers.values()) watcher.dispose();
  });
  return store;
}

/** Watches the file of a change, where it stands now and where it would go. */
function watch({ change }: Review, onEvent: () => void): vscode.Disposable {
  const store = new Store();
  for (const file of new Set([change.path, ...(change.from === null ? [] : [change.from])])) {
    const pattern = new vscode.RelativePattern(
      vscode.Uri.file(path.dirname(file)),
      path.basename(file).replace(/[*?[{}]/g, '[$&]'),
    );
    const watcher = store.add(vscode.workspace.createFileSystemWatcher(pattern));
    store.add(watcher.onDidChange(onEvent));
    store.add(watcher.onDidCreate(onEvent));
    store.add(watcher.onDidDelete(onEvent));
  }
  return store;
}
