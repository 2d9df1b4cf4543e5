import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { build } from 'esbuild';
import { repository } from './host/place.js';

/** Bundles each of the entries of an extension that only tests use, beside a copy of its manifest, into `out/<name>`. Returns that folder. */
export async function buildTestExtension(name: string, source: string, entries: readonly string[]): Promise<string> {
  const outdir = path.join(repository, 'out', name);
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: entries.map((entry) => path.join(repository, source, entry)),
    outdir,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    logLevel: 'warning',
  });
  cpSync(path.join(repository, source, 'package.json'), path.join(outdir, 'package.json'));
  return outdir;
}

/** Another extension, with a tool of the editor and a server of the Model Context Protocol, for what it takes to stand beside one. */
export const buildNeighbour = (): Promise<string> =>
  buildTestExtension('neighbour', 'test/host/neighbour', ['extension.ts', 'mcpServer.ts']);

/** Packs the folder of such an extension. Returns the VSIX file, which lies beside the folder. */
export async function packTestExtension(folder: string): Promise<string> {
  const packagePath = `${folder}.vsix`;
  await createVSIX({
    cwd: folder,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    skipLicense: true,
    allowPackageAllSecrets: true,
  });
  return packagePath;
}
