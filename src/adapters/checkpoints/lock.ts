import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { isSystemError } from './disk.js';

const WAIT_MS = 25;
const STALE_MS = 10 * 60_000;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isSystemError(error) && error.code === 'EPERM'; // somebody else's, and alive
  }
}

/** Whether the holder of a lock is gone: its process ended, or the lock is older than any work under it. */
function isStale(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    const isOld = Date.now() - statSync(file).mtimeMs > STALE_MS;
    return isOld || (Number.isInteger(pid) && pid > 0 && pid !== process.pid && !isRunning(pid));
  } catch (error) {
    if (isSystemError(error)) return false; // released meanwhile: the next try tells
    throw error;
  }
}

function tryLock(file: string): boolean {
  try {
    const handle = openSync(file, 'wx', 0o600);
    writeSync(handle, String(process.pid));
    closeSync(handle);
    return true;
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Runs work while holding a lock file, so that two windows or a window and the command line do not write to one store at once.
 * The lock of a process that has died is taken over. Rejects when it cannot be had in time.
 */
export async function withLock<T>(file: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const endsAt = Date.now() + timeoutMs;
  while (!tryLock(file)) {
    if (isStale(file)) rmSync(file, { force: true });
    else if (Date.now() > endsAt) throw new Error('The checkpoint store is in use by another process.');
    else await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
