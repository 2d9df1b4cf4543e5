import { buildSync } from 'esbuild';
import path from 'node:path';

/** Bundles the module that looking threads run into a folder, as the extension's build does, and gives its path. */
export function buildLookWorker(folder: string): string {
  const outfile = path.join(folder, 'lookWorker.cjs');
  buildSync({
    entryPoints: [path.join(import.meta.dirname, '../../src/adapters/checkpoints/lookWorker.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'warning',
  });
  return outfile;
}
