import { closeSync, constants, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { hash } from 'node:crypto';

/** Whether an error is one of the operating system's: it has a code. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';

/** SHA-256 of bytes, as 64 hex digits. */
export const sha256 = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex');

/** Makes sure that names in a folder are on disk. Not every system lets a folder be opened; there it is left to the system. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Writes a small file whole or not at all: beside it first, then in its place. For the store's own files, mode 0600. */
export function writeWhole(file: string, bytes: Uint8Array): void {
  const beside = `${file}.${String(process.pid)}.tmp`;
  const handle = openSync(beside, 'w', 0o600);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(beside, file);
  syncFolder(path.dirname(file));
}
