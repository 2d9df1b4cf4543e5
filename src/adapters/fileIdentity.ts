import { statSync } from 'node:fs';

/** `device:inode` of what stands at a path, so that a file is known again under another name; null when nothing does. */
export function fileIdentity(file: string): string | null {
  try {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? null : `${String(stats.dev)}:${String(stats.ino)}`;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}
