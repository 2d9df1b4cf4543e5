import * as vscode from 'vscode';
import { JournalFolder } from '../../adapters/journal.js';
import { journalFolder, stateFolder } from '../../adapters/stateFolder.js';
import { shownPath } from '../../core/effects/paths.js';
import {
  cannotUndo,
  isSelected,
  type Change,
  type CheckpointInfo,
  type CheckpointSource,
  type RestorePreview,
} from '../../core/checkpoint.js';
import type { Entry } from '../../core/gate/ledger.js';
import type { Checkpoints } from '../../core/ports.js';
import type { Result } from '../../core/result.js';
import type { Journal } from '../../core/unfinished.js';
import { previewRestore, restore, type Restored } from '../../executors/restore.js';
import { finishWhatWasLeft } from '../../executors/unfinished.js';
import type { Guard } from '../guard.js';
import { oneLine } from '../words.js';
import { changeWords, type CheckpointRow, type WatchedCheckpoints } from './checkpointTree.js';

const { t } = vscode.l10n;

/** Most changes that are listed before a restore; the rest are counted. */
const MAX_SHOWN = 25;
/** Most states that are offered to go back to, and most files that each names. */
const MAX_OFFERED = 100;
const MAX_NAMED = 3;

/** Goes back to a checkpoint: the one of the row, or the one that the person picks. */
export async function rollBackTo(guard: Guard, row: CheckpointRow | undefined): Promise<void> {
  const { checkpoints } = await guard.engine();
  const picked = row?.type === 'checkpoint' ? row.info : await pick(checkpoints);
  if (picked !== null) await rollBack(guard, picked, []);
}

/** Brings back the one file that a row stands for. */
export async function rollBackFile(guard: Guard, row: CheckpointRow | undefined): Promise<void> {
  if (row?.type === 'change') await rollBack(guard, row.info, [row.change.path]);
}

/** Shows what a restore would change, what it cannot and what stays undone, and restores when the person says so. */
async function rollBack(guard: Guard, picked: CheckpointInfo, paths: readonly string[]): Promise<void> {
  const { checkpoints, engine, journal } = await guard.engine();
  const preview = await previewRestore(checkpoints, picked.id, paths);
  if (!preview.ok) {
    await vscode.window.showErrorMessage(preview.error);
    return;
  }
  const { changes } = preview.value;
  if (changes.length === 0 && preview.value.cannot.length === 0) {
    await vscode.window.showInformationMessage(t('Nothing has changed since then.'));
    return;
  }
  const unsaved = unsavedAmong(changes);
  if (unsaved.length > 0) {
    await vscode.window.showErrorMessage(
      t('Not restored: save or revert what is not saved first: {0}', unsaved.join(', ')),
    );
    return;
  }
  const confirm = t('Restore');
  const facts = engine.look();
  const lost = paths.length > 0 ? [] : lossesSince(picked.atMs, guard.sessions.active?.ledger.entries ?? []);
  const answer = await vscode.window.showWarningMessage(
    paths.length === 0
      ? t('Restore the workspace to the state {0}?', picked.why)
      : t('Restore {0} to the state {1}?', paths.map((one) => shownPath(one, facts)).join(', '), picked.why),
    { modal: true, detail: detailOf(preview.value, lost, (file) => shownPath(file, facts)) },
    confirm,
  );
  if (answer !== confirm) return;
  const result = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t('Restoring…') },
    () => restore(checkpoints, picked.id, paths, new AbortController().signal, journal),
  );
  await tell(guard, picked.id, result);
}

/** Records a restore and says what came of it. */
async function tell(guard: Guard, checkpointId: string, result: Result<Restored, string>): Promise<void> {
  if (!result.ok) {
    await vscode.window.showErrorMessage(result.error);
    return;
  }
  const { restored, skipped } = result.value;
  await guard.sessions.active?.ledger.write({ type: 'restored', checkpointId, files: restored });
  const summary = t('{0} The state before is kept as a checkpoint too.', restoredWords(restored));
  await (skipped.length === 0
    ? vscode.window.showInformationMessage(summary)
    : vscode.window.showWarningMessage(`${summary} ${skipped.join(' ')}`));
}

/** What is said before a restore: the changes, what it cannot bring back, and what was done that no restore takes back. */
export function detailOf(
  { changes, cannot }: RestorePreview,
  lost: readonly string[],
  shown: (file: string) => string,
): string {
  const lines = changes.slice(0, MAX_SHOWN).map((change) => `${changeWords(change)}: ${shown(change.path)}`);
  const more = changes.length > MAX_SHOWN ? [t('… and {0} more', changes.length - MAX_SHOWN)] : [];
  const never =
    lost.length > 0
      ? [t('This stays done:'), ...lost]
      : [t('What was sent, installed elsewhere or done in a database stays as it is.')];
  return [...lines, ...more, ...(cannot.length > 0 ? ['', ...cannot] : []), '', ...never].join('\n');
}

/** What was filled since a moment and no restore of files takes back, in sentences. */
export const lossesSince = (atMs: number, entries: readonly Entry[]): readonly string[] =>
  cannotUndo(
    entries
      .filter(({ startedAtMs, outcome }) => startedAtMs >= atMs && outcome !== null && DONE.has(outcome.type))
      .flatMap(({ analysis }) => analysis?.effects ?? []),
  );

const DONE: ReadonlySet<string> = new Set(['filled', 'partly', 'failed', 'timed-out', 'cancelled']);

/** Names of files that a restore would change and that an editor holds unsaved text for. */
export const unsavedAmong = (changes: readonly Change[]): readonly string[] =>
  vscode.workspace.textDocuments
    .filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file')
    .filter(({ uri }) => changes.some((change) => isSelected(uri.fsPath, [change.path])))
    .map(({ uri }) => vscode.workspace.asRelativePath(uri));

async function pick(store: WatchedCheckpoints): Promise<CheckpointInfo | null> {
  const all = await store.list();
  const newest = all.at(-1);
  if (newest === undefined) {
    await vscode.window.showInformationMessage(t('There are no checkpoints yet: one is taken before each change.'));
    return null;
  }
  // Looking at one takes a checkpoint of the present state, which all are compared with.
  await previewRestore(store, newest.id, []);
  const now = (await store.list()).at(-1) ?? newest;
  const offered = all.slice(-MAX_OFFERED).toReversed();
  const items = await Promise.all(
    offered.map(async (checkpoint) => ({
      label: `$(history) ${oneLine(checkpoint.why)}`,
      description: new Date(checkpoint.atMs).toLocaleString(),
      detail: wouldChangeWords(await store.changes(now.id, checkpoint.id, [])),
      checkpoint,
    })),
  );
  const picked = await vscode.window.showQuickPick(items, {
    title: t('Roll Back'),
    placeHolder: t('The state to go back to'),
    matchOnDescription: true,
  });
  return picked?.checkpoint ?? null;
}

/** What going back to a state would change now, in a line: by it a person knows the state that they mean. */
export function wouldChangeWords(changes: readonly Change[]): string {
  const files = changes.filter(({ to, from }) => (to ?? from)?.type !== 'folder');
  if (files.length === 0) return t('as it is now');
  const names = files.slice(0, MAX_NAMED).map((change) => `${nameOf(change.path)} ${changeWords(change)}`);
  const more = files.length - names.length;
  return [...names, ...(more > 0 ? [t('and {0} more', more)] : [])].join(', ');
}

/** What was restored: its name where it is one file, else how many. */
const restoredWords = ([first, ...others]: readonly string[]): string =>
  first !== undefined && others.length === 0
    ? t('Restored: {0}.', nameOf(first))
    : t('Restored {0} files.', first === undefined ? 0 : others.length + 1);

const nameOf = (file: string): string => oneLine(vscode.workspace.asRelativePath(file));

/** What a person can do about a restore that stopped in the middle. */
export type Remedy = 'finish' | 'take-back' | 'leave';

/**
 * Finishes the deletions that a crash stopped, and asks about restores of these folders that it stopped: to be finished, taken
 * back, or left so. Whatever is said is settled by it; a question that is closed comes again at the next start.
 */
export async function afterACrash(
  store: Checkpoints & CheckpointSource,
  journal: Journal,
  roots: readonly string[],
  ask: (atMs: number) => PromiseLike<Remedy | null>,
): Promise<void> {
  for (const { act, atMs, settle } of finishWhatWasLeft(journal)) {
    if (!act.roots.every((root) => roots.includes(root))) continue;
    const remedy = await ask(atMs);
    if (remedy === null) continue;
    const { signal } = new AbortController();
    if (remedy === 'finish') await restore(store, act.checkpointId, act.paths, signal, journal);
    if (remedy === 'take-back') await restore(store, act.before, act.paths, signal, journal);
    settle();
  }
}

/** Deals with what a process that died left in the middle; opens the engine only where there is something. */
export async function settleAfterACrash(guard: Guard): Promise<void> {
  if (new JournalFolder(journalFolder(stateFolder())).left().length === 0) return;
  const { checkpoints, journal, engine } = await guard.engine();
  await afterACrash(checkpoints, journal, engine.look().roots, askAboutRestore);
}

/** Asks by a notification. */
async function askAboutRestore(atMs: number): Promise<Remedy | null> {
  const choices: ReadonlyMap<string, Remedy> = new Map([
    [t('Finish It'), 'finish'],
    [t('Take It Back'), 'take-back'],
    [t('Leave It So'), 'leave'],
  ]);
  const said = await vscode.window.showWarningMessage(
    t(
      'A restore was interrupted at {0}: some files may be as they were, and others not.',
      new Date(atMs).toLocaleString(),
    ),
    ...choices.keys(),
  );
  return said === undefined ? null : (choices.get(said) ?? null);
}
