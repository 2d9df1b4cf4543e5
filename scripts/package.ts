import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { repository } from './host/place.js';
import { mustRun } from './run.js';
import { main, say } from './say.js';

/** The part of a package.json that packing looks at. */
interface Manifest {
  readonly version: string;
  readonly main?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Packages that cannot be bundled and go along whole. */
const WHOLE = ['@anthropic-ai/sandbox-runtime'];
/** The engine that language models run in, with its binaries for one system: in VSIX files of that system alone. */
const engineFor = (system: string): readonly string[] => ['node-llama-cpp', `@node-llama-cpp/${system}`];
/** The names that editors and the engine's packages have for this system. */
const THIS_SYSTEM = {
  target: `${process.platform}-${process.arch}`,
  engine: `${{ win32: 'win', darwin: 'mac' }[process.platform as string] ?? process.platform}-${process.arch}${process.platform === 'darwin' && process.arch === 'arm64' ? '-metal' : ''}`,
};
/** Files of such a package that are used when it runs. */
const USED = /(^|\/)(package\.json|LICEN[CS]E[^/]*)$|\.(c?js|mjs|json|jar)$|(^|\/)vendor\/seccomp\/|(^|\/)bins\//;
/** Parts of such a package that are of no use here: sources, and programs for systems on which the sandbox is not offered. */
const UNUSED =
  /(^|\/)(vendor\/srt-win|flash|templates|llama\/(?:addon|cmake|gitRelease\.bundle|patches|profiles|toolchains|xpack))(\/|$)|\.test\.|(?<!\/index)\.min\.js$|\.ts$/;

/** Files of the repository that the package shows to people. */
const SHOWN = [
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'package.nls.json',
  'l10n',
  'media',
  'models',
  'plugin',
  '.vscodeignore',
];

/**
 * Builds for release in a folder of its own and packs the extension from there, so that nothing but what was put there can get
 * in. `with-engine` packs for this system, the engine of the reviewer's language models included; `small` for every system, where
 * the linear reviewer stands in for them. Returns the VSIX file.
 */
export async function packageExtension(size: 'small' | 'with-engine' = 'small'): Promise<string> {
  const stage = path.join(repository, 'out/package');
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  const dist = path.join(stage, 'dist');
  await mustRun('node', ['esbuild.js', '--release', '--out', dist], 'The build failed', { cwd: repository });
  for (const name of SHOWN) {
    if (existsSync(path.join(repository, name)))
      cpSync(path.join(repository, name), path.join(stage, name), { recursive: true });
  }
  const manifest = readManifest(repository);
  writeFileSync(path.join(stage, 'package.json'), JSON.stringify(published(manifest), null, 2));
  const whole = size === 'small' ? WHOLE : [...WHOLE, ...engineFor(THIS_SYSTEM.engine)];
  for (const name of whole) copyPackage(name, path.join(repository, 'package.json'), path.join(dist, 'node_modules'));
  const vsix = path.join(
    repository,
    'out',
    `lacuna-${size === 'small' ? '' : `${THIS_SYSTEM.target}-`}${manifest.version}.vsix`,
  );
  // There is no repository address to make links of the README absolute with.
  const asWritten = { allowMissingRepository: true, rewriteRelativeLinks: false };
  const target = size === 'small' ? {} : { target: THIS_SYSTEM.target };
  await withoutTalk(() => createVSIX({ cwd: stage, packagePath: vsix, dependencies: false, ...target, ...asWritten }));
  return vsix;
}

/** The packing tool lists each file on the console and gives advice that does not fit here; when it fails, what it said is told. */
async function withoutTalk(work: () => Promise<unknown>): Promise<void> {
  const said: string[] = [];
  const { log, info, warn, error } = console;
  const keep = (...words: readonly unknown[]): number => said.push(words.map(String).join(' '));
  Object.assign(console, { log: keep, info: keep, warn: keep, error: keep });
  try {
    await work();
  } catch (failure) {
    throw new Error(`The package could not be made.\n${said.slice(-20).join('\n')}`, { cause: failure });
  } finally {
    Object.assign(console, { log, info, warn, error });
  }
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;

/** The manifest as users get it: without what only the repository needs. */
function published(manifest: Manifest): object {
  const tools = new Set(['scripts', 'devDependencies', 'dependencies', 'overrides', 'private']);
  return Object.fromEntries(Object.entries(manifest).filter(([key]) => !tools.has(key)));
}

/** Copies a package and all that it depends on, in the same nesting as npm has installed them. */
function copyPackage(name: string, usedBy: string, into: string): void {
  const source = packageFolder(name, usedBy);
  const target = path.join(into, name);
  const manifest = readManifest(source);
  if (existsSync(target)) return;
  const runsFromSource = /^(?:\.\/)?src\//.test(manifest.main ?? '');
  cpSync(source, target, {
    recursive: true,
    filter: (file) => {
      const relative = path.relative(source, file).split(path.sep).join('/');
      const isSource = !runsFromSource && /^src(\/|$)/.test(relative);
      if (relative.startsWith('node_modules') || isSource || UNUSED.test(relative)) return false;
      return statSync(file).isDirectory() || USED.test(relative);
    },
  });
  for (const dependency of Object.keys(manifest.dependencies ?? {})) {
    const isNested = existsSync(path.join(source, 'node_modules', dependency));
    copyPackage(dependency, path.join(source, 'package.json'), isNested ? path.join(target, 'node_modules') : into);
  }
}

/** Folder of a package as its user resolves it. Walked up by hand: `exports` may hide the package.json. */
function packageFolder(name: string, usedBy: string): string {
  const folders = createRequire(usedBy).resolve.paths(name) ?? [];
  const found = folders
    .map((folder) => path.join(folder, name))
    .find((folder) => existsSync(path.join(folder, 'package.json')));
  if (found === undefined) throw new Error(`${name} is not installed: run npm ci`);
  return found;
}

if (process.argv[1] === import.meta.filename) {
  main(async () => {
    const vsix = await packageExtension(process.argv.includes('--engine') ? 'with-engine' : 'small');
    say(`${path.relative(repository, vsix)}: ${(statSync(vsix).size / 1024 / 1024).toFixed(1)} MB`);
    return 0;
  });
}
