import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { Editor } from '../test/ui/editor.js';
import { packScriptedModel, ScriptedModel } from '../test/ui/scripted/model.js';
import { repository } from './host/place.js';
import { main, say } from './say.js';

/** Themes that people read in, by the names that the setting takes. */
const THEMES = [
  'Default Dark Modern',
  'Default Light Modern',
  'Default High Contrast',
  'Default High Contrast Light',
] as const;

/**
 * Takes the pictures of the README from a real run of the sample: `npx tsx scripts/pictures.ts`. With `--themes` it takes every view
 * in every theme instead, into `out/themes`, for looking over.
 */
main(async () => {
  const isForLooking = process.argv.includes('--themes');
  const model = await ScriptedModel.listen();
  const editor = await Editor.open({
    // The extension is there to change settings while a dialog is open; its model is not offered.
    extensions: isForLooking ? [await packScriptedModel()] : [],
    env: { LACUNA_SCRIPTED_MODEL: model.address },
    settings: {
      'lacuna.reviewer.model': 'off',
      'workbench.colorTheme': 'Default Dark Modern',
      'chat.commandCenter.enabled': false,
      'window.commandCenter': false,
      'editor.minimap.enabled': false,
      'diffEditor.renderSideBySide': false,
    },
    size: { width: 1200, height: 675 },
    pixelRatio: isForLooking ? 1 : 1.75,
  });
  const shot = (name: string): Promise<void> =>
    isForLooking ? inThemes(editor.page, model, name) : picture(editor.page, name);
  try {
    await editor.chat('@lacuna the discount test fails, fix it');
    await editor.untilAsked(/Accept change 1 of 2/);
    await editor.command('View: Close Primary Side Bar');
    await shot('review');
    await acceptAndReject(editor);
    await editor.dialog().getByText('rm -rf notes').first().waitFor({ timeout: 120_000 });
    await shot('question');
    if (isForLooking) await lookOn(editor, shot);
  } finally {
    await editor.close();
    model.close();
  }
  return 0;
});

/** Accepts the first change and rejects the second, and answers what is asked until the notes are at stake. */
async function acceptAndReject(editor: Editor): Promise<void> {
  const lens = (text: RegExp): ReturnType<Page['locator']> =>
    editor.page.locator('.codelens-decoration a').filter({ hasText: text });
  await lens(/Accept change 1 of 2/).click();
  await lens(/Accepted: change 1 of 2/).waitFor();
  await lens(/Reject/)
    .last()
    .click();
  const reason = editor.page.locator('.quick-input-widget input[type="text"]');
  await reason.fill('not needed');
  await reason.press('Enter');
  for (;;) {
    await editor.dialog().waitFor({ timeout: 120_000 });
    if (/notes/.test(await editor.dialog().innerText())) return;
    await editor.answer('Allow Once');
  }
}

/** The page of a question, the views of the session, and the rest of the chat. */
async function lookOn(editor: Editor, shot: (name: string) => Promise<void>): Promise<void> {
  await editor.answer('Look Closer');
  await editor.page.locator('.monaco-editor .view-lines', { hasText: 'Why you are asked' }).waitFor();
  await editor.command('View: Show Lacuna');
  await editor.page.locator('.monaco-list-row', { hasText: 'rm -rf notes' }).first().waitFor();
  await shot('look-closer');
  await editor.command('Lacuna: Answer');
  await editor.answer('Refuse');
  await editor.untilDone();
  await shot('session');
}

async function picture(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(1000);
  await page.screenshot({ path: path.join(repository, 'media', `${name}.png`) });
  say(`media/${name}.png`);
}

async function inThemes(page: Page, model: ScriptedModel, name: string): Promise<void> {
  const folder = path.join(repository, 'out/themes');
  mkdirSync(folder, { recursive: true });
  for (const theme of THEMES) {
    await model.setting('workbench.colorTheme', theme);
    await page.waitForTimeout(1500);
    const file = `${name}-${theme.toLowerCase().replaceAll(' ', '-')}.png`;
    await page.screenshot({ path: path.join(folder, file) });
    say(`out/themes/${file}`);
  }
}
