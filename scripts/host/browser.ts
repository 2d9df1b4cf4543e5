import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { Trouble } from '../say.js';
import { parts, systemChromium } from './place.js';

/** Starts a headless Chromium: the one named in `LACUNA_CHROMIUM`, the host's own, or the machine's. */
export async function openBrowser(home: string): Promise<Browser> {
  const named = process.env['LACUNA_CHROMIUM'];
  const executablePath = named ?? (existsSync(parts.chromium) ? parts.chromium : systemChromium());
  if (executablePath === null) throw new Trouble('No Chromium was found. Install one, or name it in LACUNA_CHROMIUM.');
  const libraries = executablePath === parts.chromium ? { LD_LIBRARY_PATH: parts.chromiumLibraries } : {};
  return chromium.launch({
    executablePath,
    env: { ...process.env, HOME: home, ...libraries },
    // The page is our own server on 127.0.0.1; Chromium's sandbox does not start for root or in containers.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}
