import * as vscode from 'vscode';
import type { Approvals } from './approvals/approvals.js';
import type { Reviews } from './diff/desk.js';

/** Keeps the context keys true by which menus, keys and views show themselves. */
export function keepContextKeys(approvals: Approvals, desk: Reviews): vscode.Disposable {
  const known = new Map<string, boolean>();
  /** Tells the editor only what it does not know yet. */
  const set = (name: string, value: boolean): void => {
    if (known.get(name) === value) return;
    known.set(name, value);
    void vscode.commands.executeCommand('setContext', `lacuna.${name}`, value);
  };
  const update = (): void => {
    const asking = approvals.waiting.length;
    const reviewing = desk.reviews.length;
    set('isAsking', asking > 0);
    set('isReviewing', reviewing > 0);
    set('isReviewingMany', reviewing > 1);
    set('isWaiting', asking + reviewing > 0);
  };
  const stops = [approvals.onChange(update), desk.onChange(update)];
  return new vscode.Disposable(() => {
    for (const stop of stops) stop();
  });
}
