import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isSystemError } from './disk.js';

function readLine(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}

/** Where a workspace folder's repository keeps its own files; null without git. In a worktree or submodule `.git` is a file. */
function gitFolderOf(root: string): string | null {
  const place = path.join(root, '.git');
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return place;
  const target = stats?.isFile() === true ? /^gitdir: (.+)$/m.exec(readLine(place) ?? '')?.[1] : undefined;
  return target === undefined ? null : path.resolve(root, target);
}

/** A ref's commit, from its own file or from the packed ones. */
function commitOf(ref: string, folder: string): string | null {
  const shared = readLine(path.join(folder, 'commondir'));
  const folders = shared === null ? [folder] : [folder, path.resolve(folder, shared)];
  for (const one of folders) {
    const loose = readLine(path.join(one, ref));
    if (loose !== null && /^[0-9a-f]{40,64}$/.test(loose)) return loose;
    const packed = (readLine(path.join(one, 'packed-refs')) ?? '').split('\n').find((line) => line.endsWith(` ${ref}`));
    if (packed !== undefined) return packed.split(' ')[0] ?? null;
  }
  return null;
}

/** The commit that HEAD names, told without git; null without a repository or before its first commit. */
export function headOf(root: string): string | null {
  const folder = gitFolderOf(root);
  const head = folder === null ? null : readLine(path.join(folder, 'HEAD'));
  if (folder === null || head === null) return null;
  const ref = /^ref: (.+)$/.exec(head)?.[1];
  return ref === undefined ? head : commitOf(ref, folder);
}
