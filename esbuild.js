// Bundles the extension and the command line, and puts the files they read beside them.
//   node esbuild.js             for work on Lacuna: source maps, readable
//   node esbuild.js --release   for a VSIX: minified, no maps
//   node esbuild.js --watch     builds again at each change
//   node esbuild.js --out DIR   puts the bundles somewhere else than into dist
const fs = require('node:fs');
const path = require('node:path');
const { createHash } = require('node:crypto');
const esbuild = require('esbuild');
const { joinChunks } = require('./scripts/joinChunks.js');

const release = process.argv.includes('--release');
const watch = process.argv.includes('--watch');
const named = process.argv.indexOf('--out');
const out = named < 0 ? path.join(__dirname, 'dist') : path.resolve(process.argv[named + 1]);

/** Bundles, by output name. All run on the Node of the editor and on Node 20. What they load later lies in chunks beside them. */
const entryPoints = { extension: 'src/vscode/extension.ts', lacuna: 'src/cli/main.ts' };
/** What is loaded at one go, each with all it needs: few large files are read faster than many small ones. */
const STARTS = {
  extension: ['src/vscode/extension.ts'],
  hooks: [
    'src/vscode/otherAgents.ts',
    'src/adapters/launcher.ts',
    'src/adapters/engine/server.ts',
    'src/hooks/hookEngine.ts',
    'src/hooks/hookEvent.ts',
    'src/hooks/setup/probes.ts',
    'src/hooks/refusal.ts',
  ],
  gate: ['src/vscode/engine.ts', 'src/core/gate/openSession.ts'],
  check: ['src/cli/main.ts', 'src/cli/check.ts'],
  hook: ['src/cli/main.ts', 'src/cli/hook.ts', 'src/adapters/review/open.ts'],
};
/** What is started by itself, each one file: by people and hooks (which go on with the bundle `lacuna`), and as a thread. */
const launchers = {
  cli: 'src/cli/cliMain.ts',
  hook: 'src/cli/hookMain.ts',
  lookWorker: 'src/adapters/checkpoints/lookWorker.ts',
  reviewer: 'src/adapters/review/child.ts',
};

/** Files that a bundle reads at run time, and the package whose presence in a bundle asks for them. */
const assets = [
  { package: 'web-tree-sitter', file: 'web-tree-sitter/web-tree-sitter.wasm' },
  { package: 'web-tree-sitter', file: '@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm' },
  { package: 'sql.js', file: 'sql.js/dist/sql-wasm.wasm' },
];

/** Modules of Node that are not there from the start, and that many a start does not need. */
const LATE = new Set(
  [
    'child_process',
    'crypto',
    'dns/promises',
    'fs/promises',
    'http',
    'https',
    'module',
    'net',
    'os',
    'readline',
    'tls',
    'tty',
    'v8',
  ].map((name) => `node:${name}`),
);

/** Loads a module of Node when the first thing in it is used: an import at the head of a file costs a start nothing. */
const lateNodeModules = {
  name: 'late-node-modules',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path: name, kind, namespace }) =>
      LATE.has(name) && kind === 'import-statement' && namespace === 'file'
        ? { path: name, namespace: 'late', sideEffects: false }
        : { path: name, external: true },
    );
    build.onLoad({ filter: /.*/, namespace: 'late' }, ({ path: name }) => ({
      contents: `let loaded;
const all = () => (loaded ??= require(${JSON.stringify(name)}));
for (const key of ${JSON.stringify(Object.keys(require(name)))}) {
  Object.defineProperty(exports, key, { enumerable: true, get: () => all()[key] });
}`,
    }));
  },
};

/** Of zod's error messages in all languages English is enough: they go to agents, not to people. */
const oneLanguage = {
  name: 'one-language',
  setup(build) {
    build.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js';`,
    }));
  },
};

/** Shares what two bundles or two late imports have in common. esbuild splits ES modules only, so its output is worked over. */
const asCommonJs = {
  name: 'as-common-js',
  setup(build) {
    build.onEnd(async ({ errors, outputFiles = [], metafile }) => {
      if (errors.length > 0) return;
      fs.mkdirSync(out, { recursive: true });
      for (const file of fs.readdirSync(out)) if (/^chunk-.*\.js(\.map)?$/.test(file)) fs.rmSync(path.join(out, file));
      const written = await joinChunks({ outputFiles, metafile }, STARTS, shared);
      for (const { name, code } of written) fs.writeFileSync(path.join(out, name), code);
      fs.writeFileSync(path.join(out, 'meta.json'), JSON.stringify(metafile));
      copyAssets(Object.keys(metafile.inputs));
      await buildLaunchers(identityOf(written));
    });
  },
};

/** Copies the assets that the bundles need. A missing one ends the build: found out by a user it would cost a shell its parser. */
function copyAssets(inputs) {
  for (const asset of assets) {
    if (!inputs.some((input) => input.includes(`node_modules/${asset.package}/`))) continue;
    fs.copyFileSync(require.resolve(asset.file), path.join(out, path.basename(asset.file)));
  }
}

/** A hash of all that was built, by which the launchers know whether compiled code is of this build. */
const identityOf = (written) =>
  written
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .reduce((hash, { name, code }) => hash.update(`${name}\0${code}\0`), createHash('sha256'))
    .digest('hex')
    .slice(0, 32);

const buildLaunchers = (identity) =>
  esbuild.build({
    ...shared,
    entryPoints: launchers,
    format: 'cjs',
    define: { LACUNA_BUILD: JSON.stringify(identity) },
    plugins: [lateNodeModules],
  });

/** @type {import('esbuild').BuildOptions} */
const shared = {
  absWorkingDir: __dirname,
  outdir: out,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // These find their native parts by their own place on disk, so they stay packages.
  external: ['vscode', 'node-llama-cpp', '@anthropic-ai/sandbox-runtime'],
  minify: release,
  sourcemap: release ? false : 'inline',
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'warning',
};

/** @type {import('esbuild').BuildOptions} */
const options = {
  ...shared,
  entryPoints,
  format: 'esm',
  splitting: true,
  chunkNames: 'chunk-[hash]',
  write: false,
  metafile: true,
  alias: {
    // The ESM build of the engine asks for `import.meta.url`, which a CJS bundle does not have.
    'web-tree-sitter': require.resolve('web-tree-sitter'),
    // Its main file is UMD, whose inner requires a bundler cannot see.
    'jsonc-parser': path.join(path.dirname(require.resolve('jsonc-parser/package.json')), 'lib/esm/main.js'),
  },
  plugins: [lateNodeModules, oneLanguage, asCommonJs],
};

async function main() {
  if (!watch) return esbuild.build(options);
  const context = await esbuild.context(options);
  return context.watch();
}

main().catch((error) => {
  // esbuild has printed its own messages; anything else is ours to show.
  if (!('errors' in error)) console.error(error);
  process.exitCode = 1;
});
