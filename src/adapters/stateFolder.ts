import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Where Lacuna keeps audit, state and checkpoints: outside every workspace, for the owner only. `$XDG_STATE_HOME/lacuna`, else
 * `~/.local/state/lacuna` (XDG Base Directory 0.8); `%LOCALAPPDATA%\lacuna` on Windows. An editor passes its own storage.
 */
export function stateFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const local = process.platform === 'win32' ? environment['LOCALAPPDATA'] : environment['XDG_STATE_HOME'];
  const base =
    local !== undefined && path.isAbsolute(local)
      ? local
      : path.join(os.homedir(), ...(process.platform === 'win32' ? ['AppData', 'Local'] : ['.local', 'state']));
  return path.join(base, 'lacuna');
}

/** Where acts of several steps are noted while they go on. */
export const journalFolder = (state: string): string => path.join(state, 'unfinished');

/** Makes a folder that only its owner can look into, and its parents; leaves one that is there as it is. */
export function ownFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/**
 * A secret key kept in a file that only its owner can read, made on first use. Two processes that make it at once agree on the
 * one that came first.
 */
export function ownKey(file: string): string {
  ownFolder(path.dirname(file));
  if (!existsSync(file)) createOnce(file, randomBytes(32).toString('hex'));
  if (process.platform !== 'win32') chmodSync(file, 0o600);
  const key = readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(key))
    throw new Error(`The key in ${file} is damaged. Move the file away to start a new audit.`);
  return key;
}

/** The whole text appears at once under the name, or what another process put there stays. */
function createOnce(file: string, text: string): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, file);
  } catch (error) {
    // Another process was quicker: its key is the one.
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
