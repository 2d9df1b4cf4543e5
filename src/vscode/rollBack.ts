import * as vscode from 'vscode';
import { shownPath } from '../core/effects/paths.js';
import type { Change, CheckpointInfo } from '../core/checkpoint.js';
import { previewRestore, restore } from '../executors/restore.js';
import type { Guard } from './guard.js';

const { t } = vscode.l10n;

/** Most changes that are listed before a restore; the rest are counted. */
const MAX_SHOWN = 25;

/** Registers "Roll Back…": picks a checkpoint, shows what a restore would change and what it cannot, and restores when told to. */
export const registerRollBack = (guard: Guard): vscode.Disposable =>
  vscode.commands.registerCommand('lacuna.checkpoints.restore', () => rollBack(guard));

async function rollBack(guard: Guard): Promise<void> {
  const { checkpoints, engine } = await guard.engine();
  const picked = await pick(await checkpoints.list());
  if (picked === null) return;
  const preview = await previewRestore(checkpoints, picked.id, []);
  if (!preview.ok) {
    await vscode.window.showErrorMessage(preview.error);
    return;
  }
  const { changes, cannot } = preview.value;
  if (changes.length === 0) {
    await vscode.window.showInformationMessage(t('Nothing has changed since then.'));
    return;
  }
  const facts = engine.look();
  const shown = changes.slice(0, MAX_SHOWN).map((change) => lineOf(change, shownPath(change.path, facts)));
  const more = changes.length > MAX_SHOWN ? [t('… and {0} more', changes.length - MAX_SHOWN)] : [];
  const never = [...cannot, t('What was sent, installed elsewhere or done in a database stays as it is.')];
  const confirm = t('Restore');
  const answer = await vscode.window.showWarningMessage(
    t('Restore the workspace to the state {0}?', picked.why),
    { modal: true, detail: [...shown, ...more, '', ...never].join('\n') },
    confirm,
  );
  if (answer !== confirm) return;
  const result = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t('Restoring…') },
    () => restore(checkpoints, picked.id, [], new AbortController().signal),
  );
  if (!result.ok) {
    await vscode.window.showErrorMessage(result.error);
    return;
  }
  const { restored, skipped, before } = result.value;
  await guard.sessions.active?.ledger.write({ type: 'restored', checkpointId: picked.id, files: restored });
  const summary = t('{0} files restored. The state before is kept as checkpoint {1}.', restored.length, before);
  await (skipped.length === 0
    ? vscode.window.showInformationMessage(summary)
    : vscode.window.showWarningMessage(`${summary} ${skipped.join(' ')}`));
}

async function pick(all: readonly CheckpointInfo[]): Promise<CheckpointInfo | null> {
  if (all.length === 0) {
    await vscode.window.showInformationMessage(t('There are no checkpoints yet: one is taken before each change.'));
    return null;
  }
  const items = [...all].reverse().map((checkpoint) => ({
    label: `$(history) ${checkpoint.why}`,
    description: new Date(checkpoint.atMs).toLocaleString(),
    detail: t('{0} files', checkpoint.files),
    checkpoint,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: t('Roll Back'),
    placeHolder: t('The state to go back to'),
    matchOnDescription: true,
  });
  return picked?.checkpoint ?? null;
}

/** One change as a line: what comes back, what goes, what becomes as it was. */
function lineOf({ from, to }: Change, file: string): string {
  if (from === null) return t('comes back: {0}', file);
  return to === null ? t('goes: {0}', file) : t('as it was: {0}', file);
}
