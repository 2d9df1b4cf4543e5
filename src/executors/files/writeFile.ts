import type { Executor } from '../../core/gate/executor.js';
import type { Outcome } from '../../core/gate/outcome.js';
import { executor, type Bench } from '../fill.js';
import { ownWords } from '../output.js';
import type { Folder } from './folder.js';
import { inMadeFolder, placeOfParam, type FilesOptions, type Place } from './place.js';
import { Pending, readIn, type Snapshot } from './replace.js';
import { decodeText, inClothesOf } from './text.js';

/** Largest file that is written or edited in place, in bytes. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** The file's old state: null when nothing is there. */
function before(folder: Folder, name: string): Snapshot | 'not-a-file' | 'too-large' | null {
  const read = readIn(folder, name, MAX_FILE_BYTES);
  if (read.ok) return read.value;
  return read.error === 'absent' ? null : read.error;
}

/**
 * Puts new bytes in place of a file, or makes it: whole beside it first, then in one step, if all is still as decided.
 * What stood there is as it was in every other case.
 */
async function put(
  folder: Folder,
  place: Place,
  make: (old: Snapshot | null) => Buffer | string,
  isStillTrue: () => Promise<boolean>,
  { report, cancel }: Bench,
): Promise<Outcome> {
  const old = before(folder, place.name);
  if (old === 'not-a-file') return report.failed(`${place.name} is not a regular file.`);
  if (old === 'too-large') return report.failed(`${place.name} is too large to be edited in one piece.`);
  const bytes = make(old);
  if (typeof bytes === 'string') return report.failed(bytes);
  if (bytes.length > MAX_FILE_BYTES) return report.failed('The content is too large to be written in one piece.');
  const pending = Pending.write(folder, place.name, bytes, old?.stats ?? null);
  if (!(await isStillTrue())) {
    pending.discard();
    return report.voided('changed');
  }
  if (cancel.aborted) {
    pending.discard();
    return report.cancelled('Cancelled; the file is as it was.');
  }
  if (!pending.commit()) return report.voided('changed');
  const lines = bytes.toString('utf8').split('\n').length;
  const words = old === null ? 'Made' : 'Wrote';
  return report.filled({
    output: ownWords(`${words} ${place.name}: ${String(bytes.length)} bytes, ${String(lines)} lines.`),
    changed: [place.path],
  });
}

/** Changes one file by a function of its old state; a text instead of bytes says why not. Shared with EditFile. */
export async function changeFile(
  place: Place,
  options: FilesOptions,
  make: (old: Snapshot | null) => Buffer | string,
  isStillTrue: () => Promise<boolean>,
  bench: Bench,
): Promise<Outcome> {
  if (options.open.unsaved(place.path) !== null)
    return bench.report.failed(
      `${place.name} has unsaved changes in the editor. They would be lost: nothing was done.`,
    );
  const done = await inMadeFolder(place, isStillTrue, async (folder, isStill) => {
    const value = await put(folder, place, make, isStill, bench);
    return { used: value.type === 'filled', value };
  });
  return done.ok ? done.value : bench.report.voided('changed');
}

/** Writes a whole file through the file system, in the clothes of the one it replaces (encoding, mark, line ends, mode). */
export const writeFileExecutor = (options: FilesOptions): Executor<'WriteFile'> =>
  executor(async ({ params, isStillTrue }, bench) => {
    const place = placeOfParam(params.path, options.look(), 'follow');
    const make = (old: Snapshot | null): Buffer => {
      const text = old === null ? null : decodeText(old.bytes);
      return inClothesOf(text?.ok === true ? text.value : null, params.content);
    };
    return changeFile(place, options, make, isStillTrue, bench);
  });
