import * as vscode from 'vscode';
import { choose, chooseRest, isDecided, unitAt, type Choice, type Review } from './change.js';
import type { Reviews } from './desk.js';
import { changeOf } from './documents.js';
import { showAllChanges, showChange, showNextChange } from './show.js';

/** What a command may be given: an id from a lens, a document's address from an editor's title, a review from a tree. */
type Target = string | vscode.Uri | { readonly review: Review } | undefined;

/** Registers the commands by which a person answers proposed changes. */
export function registerReviewCommands(desk: Reviews): vscode.Disposable {
  const register = (name: string, run: (target: Target, unit?: number) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`lacuna.review.${name}`, run);
  const onHunk = (choice: Choice) => async (target: Target, unit?: number) => {
    const review = reviewOf(desk, target);
    if (review === null) return;
    const at = unit ?? unitAt(review, vscode.window.activeTextEditor?.selection.active.line ?? 0);
    const before = desk.reviews;
    desk.update(review.change.id, (old) => choose(old, at, choice));
    await goOn(desk, review, before);
  };
  const onFile = (choice: Choice) => async (target: Target) => {
    const review = reviewOf(desk, target);
    if (review === null) return;
    const before = desk.reviews;
    desk.update(review.change.id, (old) => chooseRest(old, choice));
    await goOn(desk, review, before);
  };
  const onAll = (choice: Choice) => async (target: Target) => {
    const review = reviewOf(desk, target);
    if (review === null) return;
    const before = desk.reviews;
    desk.updateRest(review.change.sessionId, choice);
    await goOn(desk, review, before);
  };
  return vscode.Disposable.from(
    register('acceptHunk', onHunk('accepted')),
    register('rejectHunk', onHunk('rejected')),
    register('reopenHunk', onHunk('pending')),
    register('acceptFile', onFile('accepted')),
    register('rejectFile', onFile('rejected')),
    register('acceptAll', onAll('accepted')),
    register('rejectAll', onAll('rejected')),
    register('next', () => showNextChange(desk, null)),
    register('open', (target) => {
      const review = reviewOf(desk, target);
      return review === null ? undefined : showChange(review);
    }),
    register('showAll', () => showAllChanges(desk.reviews)),
  );
}

/** The review that a command means; without a target the one in the active editor, else the oldest. */
function reviewOf(desk: Reviews, target: Target): Review | null {
  if (typeof target === 'string') return desk.review(target);
  if (target instanceof vscode.Uri) return desk.review(changeOf(target) ?? '');
  if (target !== undefined) return desk.review(target.review.change.id);
  const active = changeOf(vscode.window.activeTextEditor?.document.uri);
  return (active === null ? null : desk.review(active)) ?? desk.reviews[0] ?? null;
}

/**
 * After an answer: on to the next file, or, when all is answered, the reason for a rejection and the writing. Who leaves the
 * question for the reason takes the answer back: nothing is written, and all stands as in `before`.
 */
async function goOn(desk: Reviews, { change }: Review, before: readonly Review[]): Promise<void> {
  if (!desk.isAnswered(change.sessionId)) {
    const now = desk.review(change.id);
    if (now === null || isDecided(now)) await showNextChange(desk, change.id);
    return;
  }
  const rejected = desk.reviews.filter(
    (review) => review.change.sessionId === change.sessionId && review.choices.includes('rejected'),
  );
  if (rejected.length > 0) {
    const reason = await vscode.window.showInputBox({
      title: vscode.l10n.t('Why was this rejected?'),
      prompt: vscode.l10n.t(
        'The agent reads it and can do better; nothing need be said. Escape takes your last answer back.',
      ),
      ignoreFocusOut: true,
    });
    if (reason === undefined) {
      for (const old of before) desk.update(old.change.id, () => old);
      return;
    }
    for (const { change: own } of rejected) desk.update(own.id, (old) => ({ ...old, reason: reason.trim() }));
  }
  await desk.finish(change.sessionId);
}
