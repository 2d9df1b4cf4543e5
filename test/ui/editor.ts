import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../scripts/host/browser.js';
import { install } from '../../scripts/host/install.js';
import { repository } from '../../scripts/host/place.js';
import { cleanHome } from '../../scripts/host/suite.js';
import { installVsix } from '../../scripts/host/vsix.js';
import { startWebEditor, type WebEditor } from '../../scripts/host/webEditor.js';
import { copySample } from '../../scripts/sample.js';

const screenshots = path.join(repository, 'out/screenshots');

/** A real editor with the packed extension on a copy of the sample, driven through what a person sees. */
export class Editor {
  readonly page: Page;
  /** The copy of the sample that is open. */
  readonly workspace: string;
  readonly #home: string;
  readonly #server: WebEditor;
  readonly #browser: Browser;

  private constructor(page: Page, workspace: string, home: string, server: WebEditor, browser: Browser) {
    this.page = page;
    this.workspace = workspace;
    this.#home = home;
    this.#server = server;
    this.#browser = browser;
  }

  /** Opens the editor on a new copy of the sample, with the VSIX installed as a person would. */
  static async open(vsix: string, settings: Readonly<Record<string, unknown>> = {}): Promise<Editor> {
    await install('editor-and-browser');
    const home = mkdtempSync(path.join(os.tmpdir(), 'lacuna-ui-'));
    const profile = path.join(home, 'profile');
    const workspace = path.join(home, 'shop');
    await copySample(workspace);
    await installVsix(profile, vsix);
    const server = await startWebEditor({ profile, settings, env: cleanHome(home, {}), purpose: 'use' });
    const browser = await openBrowser(home);
    const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
    await page.goto(server.address(workspace));
    const editor = new Editor(page, workspace, home, server, browser);
    await editor.statusBar().waitFor({ timeout: 60_000 });
    return editor;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#server.stop();
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  /** Keeps a picture of the window in `out/screenshots`. */
  async screenshot(name: string): Promise<void> {
    mkdirSync(screenshots, { recursive: true });
    await this.page.screenshot({ path: path.join(screenshots, `${name}.png`) });
  }

  /** Lacuna's item in the status bar. */
  statusBar(): ReturnType<Page['locator']> {
    return this.page.locator('.statusbar-item[id="lacuna.lacuna.lacuna.status"], .statusbar-item[id*="lacuna.status"]');
  }

  /** Runs a command through the command palette. */
  async command(title: string): Promise<void> {
    const { page } = this;
    await page.keyboard.press('F1');
    const input = page.locator('.quick-input-widget input[type="text"]');
    await input.waitFor();
    await input.fill(`>${title}`);
    await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
  }

  /** Types a request into the chat and sends it. */
  async chat(request: string): Promise<void> {
    const { page } = this;
    await this.command('Chat: Open Chat');
    // The request would be lost if it were sent before the editor knows the models.
    await page.locator('.chat-input-container', { hasText: 'Lacuna demonstration' }).waitFor({ timeout: 30_000 });
    const input = page.locator('.chat-input-container .monaco-editor').first();
    await input.click();
    await page.keyboard.type(request, { delay: 5 });
    await page.keyboard.press('Escape'); // closes the list of suggestions, if there is one
    await page.keyboard.press('Enter');
  }

  /** The dialog that is open; waits for one. */
  dialog(): ReturnType<Page['locator']> {
    return this.page.locator('.monaco-dialog-box');
  }

  /** Presses a button of the open dialog. */
  async answer(button: string): Promise<void> {
    await this.dialog().getByRole('button', { name: button }).click();
    await this.dialog().waitFor({ state: 'detached' });
  }

  /** What git says of the workspace, one line a file. */
  gitStatus(): string {
    return execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], {
      cwd: this.workspace,
      encoding: 'utf8',
    });
  }
}
