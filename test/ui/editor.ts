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
import { packageExtension } from '../../scripts/package.js';
import { copySample } from '../../scripts/sample.js';

/** What an editor has beside Lacuna. */
export interface EditorOptions {
  /** VSIX files. */
  readonly extensions?: readonly string[];
  /** Reaches the extensions as environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Vendors of models that the person has added: with one, the built-in agent works without an account. */
  readonly models?: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Size of the window in CSS pixels, and how many pixels of a picture make one of them. */
  readonly size?: { readonly width: number; readonly height: number };
  readonly pixelRatio?: number;
}

let packing: Promise<string> | null = null;
/** The packed extension, packed once for all tests of a run. */
const packed = (): Promise<string> => (packing ??= packageExtension());

/** A new profile leaves the built-in chat extension off until its set-up is done; this is what the set-up writes. */
async function switchOnBuiltInAgent(page: Page, address: string): Promise<void> {
  await page.goto(new URL('/version', address).toString());
  await page.evaluate(`new Promise((resolve, reject) => {
    const request = indexedDB.open('vscode-web-state-db-global', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('ItemTable');
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const change = request.result.transaction('ItemTable', 'readwrite');
      const items = change.objectStore('ItemTable');
      items.put('true', 'builtinChatExtensionEnablementMigration');
      items.put('[]', 'extensionsIdentifiers/disabled');
      items.put('true', 'chat.hasByokModels.lastKnown');
      change.oncomplete = () => { request.result.close(); resolve(); };
    };
  })`);
}

const screenshots = path.join(repository, 'out/screenshots');

/** A real editor with the packed extension on a copy of the sample, driven through what a person sees. */
export class Editor {
  readonly page: Page;
  /** Texts of the questions that came up, oldest first. */
  readonly asked: string[] = [];
  #questions = 0;
  /** The copy of the sample that is open. */
  readonly workspace: string;
  /** The person's home folder, made for this editor. */
  readonly home: string;
  readonly #server: WebEditor;
  readonly #browser: Browser;

  private constructor(page: Page, workspace: string, home: string, server: WebEditor, browser: Browser) {
    this.page = page;
    this.workspace = workspace;
    this.home = home;
    this.#server = server;
    this.#browser = browser;
  }

  /** Opens the editor on a new copy of the sample, with the packed extension installed as a person would. */
  static async open({
    extensions = [],
    env = {},
    models = [],
    settings = {},
    size = { width: 1400, height: 900 },
    pixelRatio = 1,
  }: EditorOptions = {}): Promise<Editor> {
    await install('editor-and-browser');
    const home = mkdtempSync(path.join(os.tmpdir(), 'lacuna-ui-'));
    const profile = path.join(home, 'profile');
    const workspace = path.join(home, 'shop');
    await copySample(workspace);
    for (const vsix of [await packed(), ...extensions]) await installVsix(profile, vsix);
    const server = await startWebEditor({ profile, settings, env: cleanHome(home, env), purpose: 'use', models });
    const browser = await openBrowser(home);
    const page = await (await browser.newContext({ viewport: size, deviceScaleFactor: pixelRatio })).newPage();
    if (models.length > 0) await switchOnBuiltInAgent(page, server.address(workspace));
    await page.goto(server.address(workspace));
    const editor = new Editor(page, workspace, home, server, browser);
    await editor.statusBar().waitFor({ timeout: 60_000 });
    return editor;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#server.stop();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
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

  /** Presses a button of the open dialog, and waits until this very dialog is gone: another may follow at once. */
  async answer(button: string): Promise<void> {
    const pressed = this.dialog().getByRole('button', { name: button, exact: true });
    await pressed.waitFor();
    const dialog = await this.dialog().elementHandle();
    await pressed.click();
    await dialog?.waitForElementState('hidden');
  }

  /**
   * Answers what is asked until a line above a change says `text`. What would delete the note is refused, the rest is
   * allowed once.
   */
  async untilAsked(text: RegExp): Promise<void> {
    const wanted = this.page.locator('.codelens-decoration a').filter({ hasText: text });
    await this.#answering(async () => (await wanted.count()) > 0);
  }

  /** Answers what is asked until the agent has ended. */
  async untilDone(): Promise<void> {
    const stop = this.page.locator(
      '.chat-input-container .codicon-stop-circle, .interactive-input-part .codicon-stop-circle',
    );
    await this.#answering(async () => (await stop.count()) === 0);
  }

  /** Waits until something of the outside world holds. */
  async until(holds: () => boolean): Promise<void> {
    for (let left = 200; !holds(); left -= 1) {
      if (left === 0) throw new Error('It did not come about within 20 seconds.');
      await this.page.waitForTimeout(100);
    }
  }

  async #answering(isDone: () => Promise<boolean>): Promise<void> {
    const started = Date.now();
    let quiet = 0;
    while (quiet < 4) {
      if (Date.now() - started > 150_000) throw new Error('The agent did not come to an end.');
      await this.page.waitForTimeout(500);
      if ((await this.dialog().count()) > 0) {
        const text = await this.dialog().innerText();
        await this.screenshot(`question-${(this.#questions += 1)}`);
        this.asked.push(text);
        await this.answer(/notes/.test(text) ? 'Refuse' : 'Allow Once');
        quiet = 0;
      } else quiet = (await isDone()) ? quiet + 1 : 0;
    }
  }

  /** What git says of the workspace, one line a file. */
  gitStatus(): string {
    return execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], {
      cwd: this.workspace,
      encoding: 'utf8',
    });
  }
}
