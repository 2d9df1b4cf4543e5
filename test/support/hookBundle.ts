import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';

const repository = path.resolve(import.meta.dirname, '../..');
let built: string | null = null;

/** Builds the bundles, with the plugin beside them, into a folder of the tests: once for a run. Returns the folder. */
export function hookBundle(): string {
  if (built !== null) return built;
  const folder = path.join(repository, 'out/hookTests');
  execFileSync(process.execPath, ['esbuild.js', '--out', path.join(folder, 'dist')], {
    cwd: repository,
    stdio: 'ignore',
  });
  cpSync(path.join(repository, 'plugin'), path.join(folder, 'plugin'), { recursive: true });
  return (built = folder);
}
