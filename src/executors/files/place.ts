import path from 'node:path';
import type { Facts } from '../../core/effects/facts.js';
import { canonicalPath, type LastLink } from '../../core/effects/paths.js';
import { ok, err, type Result } from '../../core/result.js';
import type { Journal } from '../../core/unfinished.js';
import { lookAt, openFolder, openOrMakeFolder, unmake, type Folder, type FolderError } from './folder.js';

/** Texts that the editor holds and the disk does not have yet. */
export interface OpenTexts {
  /** Text of an open editor with unsaved changes; null when there is none for this canonical path. */
  unsaved(path: string): string | null;
}

/** Where there is no editor, nothing is unsaved. */
export const noOpenTexts: OpenTexts = { unsaved: () => null };

/** What every file executor needs. */
export interface FilesOptions {
  /** A fresh look at the world for each filling. */
  readonly look: () => Facts;
  readonly open: OpenTexts;
  readonly journal: Journal;
}

/** A file's place: the folder it stands in and its name there. Canonical. */
export interface Place {
  readonly path: string;
  readonly folder: string;
  readonly name: string;
}

/** Where a path of the parameters leads now, by the same rules as the analysis. */
export function placeOfParam(text: string, facts: Facts, lastLink: LastLink): Place {
  const canonical = canonicalPath(text, facts.roots[0] ?? '/', facts, lastLink);
  return { path: canonical, folder: path.dirname(canonical), name: path.basename(canonical) };
}

/** Holds the folder of a place while `act` runs, and lets go of it whatever happens. */
export async function inFolder<T>(
  place: Place,
  act: (folder: Folder) => Promise<T> | T,
): Promise<Result<T, FolderError>> {
  const folder = openFolder(place.folder);
  if (!folder.ok) return err(folder.error);
  try {
    return ok(await act(folder.value));
  } finally {
    folder.value.close();
  }
}

/** What came of an act in a folder, and whether it used what was made for it. */
export interface Used<T> {
  readonly used: boolean;
  readonly value: T;
}

/**
 * Like {@link inFolder}, but makes what is missing of the folder. Since making it changes the very thing that the permit hangs
 * on, the last look is taken before; `act` then gets a question that is answered already. If `act` did not use the folder, or
 * throws, what was made is taken away again. `changed` when the last look saw a change.
 */
export async function inMadeFolder<T>(
  place: Place,
  isStillTrue: () => Promise<boolean>,
  act: (folder: Folder, isStillTrue: () => Promise<boolean>) => Promise<Used<T>>,
): Promise<Result<T, FolderError | 'changed'>> {
  const isMissing = lookAt(place.folder) === null;
  if (isMissing && !(await isStillTrue())) return err('changed');
  const made: string[] = [];
  const folder = isMissing ? openOrMakeFolder(place.folder, made) : openFolder(place.folder);
  if (!folder.ok) return folder;
  let used = false;
  try {
    const answer = await act(folder.value, isMissing ? () => Promise.resolve(true) : isStillTrue);
    used = answer.used;
    return ok(answer.value);
  } finally {
    folder.value.close();
    if (!used) unmake(made);
  }
}
