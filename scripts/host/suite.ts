import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { say, Trouble } from '../say.js';
import { packTestExtension } from '../testExtension.js';
import { openBrowser } from './browser.js';
import { install } from './install.js';
import { repository } from './place.js';
import { prepareProfile } from './profile.js';
import { installVsix } from './vsix.js';
import { startWebEditor } from './webEditor.js';

/** A compiled mocha suite that runs inside an extension host, and the world it finds there. */
export interface Suite {
  /** Module that exports `run(): Promise<void>`; a rejection is a red suite. */
  readonly entry: string;
  /** Folder or `.code-workspace` file to open. */
  readonly workspace: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Reaches the extension host as environment variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Folders of other extensions that are in the editor too. */
  readonly neighbours?: readonly string[];
}

/** Where a suite writes its report: a host's console mixes it with all that the editor says. */
const REPORT = 'LACUNA_REPORT';

/**
 * Runs a suite in desktop VS Code where there is one or it can be downloaded, else in VS Code's server driven by a headless
 * browser. `LACUNA_TEST_HOST` = `desktop` or `server` fixes the choice. A red suite is an answer: it is not tried elsewhere.
 * Resolves with 0 for green, another number for red.
 */
export async function runSuite(suite: Suite): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lacuna-report-'));
  const report = path.join(folder, 'report.txt');
  const stopShowing = showGrowing(report);
  try {
    return await runSomewhere({ ...suite, env: { ...suite.env, [REPORT]: report } });
  } finally {
    stopShowing();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runSomewhere(suite: Suite): Promise<number> {
  const wanted = process.env['LACUNA_TEST_HOST'] ?? 'auto';
  if (wanted !== 'server') {
    const desktop = await runOnDesktop(suite);
    if (typeof desktop === 'number') return desktop;
    if (wanted === 'desktop') throw new Trouble(`No desktop VS Code to test in: ${desktop}`);
    say(`no desktop VS Code (${desktop}); testing in VS Code's server`);
  }
  return runOnServer(suite);
}

/** Exit code of the suite, or a sentence on why there is no desktop to run it in. */
async function runOnDesktop(suite: Suite): Promise<number | string> {
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) return 'no display';
  const { downloadAndUnzipVSCode, runTests } = await import('@vscode/test-electron');
  let executable: string;
  try {
    executable = process.env['LACUNA_VSCODE'] ?? (await downloadAndUnzipVSCode({ timeout: 30_000 }));
  } catch (error) {
    return `download failed: ${String(error).split('\n')[0] ?? ''}`;
  }
  const profile = mkdtempSync(path.join(os.tmpdir(), 'lacuna-desktop-'));
  prepareProfile(profile, suite.settings);
  try {
    return await runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: [repository, ...(suite.neighbours ?? [])],
      extensionTestsPath: suite.entry,
      extensionTestsEnv: suite.env,
      launchArgs: [suite.workspace, '--disable-extensions', '--user-data-dir', profile],
    });
  } catch (error) {
    say(String(error));
    return 1;
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function runOnServer(suite: Suite): Promise<number> {
  await install('editor-and-browser');
  const home = mkdtempSync(path.join(os.tmpdir(), 'lacuna-host-'));
  const profile = path.join(home, 'profile');
  // A page may name one extension under development; the others are installed.
  for (const folder of suite.neighbours ?? []) await installVsix(profile, await packTestExtension(folder));
  const editor = await startWebEditor({
    profile,
    settings: suite.settings,
    env: cleanHome(home, suite.env),
    purpose: 'tests',
  });
  const browser = await openBrowser(home);
  try {
    const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
    const finished = new Promise<number>((resolve, reject) => {
      // Both must be there before the page loads: the workbench looks for them once.
      const exposed = Promise.all([
        page.exposeFunction('codeAutomationLog', (_type: string, args: readonly unknown[]) => {
          if (process.env['LACUNA_VERBOSE']) say(args.map(String).join(' '));
        }),
        page.exposeFunction('codeAutomationExit', (code: number) => resolve(code)),
      ]);
      page.on('crash', () => reject(new Trouble('The page crashed.')));
      void editor.ended.then((why) => reject(new Trouble(why)));
      setTimeout(
        () =>
          reject(
            new Trouble(`The suite did not end within ${suite.timeoutMs / 1000} s.\n${editor.log().slice(-1500)}`),
          ),
        suite.timeoutMs,
      ).unref();
      const payload = [
        ['extensionDevelopmentPath', editor.remote(repository)],
        ['extensionTestsPath', editor.remote(suite.entry)],
      ] as const;
      exposed.then(() => page.goto(editor.address(suite.workspace, payload))).catch(reject);
    });
    return await finished;
  } finally {
    await browser.close();
    await editor.stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** An environment in which the person's own hooks, agents and settings are out of reach. */
export function cleanHome(home: string, extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const folder = (name: string): string => {
    const made = path.join(home, name);
    mkdirSync(made, { recursive: true });
    return made;
  };
  return {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: folder('.config'),
    XDG_DATA_HOME: folder('.local/share'),
    XDG_STATE_HOME: folder('.local/state'),
    ...extra,
  };
}

/** Prints what is appended to a file, as it comes. Returns what ends it, after a last look. */
function showGrowing(file: string): () => void {
  let shown = 0;
  const look = (): void => {
    if (!existsSync(file)) return;
    const text = readFileSync(file, 'utf8');
    process.stdout.write(text.slice(shown));
    shown = text.length;
  };
  const timer = setInterval(look, 300);
  return () => {
    clearInterval(timer);
    look();
  };
}
