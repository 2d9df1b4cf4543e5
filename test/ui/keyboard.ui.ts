import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Editor } from './editor.js';

/**
 * The main job by keyboard alone, as somebody works who sees no mouse pointer: no step points at anything, and each begins where
 * the one before has left the focus. The mouse is not touched; what a key is to reach has to have the focus.
 */
describe('the main job without a mouse', () => {
  let editor: Editor;
  const file = (name: string): string => path.join(editor.workspace, name);
  const press = (key: string): Promise<void> => editor.page.keyboard.press(key);
  const type = (text: string): Promise<void> => editor.page.keyboard.type(text, { delay: 5 });

  /** What has the focus, in words for whoever reads a failed test. */
  const focused = (): Promise<string> =>
    editor.page.evaluate(`(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return 'nothing';
      return [element.tagName, element.className, element.getAttribute('aria-label') ?? '', element.textContent ?? '']
        .map((part) => String(part).slice(0, 80)).join(' | ');
    })()`);
  const isFocusIn = (selector: string): Promise<boolean> =>
    editor.page.evaluate(
      `document.activeElement !== null && document.activeElement.closest(${JSON.stringify(selector)}) !== null`,
    );

  /** Waits until the focus is within, and fails with what has it instead. */
  async function focusIn(selector: string, seconds = 20): Promise<void> {
    for (let left = seconds * 5; !(await isFocusIn(selector)); left -= 1) {
      assert.ok(left > 0, `the focus is not in ${selector} but in: ${await focused()}`);
      await editor.page.waitForTimeout(200);
    }
  }

  /** Goes to a button of the open dialog by Tab, and presses it. */
  async function answer(button: string): Promise<void> {
    await focusIn('.monaco-dialog-box');
    for (let left = 12; !(await focused()).endsWith(`| ${button}`); left -= 1) {
      assert.ok(left > 0, `${button} cannot be reached by Tab; the focus is in: ${await focused()}`);
      await press('Tab');
    }
    const dialog = await editor.dialog().elementHandle();
    await press('Enter');
    await dialog?.waitForElementState('hidden');
  }

  /** Runs a command by typing its name into the command palette. */
  async function command(title: string): Promise<void> {
    await press('F1');
    await focusIn('.quick-input-widget');
    await type(title);
    await editor.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title }).waitFor();
    await press('Enter');
  }

  /** Answers questions until something is on the screen. What would delete the notes is refused. */
  async function answerUntil(isThere: () => Promise<boolean>): Promise<void> {
    for (let left = 300; !(await isThere()); left -= 1) {
      assert.ok(left > 0, 'it did not come about in time');
      if ((await editor.dialog().count()) > 0)
        await answer(/notes/.test(await editor.dialog().innerText()) ? 'Refuse' : 'Allow Once');
      await editor.page.waitForTimeout(300);
    }
  }
  const isLens = (text: RegExp): Promise<boolean> =>
    editor.page
      .locator('.codelens-decoration a')
      .filter({ hasText: text })
      .count()
      .then((count) => count > 0);

  before(async function () {
    this.timeout(300_000);
    editor = await Editor.open({ settings: { 'lacuna.reviewer.model': 'off' } });
  });
  after(async function () {
    this.timeout(30_000);
    await editor.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title.slice(0, 40)}`);
  });

  it('opens the chat, and sends the request @slow', async function () {
    this.timeout(120_000);
    await command('Chat: Open Chat');
    await editor.page
      .locator('.chat-input-container', { hasText: 'Lacuna demonstration' })
      .waitFor({ timeout: 30_000 });
    await focusIn('.chat-input-container');
    await type('@lacuna the discount test fails, fix it');
    await press('Escape'); // closes the list of suggestions
    await press('Enter');
    await answerUntil(() => isLens(/Accept change 1 of 2/));
  });

  it('goes through the changes: one is accepted, the next rejected, and why @slow', async function () {
    this.timeout(120_000);
    const before = readFileSync(file('src/discount.js'), 'utf8');
    await focusIn('.monaco-diff-editor');
    await press('Control+Alt+y');
    await answerUntil(() => isLens(/Accepted: change 1 of 2/));
    await focusIn('.monaco-diff-editor');
    await press('Alt+F5'); // the editor's own key for the next change
    await press('Control+Alt+n');
    await focusIn('.quick-input-widget');
    await type('not needed');
    await press('Enter');
    await editor.until(() => readFileSync(file('src/discount.js'), 'utf8') !== before);
    assert.equal(readFileSync(file('src/discount.js'), 'utf8'), before.replace('pieces > 10', 'pieces >= 10'));
  });

  it('answers what is asked, and the agent comes to its end @slow', async function () {
    this.timeout(180_000);
    let wasAsked = false;
    const stop = editor.page.locator(
      '.chat-input-container .codicon-stop-circle, .interactive-input-part .codicon-stop-circle',
    );
    await answerUntil(async () => {
      wasAsked ||= (await editor.dialog().count()) > 0;
      return wasAsked && (await editor.dialog().count()) === 0 && (await stop.count()) === 0;
    });
    assert.ok(existsSync(file('notes/ideas.md')), 'the note is gone');
  });

  it('opens the view of the session, and reads why something was decided @slow', async function () {
    this.timeout(120_000);
    // The editor gives the focus to a view only once it has been drawn; that holds for its own views too.
    await command('View: Show Lacuna');
    await editor.page.locator('.pane-body .monaco-list-row', { hasText: 'rm -rf ~' }).first().waitFor();
    await command('Lacuna: Focus on Session View');
    await focusIn('.pane-body .monaco-list');
    const row = (): Promise<string> =>
      editor.page.evaluate(`(() => {
        const list = document.activeElement?.closest('.monaco-list');
        return list?.querySelector('.monaco-list-row.focused')?.getAttribute('aria-label') ?? '';
      })()`);
    await press('Home');
    for (let left = 40; !/rm -rf ~/.test(await row()); left -= 1) {
      assert.ok(left > 0, `the refused command cannot be reached by the arrow; the row is: ${await row()}`);
      await press('ArrowDown');
    }
    assert.match(await row(), /^false && rm -rf ~: refused by policy/);
    await press('Enter');
    const page = editor.page.locator('.monaco-editor .view-lines', { hasText: 'rm -rf ~' }).last();
    await page.getByText('home folder').first().waitFor();
    assert.notEqual(await focused(), 'nothing');
    await editor.screenshot('by-keyboard');
  });
});
