import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { repository } from './host/place.js';
import { mustRun } from './run.js';

/** What of the sample stays out of its first commit: work that only exists on disk, as everybody has some. */
const UNCOMMITTED = ['notes'];

/**
 * Puts a copy of the sample shop into a folder, as a repository of its own with one commit, and a note that no commit holds.
 * Without git the files alone are there.
 */
export async function copySample(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.dirname(folder), { recursive: true });
  cpSync(path.join(repository, 'samples/shop'), folder, { recursive: true });
  const git = (...args: string[]): Promise<string> =>
    mustRun(
      'git',
      ['-c', 'user.name=Shop', '-c', 'user.email=shop@example.com', ...args],
      'The sample could not be committed',
      {
        cwd: folder,
      },
    );
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all', '--', '.', ...UNCOMMITTED.map((name) => `:!${name}`));
  await git('commit', '--quiet', '--message=A small shop');
}

/** The sample in its usual place: kept from last time, so that nobody's changes are lost, unless a new one is wanted. */
export async function sampleFolder(wanted: 'kept' | 'fresh'): Promise<string> {
  const folder = path.join(repository, 'out/sample/shop');
  if (wanted === 'fresh' || !existsSync(folder)) await copySample(folder);
  return folder;
}
