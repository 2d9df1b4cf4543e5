import { lstatSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { FIELDS, type Answer, type KnownFiles, type Order } from './lookProtocol.js';

/** What this thread compares with: folder → its files. */
const known = new Map<string, KnownFiles>();

/** Whether all files of a folder are what they were, and none changed so late that a further change would not show. */
function areUntouched({ folder, names, numbers }: KnownFiles, racyFromMs: number): boolean {
  for (let index = 0; index < names.length; index += 1) {
    const stats = lstatSync(`${folder}/${names[index] ?? ''}`, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    const at = index * FIELDS;
    const isSame =
      stats.mtimeMs === numbers[at] &&
      stats.ctimeMs === numbers[at + 1] &&
      stats.size === numbers[at + 2] &&
      stats.ino === numbers[at + 3] &&
      stats.mode === numbers[at + 4];
    if (!isSame || Math.max(stats.mtimeMs, stats.ctimeMs) > racyFromMs) return false;
  }
  return true;
}

/** As {@link areUntouched}; a folder that cannot be looked into counts as touched: the pass itself finds out why. */
function isUntouched(files: KnownFiles, racyFromMs: number): boolean {
  try {
    return areUntouched(files, racyFromMs);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

parentPort?.on('message', (order: Order) => {
  if (order.type === 'know') {
    for (const folder of order.forget) known.delete(folder);
    for (const files of order.learn) known.set(files.folder, files);
    return;
  }
  const touched = [...known.values()].filter((files) => !isUntouched(files, order.racyFromMs));
  const answer: Answer = { touched: touched.map(({ folder }) => folder) };
  parentPort?.postMessage(answer);
});
