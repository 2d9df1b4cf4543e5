import { randomBytes } from 'node:crypto';
import { readdirSync, renameSync, rmdirSync, rmSync, unlinkSync, type Stats } from 'node:fs';
import path from 'node:path';
import type { Executor } from '../../core/gate/executor.js';
import type { Outcome } from '../../core/gate/outcome.js';
import type { Journal } from '../../core/unfinished.js';
import { executor, explainSystemError, isSystemError, type Bench } from '../fill.js';
import { ownWords } from '../output.js';
import { isUntouched, lookAt, type Folder } from './folder.js';
import { inFolder, placeOfParam, type FilesOptions, type Place } from './place.js';

/**
 * Takes a folder away with all in it: out of its place in one step, then piece by piece. What cannot be deleted goes back to
 * its place, and the outcome says that the rest is gone. Noted in the journal: killed in the middle it is finished at the next
 * start.
 */
function removeTree(folder: Folder, place: Place, seen: Stats, journal: Journal, { report }: Bench): Outcome {
  const aside = `.lacuna-${String(process.pid)}-${randomBytes(6).toString('hex')}.trash`;
  const { dev: device, ino: inode, birthtimeMs: bornMs } = seen;
  const settle = journal.begin({ type: 'delete', path: path.join(folder.path, aside), device, inode, bornMs });
  renameSync(folder.at(place.name), folder.at(aside));
  try {
    rmSync(folder.at(aside), { recursive: true });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    renameSync(folder.at(aside), folder.at(place.name));
    settle();
    return report.failed(`It could be deleted in part only: ${explainSystemError(error)}.`, { damage: [place.path] });
  }
  settle();
  return report.filled({ output: ownWords(`Deleted the folder ${place.name}.`), changed: [place.path] });
}

async function remove(
  folder: Folder,
  place: Place,
  how: { readonly isRecursive: boolean; readonly journal: Journal },
  isStillTrue: () => Promise<boolean>,
  bench: Bench,
): Promise<Outcome> {
  const { report, cancel } = bench;
  const seen = lookAt(folder.at(place.name));
  if (seen === null) return report.failed(`There is no file or folder ${place.name}.`);
  const isFull = seen.isDirectory() && readdirSync(folder.at(place.name)).length > 0;
  if (isFull && !how.isRecursive)
    return report.failed(`The folder ${place.name} is not empty. Set recursive to delete all in it.`);
  if (!(await isStillTrue())) return report.voided('changed');
  if (cancel.aborted) return report.cancelled();
  const now = lookAt(folder.at(place.name)); // no await from here on
  if (now === null || !isUntouched(now, seen) || !folder.isStillThere()) return report.voided('changed');
  if (isFull) return removeTree(folder, place, now, how.journal, bench);
  if (seen.isDirectory()) rmdirSync(folder.at(place.name));
  else unlinkSync(folder.at(place.name));
  return report.filled({ output: ownWords(`Deleted ${place.name}.`), changed: [place.path] });
}

/** Deletes a file, a link (not what it points at), or a folder, through the file system. */
export const deleteFileExecutor = (options: FilesOptions): Executor<'DeleteFile'> =>
  executor(async ({ params, isStillTrue }, bench) => {
    const place = placeOfParam(params.path, options.look(), 'keep');
    if (options.open.unsaved(place.path) !== null)
      return bench.report.failed(
        `${place.name} has unsaved changes in the editor. They would be lost: nothing was done.`,
      );
    const done = await inFolder(place, (folder) =>
      remove(folder, place, { isRecursive: params.recursive === true, journal: options.journal }, isStillTrue, bench),
    );
    if (done.ok) return done.value;
    return done.error === 'absent'
      ? bench.report.failed(`There is no file or folder ${place.name}.`)
      : bench.report.voided('changed');
  });
