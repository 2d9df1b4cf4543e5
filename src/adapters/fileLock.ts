import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 5;
/** A lock whose owner cannot be seen is taken over after this time. */
const STALE_MS = 10_000;
/** No work under a lock takes so long: its owner is gone, and another process has its number now. */
const OLDEST_MS = 10 * 60_000;
const DEFAULT_PATIENCE_MS = 5_000;

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Whether the process that took the lock is gone. A lock without a readable owner is judged by its age. */
function isAbandoned(file: string): boolean {
  try {
    const owner = Number(readFileSync(file, 'utf8'));
    const ageMs = Date.now() - statSync(file).mtimeMs;
    if (!Number.isInteger(owner) || owner <= 0) return ageMs > STALE_MS;
    process.kill(owner, 0);
    return ageMs > OLDEST_MS;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

function take(file: string): boolean {
  try {
    const handle = openSync(file, 'wx', 0o600);
    try {
      writeFileSync(handle, String(process.pid));
    } finally {
      closeSync(handle);
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Does something while no other process that asks for the same lock file does. A lock left by a dead process is taken over.
 * Rejects when the lock is not free within `patienceMs`.
 */
export async function withFileLock<T>(
  file: string,
  work: () => Promise<T> | T,
  patienceMs = DEFAULT_PATIENCE_MS,
): Promise<T> {
  for (const start = Date.now(); !take(file);) {
    if (isAbandoned(file)) rmSync(file, { force: true });
    else if (Date.now() - start > patienceMs) throw new Error(`${file} is held by another process.`);
    else await sleep(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
