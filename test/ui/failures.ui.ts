import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { Editor } from './editor.js';
import { packScriptedModel, ScriptedModel } from './scripted/model.js';

const rule = (effect: string): string => `version: 1
rules:
  - id: closed
    match: { effect: { ${effect} } }
    verdict: deny
    reason: Nobody writes there.
`;
const GOOD = rule("op: write, path: 'closed/**'");

/** What a person sees when something goes wrong: their own file, their model, their window. All in one editor. */
describe('what a person sees when something goes wrong', () => {
  let editor: Editor;
  let model: ScriptedModel;
  let endpoint: Server;
  const file = (name: string): string => path.join(editor.workspace, name);
  const toast = (text: string | RegExp): Locator =>
    editor.page.locator('.notification-toast', { hasText: text }).first();
  const row = (text: string | RegExp): Locator => editor.page.locator('.monaco-list-row', { hasText: text }).first();
  const writesThere = async (): Promise<string> =>
    (await model.invoke([{ tool: 'lacuna_WriteFile', input: { path: 'closed/a.txt', content: 'x' } }]))[0] ?? '';

  before(async function () {
    this.timeout(300_000);
    endpoint = createServer((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"who are you"}}');
    });
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
    model = await ScriptedModel.listen();
    editor = await Editor.open({
      extensions: [await packScriptedModel()],
      env: { LACUNA_SCRIPTED_MODEL: model.address },
      models: ['scripted'],
      settings: {
        'lacuna.reviewer.model': 'off',
        'lacuna.model.baseUrl': `http://127.0.0.1:${String((endpoint.address() as AddressInfo).port)}/v1`,
        'lacuna.model.names': ['far-away'],
      },
    });
    mkdirSync(file('.lacuna'));
    writeFileSync(file('.lacuna/policy.yaml'), GOOD);
  });
  after(async function () {
    this.timeout(30_000);
    await editor.close();
    model.close();
    endpoint.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title.slice(0, 40)}`);
  });

  it('their policy breaks: it is said once, with the way to the place, and what was good before holds @slow', async function () {
    this.timeout(90_000);
    assert.match(await writesThere(), /^REFUSED by a rule/);
    writeFileSync(file('.lacuna/policy.yaml'), GOOD.replace('verdict', 'verdit'));
    const told = toast(/\.lacuna\/policy\.yaml, line 5: Unknown field "verdit".*what was good before is in force/);
    await told.waitFor();
    await editor.screenshot('policy-broken');
    assert.match(await writesThere(), /^REFUSED by a rule/);
    await told.getByRole('button', { name: 'Show the Mistake' }).click();
    await editor.page.locator('.monaco-editor .view-lines', { hasText: 'verdit' }).waitFor();
    await editor.page.getByText('Ln 5, Col 5').first().waitFor();
    assert.match((await editor.statusBar().first().locator('a').first().getAttribute('aria-label')) ?? '', /mistakes/);
    await editor.command('View: Close Editor');
  });

  it('their rule can never match: it is underlined although nobody has the file open @slow', async function () {
    this.timeout(60_000);
    writeFileSync(file('.lacuna/policy.yaml'), rule("op: network, path: 'closed/**'"));
    await editor.command('Problems: Focus on Problems View');
    await row('Rule closed can never match').waitFor();
    writeFileSync(file('.lacuna/policy.yaml'), GOOD);
    await row('Rule closed can never match').waitFor({ state: 'detached' });
  });

  it('the window is loaded again while a question waits: nothing is done, and the session says so @slow', async function () {
    this.timeout(120_000);
    writeFileSync(file('mine.txt'), 'in no commit\n');
    void model.invoke([{ tool: 'lacuna_ExecuteShell', input: { command: 'rm mine.txt' } }]);
    await editor.dialog().getByText('rm mine.txt').first().waitFor({ timeout: 30_000 });
    await editor.page.reload();
    await editor.statusBar().waitFor({ timeout: 60_000 });
    await editor.command('View: Show Lacuna');
    await row(/rm mine\.txt.*not done: interrupted before it was decided/).waitFor({ timeout: 30_000 });
    await editor.screenshot('loaded-again');
    assert.ok(existsSync(file('mine.txt')));
  });

  it('their model refuses the key: the answer says so and has the way to set it @slow', async function () {
    this.timeout(60_000);
    const selector = { vendor: 'lacuna', id: 'far-away' };
    const query = '@lacuna look at the prices';
    void model.command('workbench.action.chat.open', { query, mode: 'agent', modelSelector: selector });
    await editor.page.getByText('refused the API key (401)').first().waitFor({ timeout: 30_000 });
    await editor.screenshot('key-refused');
    await editor.page.locator('.interactive-session').getByRole('button', { name: 'Set API Key…' }).click();
    await editor.page.locator('.quick-input-widget input[type="password"]').waitFor();
    await editor.page.keyboard.press('Escape');
  });

  it('they do not know where to begin: the walkthrough tells, and its steps lead on @slow', async function () {
    this.timeout(60_000);
    await editor.command('Lacuna: Get Started');
    const start = editor.page.locator('.gettingStartedContainer');
    await start.getByText('Watch an agent being guarded').first().waitFor();
    await editor.screenshot('get-started');
    await start.getByText('Say what holds here').first().click();
    await start.getByRole('button', { name: 'Open Workspace Policy' }).click();
    await editor.page.locator('.monaco-editor .view-lines', { hasText: 'Nobody writes there' }).waitFor();
  });
});
