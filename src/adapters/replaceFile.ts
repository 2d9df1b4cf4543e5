import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Replaces the text of a file at once: it is written beside and moved into place, so that it is the old or the new one. */
export function replaceFile(file: string, text: string, mode: number): void {
  const fresh = `${file}.${String(process.pid)}.new`;
  try {
    const handle = openSync(fresh, 'wx', mode);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}
