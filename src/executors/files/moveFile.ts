import { randomBytes } from 'node:crypto';
import { cpSync, linkSync, renameSync, rmSync, unlinkSync, type Stats } from 'node:fs';
import type { Executor } from '../../core/gate/executor.js';
import type { Outcome } from '../../core/gate/outcome.js';
import { executor, isSystemError, type Bench } from '../fill.js';
import { ownWords } from '../output.js';
import { isSameFile, isUntouched, lookAt, type Folder } from './folder.js';
import { inFolder, inMadeFolder, placeOfParam, type FilesOptions, type Place } from './place.js';

/** Whether a second name for a file could not be made because this file system has none. */
const hasNoLinks = (error: unknown): boolean =>
  isSystemError(error) && ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(error.code ?? '');

/** A file gets its new name before it loses the old one: killed between the two it has both, and nothing is overwritten. */
function relink(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!hasNoLinks(error)) throw error;
    renameSync(from, to);
    return;
  }
  unlinkSync(from);
}

/** Moves over the border of two file systems: a whole copy first, then its name, then the old one goes. */
function copyOver(source: Folder, from: string, target: Folder, to: string): void {
  const aside = `.lacuna-${String(process.pid)}-${randomBytes(6).toString('hex')}.tmp`;
  try {
    cpSync(source.at(from), target.at(aside), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    renameSync(target.at(aside), target.at(to));
  } finally {
    rmSync(target.at(aside), { recursive: true, force: true });
  }
  rmSync(source.at(from), { recursive: true });
}

/** Renames; whatever stands at the new name stays. */
function rename(source: Folder, from: Place, target: Folder, to: Place, stats: Stats): void {
  try {
    if (stats.isDirectory() || lookAt(target.at(to.name)) !== null) {
      renameSync(source.at(from.name), target.at(to.name));
    } else relink(source.at(from.name), target.at(to.name));
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'EXDEV') throw error;
    copyOver(source, from.name, target, to.name);
  }
}

async function move(
  source: Folder,
  from: Place,
  target: Folder,
  to: Place,
  isStillTrue: () => Promise<boolean>,
  { report, cancel }: Bench,
): Promise<Outcome> {
  const seen = lookAt(source.at(from.name));
  if (seen === null) return report.failed(`There is no file or folder ${from.name}.`);
  const isTaken = (): boolean => {
    const there = lookAt(target.at(to.name));
    return there !== null && !isSameFile(there, seen); // the same file: another spelling on a file system without case
  };
  if (isTaken()) return report.failed(`${to.name} is there already. Delete it first, or choose another name.`);
  if (!(await isStillTrue())) return report.voided('changed');
  if (cancel.aborted) return report.cancelled();
  const now = lookAt(source.at(from.name)); // no await from here on
  if (now === null || !isUntouched(now, seen) || isTaken()) return report.voided('changed');
  if (!source.isStillThere() || !target.isStillThere()) return report.voided('changed');
  rename(source, from, target, to, seen);
  return report.filled({ output: ownWords(`Moved ${from.name} to ${to.name}.`), changed: [from.path, to.path] });
}

/** Moves or renames a file, link or folder through the file system. Never replaces what stands at the new name. */
export const moveFileExecutor = (options: FilesOptions): Executor<'MoveFile'> =>
  executor(async ({ params, isStillTrue }, bench) => {
    const facts = options.look();
    const from = placeOfParam(params.from, facts, 'keep');
    const to = placeOfParam(params.to, facts, 'keep');
    for (const place of [from, to])
      if (options.open.unsaved(place.path) !== null)
        return bench.report.failed(`${place.name} has unsaved changes in the editor: nothing was done.`);
    const done = await inFolder(from, async (source) =>
      inMadeFolder(to, isStillTrue, async (target, isStill) => {
        const value = await move(source, from, target, to, isStill, bench);
        return { used: value.type === 'filled', value };
      }),
    );
    if (done.ok && done.value.ok) return done.value.value;
    return !done.ok && done.error === 'absent'
      ? bench.report.failed(`There is no file or folder ${from.name}.`)
      : bench.report.voided('changed');
  });
