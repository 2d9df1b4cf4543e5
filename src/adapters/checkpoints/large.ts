import { constants, copyFileSync, existsSync, linkSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isSystemError } from './disk.js';
import type { LargeFiles } from './scan.js';

/**
 * Large files beside the objects: a clone where the file system can share blocks (then it is a true copy), else a second name,
 * which brings the file back after it was deleted, moved or replaced, but not after it was changed in place.
 */
export class LargeStore implements LargeFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  keep(file: string, sample: string): 'clone' | 'link' | 'no' {
    const clone = path.join(this.#folder, `${sample}.clone`);
    const second = path.join(this.#folder, `${sample}.link`);
    if (existsSync(clone)) return 'clone';
    if (existsSync(second)) return 'link';
    if (
      attempt(() => {
        copyFileSync(file, clone, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
      })
    )
      return 'clone';
    rmSync(clone, { force: true });
    return attempt(() => {
      linkSync(file, second);
    })
      ? 'link'
      : 'no';
  }

  /** Where the bytes of a sample are; null when they are not kept. */
  find(sample: string): string | null {
    for (const ending of ['clone', 'link']) {
      const file = path.join(this.#folder, `${sample}.${ending}`);
      if (existsSync(file)) return file;
    }
    return null;
  }

  /** Bytes that are held by the store alone. */
  sizeBytes(): number {
    return readdirSync(this.#folder).reduce((sum, name) => {
      const stats = lstatSync(path.join(this.#folder, name));
      return sum + (stats.nlink === 1 ? stats.size : 0);
    }, 0);
  }

  keepOnly(samples: ReadonlySet<string>): void {
    for (const name of readdirSync(this.#folder))
      if (!samples.has(name.split('.')[0] ?? '')) rmSync(path.join(this.#folder, name), { force: true });
  }
}

function attempt(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (isSystemError(error)) return false; // another file system, or one without clones or links
    throw error;
  }
}
