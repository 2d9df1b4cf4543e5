import { existsSync, readdirSync } from 'node:fs';
import * as vscode from 'vscode';
import { journalFolder, stateFolder } from '../../adapters/stateFolder.js';
import type { Guard } from '../guard.js';
import { compare } from './checkpointPages.js';
import type { CheckpointRow } from './checkpointTree.js';

/**
 * Registers the commands that go back: to a whole checkpoint, for one file of it, and the look at what that would change. What
 * restores is loaded when one of them is called.
 */
export const registerRollBack = (guard: Guard): vscode.Disposable =>
  vscode.Disposable.from(
    vscode.commands.registerCommand('lacuna.checkpoints.restore', async (row?: CheckpointRow) =>
      (await import('./rollBack.js')).rollBackTo(guard, row),
    ),
    vscode.commands.registerCommand('lacuna.checkpoints.restoreFile', async (row?: CheckpointRow) =>
      (await import('./rollBack.js')).rollBackFile(guard, row),
    ),
    vscode.commands.registerCommand('lacuna.checkpoints.compare', async (row?: CheckpointRow) => {
      if (row?.type === 'change') await compare(row.change);
    }),
  );

/** At the start: looks whether there are notes of acts that did not end, and loads what deals with them only then. */
export async function askAfterACrash(guard: Guard): Promise<void> {
  const folder = journalFolder(stateFolder());
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  await (await import('./rollBack.js')).settleAfterACrash(guard);
}
