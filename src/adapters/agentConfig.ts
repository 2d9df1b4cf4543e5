import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { replaceFile } from './replaceFile.js';
import { ownFolder } from './stateFolder.js';

/**
 * Text of a file; null when it is not there. Throws when it is there and cannot be read, and when it is not UTF-8: written back, it
 * would have lost what this does not hold.
 */
export function readConfig(file: string): string | null {
  if (!existsSync(file)) return null;
  const bytes = readFileSync(file);
  if (!isUtf8(bytes)) throw new Error(`${file} is not text in UTF-8.`);
  return bytes.toString('utf8');
}

/** Folder of the copies that are made before an agent's configuration is changed. */
export const backupsFolder = (state: string): string => path.join(state, 'backups');

/**
 * Changes a file of an agent's configuration as a person has seen it, after a copy of it was put aside. Throws, and changes
 * nothing, when the file is no longer what they saw. Null: it is not there, before or afterwards.
 */
export function changeConfig(
  state: string,
  { file, before, after }: { readonly file: string; readonly before: string | null; readonly after: string | null },
): void {
  if (readConfig(file) !== before) throw new Error(`${file} has changed meanwhile; nothing was done.`);
  if (before !== null) writeFileSync(backupFile(state, file), before, { mode: 0o600, flag: 'wx' });
  if (after === null) {
    rmSync(file, { force: true });
    return;
  }
  // A link stays a link: what it names is replaced. People keep such files in a folder of their own.
  if (before === null) {
    const target = linkedBy(file);
    mkdirSync(path.dirname(target), { recursive: true });
    replaceFile(target, after, 0o600);
  } else replaceFile(realpathSync(file), after, statSync(file).mode & 0o777);
}

/** Where a link leads whose target is not there yet; the file itself where it is none. */
function linkedBy(file: string): string {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? path.resolve(path.dirname(file), readlinkSync(file)) : file;
}

/** A new name for the copy of a file: when, which agent's folder, which file. */
function backupFile(state: string, file: string): string {
  const when = new Date().toISOString().replace(/[:.]/g, '-');
  const name = [path.basename(path.dirname(file)), path.basename(file)].join('-').replace(/[^\w.-]/g, '_');
  const folder = ownFolder(backupsFolder(state));
  for (let more = 0; ; more += 1) {
    const copy = path.join(folder, `${when}-${String(more)}-${name}`);
    if (!existsSync(copy)) return copy;
  }
}
