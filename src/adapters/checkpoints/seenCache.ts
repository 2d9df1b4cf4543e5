import { readFileSync } from 'node:fs';
import { isSystemError, sha256, writeWhole } from './disk.js';
import type { SeenFile, SeenFolder, SeenName } from './scan.js';
import type { TreeRow } from './tree.js';

/** A seen folder as JSON: arrays instead of maps, since there are many. */
type Saved = readonly [
  numbers: readonly [mtimeMs: number, ctimeMs: number, ino: number, fileCount: number, sizeBytes: number],
  row: TreeRow,
  hash: string,
  names: readonly (readonly [string, SeenName['type'], 0 | 1])[],
  files: readonly (readonly [string, number, number, number, number, number, TreeRow])[],
  folders: readonly (readonly [string, Saved])[],
];

const save = (seen: SeenFolder): Saved => [
  [seen.mtimeMs, seen.ctimeMs, seen.ino, seen.fileCount, seen.sizeBytes],
  seen.row,
  seen.hash,
  seen.names.map(({ name, type, isIgnored }) => [name, type, isIgnored ? 1 : 0] as const),
  [...seen.files].map(
    ([name, one]) => [name, one.mtimeMs, one.ctimeMs, one.ino, one.sizeBytes, one.mode, one.row] as const,
  ),
  [...seen.folders].map(([name, folder]) => [name, save(folder)] as const),
];

function load([numbers, row, hash, names, files, folders]: Saved): SeenFolder {
  const [mtimeMs, ctimeMs, ino, fileCount, sizeBytes] = numbers;
  return {
    mtimeMs,
    ctimeMs,
    ino,
    row,
    hash,
    fileCount,
    sizeBytes,
    names: names.map(([name, type, ignored]) => ({ name, type, isIgnored: ignored === 1 })),
    files: new Map(
      files.map(([name, fileMtimeMs, fileCtimeMs, fileIno, size, mode, fileRow]): [string, SeenFile] => [
        name,
        { mtimeMs: fileMtimeMs, ctimeMs: fileCtimeMs, ino: fileIno, sizeBytes: size, mode, row: fileRow },
      ]),
    ),
    folders: new Map(folders.map(([name, folder]) => [name, load(folder)])),
  };
}

/**
 * Writes down what was seen, for the next process, with a checksum. Losing it costs a slow pass and nothing else. It names
 * objects of the store, so that it must be dropped whenever objects are.
 */
export function saveSeen(file: string, roots: ReadonlyMap<string, SeenFolder>): void {
  const body = JSON.stringify([...roots].map(([root, seen]) => [root, save(seen)]));
  writeWhole(file, Buffer.from(`${sha256(Buffer.from(body))}\n${body}`));
}

/** What the last process saw; empty when there is nothing whole. The file is Lacuna's own and checked by its checksum. */
export function loadSeen(file: string): Map<string, SeenFolder> {
  try {
    const text = readFileSync(file, 'utf8');
    const cut = text.indexOf('\n');
    const body = text.slice(cut + 1);
    if (sha256(Buffer.from(body)) !== text.slice(0, cut)) return new Map();
    const saved = JSON.parse(body) as readonly (readonly [string, Saved])[];
    return new Map(saved.map(([root, seen]) => [root, load(seen)]));
  } catch (error) {
    if (isSystemError(error) || error instanceof SyntaxError) return new Map();
    throw error;
  }
}
