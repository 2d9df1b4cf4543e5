import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Journal, LongAct, Unfinished } from '../core/unfinished.js';
import { isSystemError } from './fill.js';
import { lookAt, openFolder } from './files/folder.js';

/** Deletes what is left of a folder that was put aside; nothing when another thing stands there by now. */
function finishDelete(act: Extract<LongAct, { readonly type: 'delete' }>): void {
  const aside = act.path;
  const opened = openFolder(path.dirname(aside));
  if (!opened.ok) return;
  try {
    const name = path.basename(aside);
    const now = lookAt(opened.value.at(name));
    const isTheOne = now?.dev === act.device && now.ino === act.inode && now.birthtimeMs === act.bornMs;
    if (now?.isDirectory() === true && isTheOne) rmSync(opened.value.at(name), { recursive: true });
  } finally {
    opened.value.close();
  }
}

/**
 * Finishes the deletions that dead processes left in the middle: they were permitted, and the checkpoint before each has all of
 * it. Returns what is for a person to say: restores that stopped in the middle. What cannot be deleted is tried again next time.
 */
export function finishWhatWasLeft(
  journal: Journal,
): readonly (Unfinished & { readonly act: Extract<LongAct, { readonly type: 'restore' }> })[] {
  return journal.left().flatMap((one) => {
    const { act, atMs } = one;
    const settle = (): void => {
      one.settle();
    };
    if (act.type === 'restore') return [{ act, atMs, settle }];
    try {
      finishDelete(act);
      settle();
    } catch (error) {
      if (!isSystemError(error)) throw error; // still held by someone: the note stays for the next start
    }
    return [];
  });
}
