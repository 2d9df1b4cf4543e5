import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { repository } from '../../scripts/host/place.js';
import { extensionsFolder } from '../../scripts/host/webEditor.js';
import { Editor } from './editor.js';
import { packScriptedModel, ScriptedModel } from './scripted/model.js';

/** The model that is fetched: the one that comes along, from a server of our own. */
const BODY = readFileSync(path.join(repository, 'models/starter.gguf'));
const NAME = 'A model from next door';

/** What a person sees of the reviewer beside its verdicts: a model is fetched, measured, and taught. All in one editor. */
describe('a person sets the reviewer up', () => {
  let editor: Editor;
  let model: ScriptedModel;
  let server: Server;
  let ranges: (string | undefined)[];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;

  const whole = (request: IncomingMessage, response: ServerResponse): void => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200).end(BODY.subarray(from));
  };
  /** Sends a beginning, and nothing more. */
  const hanging = (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200);
    response.write(BODY.subarray(0, 300_000));
  };
  const toast = (text: string | RegExp): Locator =>
    editor.page.locator('.notification-toast', { hasText: text }).first();
  async function press(text: string | RegExp, button: string): Promise<void> {
    await toast(text).waitFor();
    // The editor shows no more than two new notifications within 800 ms as toasts.
    await editor.page.waitForTimeout(1000);
    await toast(text).getByRole('button', { name: button }).click();
  }

  /** All files of models that the editor has fetched, whole or not. */
  function fetched(): readonly string[] {
    const names = readdirSync(editor.home, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => /next-door\.gguf(?:\.part)?$/.test(name)).map((name) => path.basename(name));
  }

  /** Puts the server's model on the list of the installed extension. */
  function list(change: object = {}): void {
    const folder = extensionsFolder(path.join(editor.home, 'profile'));
    const [installed = ''] = readdirSync(folder).filter((name) => /^lacuna\.lacuna/.test(name));
    const one = {
      id: 'next-door',
      name: NAME,
      licence: 'MIT',
      url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/next-door.gguf`,
      file: 'next-door.gguf',
      sizeBytes: BODY.length,
      sha256: createHash('sha256').update(BODY).digest('hex'),
      memoryMiB: 200,
      note: 'For this test.',
      ...change,
    };
    writeFileSync(path.join(folder, installed, 'models/list.json'), JSON.stringify([one]));
  }

  async function choose(): Promise<void> {
    await editor.command('Lacuna: Choose Reviewer Model');
    await editor.page.locator('.quick-input-list .monaco-list-row', { hasText: NAME }).first().click();
  }

  before(async function () {
    this.timeout(300_000);
    ranges = [];
    server = createServer((request, response) => {
      ranges.push(request.headers.range);
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    model = await ScriptedModel.listen();
    editor = await Editor.open({
      extensions: [await packScriptedModel()],
      env: { LACUNA_SCRIPTED_MODEL: model.address },
      models: ['scripted'],
      settings: { 'lacuna.reviewer.model': 'linear', 'lacuna.reviewer.keepAnswers': true },
    });
    list();
  });
  after(async function () {
    this.timeout(30_000);
    await editor.close();
    model.close();
    server.closeAllConnections();
    server.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await editor.command('Notifications: Show Notifications');
    await editor.screenshot(`failed-${this.currentTest.title.slice(0, 40)}`);
  });

  it('a fetch that is cancelled keeps what it has, and chooses nothing @slow', async function () {
    this.timeout(90_000);
    answer = hanging;
    await choose();
    await editor.until(() => fetched().includes('next-door.gguf.part'));
    await press(`Fetching ${NAME}`, 'Cancel');
    await toast(`Fetching ${NAME}`).waitFor({ state: 'detached' });
    assert.deepEqual(fetched(), ['next-door.gguf.part']);
  });

  it('what goes wrong is said in plain words, and can be tried again @slow', async function () {
    this.timeout(90_000);
    answer = (_request, response) => void response.writeHead(404).end();
    await choose();
    const refused = 'The server refuses the file (status 404). It may have moved.';
    await toast(refused).waitFor();
    await editor.screenshot('fetch-refused');
    answer = (_request, response) => void response.writeHead(407).end();
    await press(refused, 'Try Again');
    const proxy = 'The proxy asks for a name and password. Set http.proxy';
    await toast(proxy).waitFor();
    answer = (_request, response) => void response.writeHead(200).end(Buffer.alloc(BODY.length, 7));
    await press(proxy, 'Try Again');
    const damaged = 'is not the file that was expected, and was thrown away';
    await toast(damaged).waitFor();
    assert.deepEqual(fetched(), []);
    answer = hanging;
    await press(damaged, 'Try Again');
    await editor.until(() => fetched().includes('next-door.gguf.part'));
    server.closeAllConnections();
    await toast(/The connection broke .* What was fetched is kept/).waitFor();
  });

  it('the next try goes on where the last one ended, and the model is chosen @slow', async function () {
    this.timeout(90_000);
    answer = whole;
    await press('The connection broke', 'Try Again');
    await toast('The reviewer is chosen.').waitFor({ timeout: 30_000 });
    assert.match(ranges.at(-1) ?? '', /^bytes=\d+-$/);
    assert.deepEqual(fetched(), ['next-door.gguf']);
    await editor.command('Notifications: Clear All Notifications');
  });

  it('without a network it says so and offers another way @slow', async function () {
    this.timeout(60_000);
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    list({ url: `http://127.0.0.1:${String(port)}/other.gguf`, file: 'other.gguf' });
    await choose();
    await toast(/The network cannot be reached .* choose it as a GGUF file/).waitFor();
    await editor.command('Notifications: Clear All Notifications');
  });

  it('is measured by its command, and not while it is off @slow', async function () {
    this.timeout(150_000);
    await editor.command('Lacuna: Choose Reviewer Model');
    await editor.page.locator('.quick-input-list .monaco-list-row', { hasText: 'No reviewer' }).first().click();
    // The setting is written without a word: nothing more can be waited for.
    await editor.page.waitForTimeout(2000);
    await editor.command('Lacuna: Benchmark the Reviewer');
    await toast('The reviewer is off.').waitFor();
    await editor.command('Lacuna: Choose Reviewer Model');
    await editor.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Linear model only' }).first().click();
    await toast('The reviewer is chosen.').waitFor();
    await editor.command('Notifications: Clear All Notifications');
    await editor.command('Lacuna: Benchmark the Reviewer');
    await toast(/This reviewer is (not )?fit.*bundled cases.*A review takes \d+ ms/s).waitFor({ timeout: 120_000 });
    await editor.command('Notifications: Clear All Notifications');
  });

  it('exports the answers that were kept, and forgets them @slow', async function () {
    this.timeout(150_000);
    const done = model.ask('tidy up the notes', [{ tool: 'lacuna_ExecuteShell', input: { command: 'rm -r notes' } }]);
    await editor.dialog().getByText('rm -r notes').first().waitFor({ timeout: 60_000 });
    await editor.answer('Refuse');
    assert.match((await done)[0] ?? '', /^REFUSED/);
    assert.ok(existsSync(path.join(editor.workspace, 'notes/ideas.md')));
    await editor.command('Lacuna: Export Answers Kept');
    await toast('1 answers are kept on this machine. They are sent nowhere.').waitFor();
    await editor.page.locator('.monaco-editor .view-lines', { hasText: '"label":"flag"' }).first().waitFor();
    await editor.screenshot('answers-exported');
    await press('1 answers are kept', 'Forget Them');
    await editor.command('Lacuna: Export Answers Kept');
    await toast('No answers were kept yet.').waitFor();
  });
});
