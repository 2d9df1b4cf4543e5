import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { mustRun } from '../run.js';
import { say, step, Trouble } from '../say.js';
import { hostFolder, nodePackage, parts, systemChromium, VERSIONS } from './place.js';

/** What of the host is wanted: the web editor alone, or with a browser that tests can drive. */
export type Wanted = 'editor' | 'editor-and-browser';

/**
 * Makes sure that the editor host is there, and says what it does. Idempotent: what is installed already, in these
 * versions, is left alone. Needs npm and a registry; no root, no compiler.
 */
export async function install(wanted: Wanted): Promise<void> {
  const missing = missingParts(wanted);
  if (missing.length === 0) return;
  if (nodePackage === null) {
    throw new Trouble(
      `The web editor does not run on ${process.platform}-${process.arch}. Install VS Code (https://code.visualstudio.com) and try again.`,
    );
  }
  mkdirSync(hostFolder, { recursive: true });
  const release = takeLock();
  try {
    say(`Installing the editor host into ${hostFolder} (once; about ${wanted === 'editor' ? 650 : 900} MB)`);
    if (missing.includes('code-server')) await installEditor();
    if (missing.includes('@sparticuz/chromium')) await installBrowser();
    const installed = Object.fromEntries(
      Object.entries(VERSIONS).filter(([name]) => wanted === 'editor-and-browser' || name !== '@sparticuz/chromium'),
    );
    writeFileSync(parts.marker, JSON.stringify({ ...readMarker(), ...installed }, null, 2));
  } finally {
    release();
  }
}

function missingParts(wanted: Wanted): (keyof typeof VERSIONS)[] {
  const marker = readMarker();
  const hasEditor = marker['code-server'] === VERSIONS['code-server'] && marker['node'] === VERSIONS.node;
  const needsBrowser = wanted === 'editor-and-browser' && browserComesFromNpm();
  const hasBrowser = marker['@sparticuz/chromium'] === VERSIONS['@sparticuz/chromium'];
  return [
    ...(hasEditor && existsSync(parts.server) && existsSync(parts.node) ? [] : (['code-server'] as const)),
    ...(!needsBrowser || (hasBrowser && existsSync(parts.chromium)) ? [] : (['@sparticuz/chromium'] as const)),
  ];
}

/** The npm Chromium is built for Linux on x64; elsewhere the machine's own is used. */
const browserComesFromNpm = (): boolean =>
  process.env['LACUNA_CHROMIUM'] === undefined &&
  ((process.platform === 'linux' && process.arch === 'x64') || systemChromium() === null);

async function installEditor(): Promise<void> {
  await step(
    `Fetching VS Code for the browser (code-server ${VERSIONS['code-server']}) and Node ${VERSIONS.node}`,
    () => npmInstall(hostFolder, [`code-server@${VERSIONS['code-server']}`, `${nodePackage}@${VERSIONS.node}`]),
  );
  // The package's own script would do this with install scripts on, and stop at a compiler. All native parts that the
  // editor needs come prebuilt.
  await step('Fetching what VS Code itself needs', () => npmInstall(parts.editor, []));
  // The run times of other agents, which nothing here uses: 200 MB.
  for (const unused of ['@microsoft/mxc-sdk', '@github/copilot-sdk-linux-x64']) {
    rmSync(path.join(parts.editor, 'node_modules', unused), { recursive: true, force: true });
  }
}

async function installBrowser(): Promise<void> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Trouble('No Chromium was found. Install one, or name it in LACUNA_CHROMIUM.');
  }
  await step(`Fetching a headless Chromium ${VERSIONS['@sparticuz/chromium']}`, async () => {
    await npmInstall(hostFolder, [`@sparticuz/chromium@${VERSIONS['@sparticuz/chromium']}`]);
    const folder = path.dirname(parts.chromium);
    mkdirSync(folder, { recursive: true });
    const unpack = (name: string): Buffer => brotliDecompressSync(readFileSync(path.join(parts.chromiumPackage, name)));
    for (const name of ['al2023.tar', 'fonts.tar']) {
      const tar = path.join(folder, name);
      writeFileSync(tar, unpack(`${name}.br`));
      await mustRun('tar', ['xf', tar, '-C', folder], 'Chromium could not be unpacked');
      rmSync(tar);
    }
    writeFileSync(parts.chromium, unpack('chromium.br'), { mode: 0o755 });
  });
}

/** Installs packages without running their scripts. With none named, those that the folder's own package.json asks for. */
async function npmInstall(folder: string, packages: readonly string[]): Promise<void> {
  const own = path.join(folder, 'package.json');
  if (!existsSync(own)) writeFileSync(own, JSON.stringify({ name: 'lacuna-host', private: true }));
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--omit=dev', '--no-package-lock'];
  await mustRun(
    'npm',
    ['install', ...flags, ...packages],
    'The editor host could not be installed. Check the network and the npm registry (npm ping), then try again',
    { cwd: folder },
  );
}

function readMarker(): Readonly<Record<string, string>> {
  if (!existsSync(parts.marker)) return {};
  try {
    return JSON.parse(readFileSync(parts.marker, 'utf8')) as Record<string, string>;
  } catch (error) {
    say(`${parts.marker} cannot be read (${String(error)}): installing again`);
    return {};
  }
}

/** One installer at a time. A lock whose owner is gone is taken over. Returns what releases it. */
function takeLock(): () => void {
  const lock = path.join(hostFolder, 'installing.pid');
  const owner = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : null;
  if (owner !== null && isAlive(owner)) {
    throw new Trouble(`Another installation is under way (process ${owner}). Wait for it, then try again.`);
  }
  if (owner !== null) rmSync(lock, { force: true });
  writeFileSync(lock, String(process.pid), { flag: 'wx' });
  return () => rmSync(lock, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
