import { rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { repository } from './host/place.js';

/** Bundles the suites that run inside an extension host, one file each, into `out/host`. Returns the entry to name to the host. */
export async function buildHostSuites(): Promise<string> {
  const outdir = path.join(repository, 'out/host');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: repository,
    entryPoints: ['test/host/index.ts', 'test/host/*.suite.ts'],
    outbase: 'test/host',
    outdir,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode', 'mocha', 'node-llama-cpp', '@anthropic-ai/sandbox-runtime'],
    alias: { 'web-tree-sitter': path.join(repository, 'node_modules/web-tree-sitter/web-tree-sitter.cjs') },
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return path.join(outdir, 'index.js');
}
