// Bundles the extension and the command line, and puts the files they read beside them.
//   node esbuild.js             for work on Lacuna: source maps, readable
//   node esbuild.js --release   for a VSIX: minified, no maps
//   node esbuild.js --watch     builds again at each change
//   node esbuild.js --out DIR   puts the bundles somewhere else than into dist
const fs = require('node:fs');
const path = require('node:path');
const esbuild = require('esbuild');

const release = process.argv.includes('--release');
const watch = process.argv.includes('--watch');
const named = process.argv.indexOf('--out');
const out = named < 0 ? path.join(__dirname, 'dist') : path.resolve(process.argv[named + 1]);

/** Bundles, by output name. All run on the Node of the editor and on Node 20. */
const entryPoints = {
  extension: 'src/vscode/extension.ts',
  cli: 'src/cli/main.ts',
  hook: 'src/cli/hookMain.ts',
  lookWorker: 'src/adapters/checkpoints/lookWorker.ts',
  reviewer: 'src/adapters/review/child.ts',
};

/** Files that a bundle reads at run time, and the package whose presence in a bundle asks for them. */
const assets = [
  { package: 'web-tree-sitter', file: 'web-tree-sitter/web-tree-sitter.wasm' },
  { package: 'web-tree-sitter', file: '@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm' },
  { package: 'web-tree-sitter', file: '@vscode/tree-sitter-wasm/wasm/tree-sitter-powershell.wasm' },
  { package: 'sql.js', file: 'sql.js/dist/sql-wasm.wasm' },
];

/** Copies the assets that the bundles need. A missing one ends the build: found out by a user it would cost a shell its parser. */
const copyAssets = {
  name: 'copy-assets',
  setup(build) {
    build.onEnd((result) => {
      const inputs = Object.keys(result.metafile?.inputs ?? {});
      for (const asset of assets) {
        if (!inputs.some((input) => input.includes(`node_modules/${asset.package}/`))) continue;
        fs.copyFileSync(require.resolve(asset.file), path.join(out, path.basename(asset.file)));
      }
    });
  },
};

/** @type {import('esbuild').BuildOptions} */
const options = {
  absWorkingDir: __dirname,
  entryPoints: Object.fromEntries(
    Object.entries(entryPoints).filter(([, file]) => fs.existsSync(path.join(__dirname, file))),
  ),
  outdir: out,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // These find their native parts by their own place on disk, so they stay packages.
  external: ['vscode', 'node-llama-cpp', '@anthropic-ai/sandbox-runtime'],
  alias: {
    // The ESM build of the engine asks for `import.meta.url`, which a CJS bundle does not have.
    'web-tree-sitter': require.resolve('web-tree-sitter'),
    // Its main file is UMD, whose inner requires a bundler cannot see.
    'jsonc-parser': path.join(path.dirname(require.resolve('jsonc-parser/package.json')), 'lib/esm/main.js'),
  },
  minify: release,
  sourcemap: release ? false : 'linked',
  sourcesContent: false,
  metafile: true,
  legalComments: 'none',
  logLevel: 'info',
  plugins: [copyAssets],
};

async function main() {
  fs.mkdirSync(out, { recursive: true });
  if (watch) {
    const context = await esbuild.context(options);
    await context.watch();
    return;
  }
  const result = await esbuild.build(options);
  fs.writeFileSync(path.join(out, 'meta.json'), JSON.stringify(result.metafile));
}

main().catch((error) => {
  // esbuild has printed its own messages; anything else is ours to show.
  if (!('errors' in error)) console.error(error);
  process.exitCode = 1;
});
