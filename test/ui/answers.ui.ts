import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { buildNeighbour, packTestExtension } from '../../scripts/testExtension.js';
import { Editor } from './editor.js';
import { packScriptedModel, ScriptedModel } from './scripted/model.js';
import type { ScriptedCall } from './scripted/turn.js';

/** What a person can answer, by every way there is: keys, buttons, commands, dialogs. All in one editor, one after the other. */
describe('what a person answers', () => {
  let editor: Editor;
  let model: ScriptedModel;
  const file = (name: string): string => path.join(editor.workspace, name);
  const lens = (text: RegExp): Locator => editor.page.locator('.codelens-decoration a').filter({ hasText: text });
  const titleButton = (name: RegExp): Locator => editor.page.locator('.editor-actions').getByRole('button', { name });
  const call = (kind: string, input: ScriptedCall['input']): ScriptedCall => ({ tool: `lacuna_${kind}`, input });

  /** Fills the box that asks for words, and sends it. */
  async function say(text: string): Promise<void> {
    const input = editor.page.locator('.quick-input-widget input[type="text"]');
    await input.fill(text);
    await input.press('Enter');
  }

  /** Picks what is offered in a list. */
  const pick = (text: string): Promise<void> =>
    editor.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first().click();
  const toast = (text: string | RegExp): Locator =>
    editor.page.locator('.notification-toast', { hasText: text }).first();

  before(async function () {
    this.timeout(300_000);
    model = await ScriptedModel.listen();
    editor = await Editor.open({
      extensions: [await packScriptedModel(), await packTestExtension(await buildNeighbour())],
      env: { LACUNA_SCRIPTED_MODEL: model.address },
      models: ['scripted'],
      settings: { 'lacuna.reviewer.model': 'off', 'lacuna.mcpServer': true },
    });
  });
  after(async function () {
    this.timeout(30_000);
    await editor.close();
    model.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await editor.screenshot(`failed-${this.currentTest.title.slice(0, 40)}`);
    // What one test has left open is not in the way of the next.
    for (let left = 5; left > 0 && (await editor.dialog().count()) > 0; left -= 1) {
      await editor.page.keyboard.press('Escape');
      await editor.page.waitForTimeout(300);
    }
  });

  it('to a change: by key, taken back by Escape, by the button in the title; the agent hears which and why @slow', async function () {
    this.timeout(120_000);
    const before = readFileSync(file('src/discount.js'), 'utf8');
    const edits = [
      { oldText: 'pieces > 10', newText: 'pieces >= 10' },
      { oldText: 'var percent', newText: 'const percent' },
    ];
    const done = model.ask('mend the discount', [call('EditFile', { path: 'src/discount.js', edits })]);
    await lens(/Accept change 2 of 2/).waitFor({ timeout: 60_000 });
    await editor.page.keyboard.press('Control+Alt+y');
    await lens(/Accepted: change 1 of 2/).waitFor();
    await titleButton(/^Reject File/).click();
    await editor.page.getByText('Why was this rejected?').waitFor();
    await editor.page.keyboard.press('Escape');
    await lens(/Accept change 2 of 2/).waitFor();
    assert.equal(readFileSync(file('src/discount.js'), 'utf8'), before, 'who leaves the question has written nothing');
    await titleButton(/^Reject File/).click();
    await say('var is fine here');
    const [result = ''] = await done;
    assert.match(result, /^PARTLY DONE[\s\S]*var is fine here[\s\S]*>= 10[\s\S]*const percent/);
    assert.equal(readFileSync(file('src/discount.js'), 'utf8'), before.replace('pieces > 10', 'pieces >= 10'));
  });

  it('to all that is proposed: rejected by a command @slow', async function () {
    this.timeout(120_000);
    const done = model.ask('write a list', [call('WriteFile', { path: 'list.txt', content: 'one\n' })]);
    await lens(/Accept this change/).waitFor({ timeout: 60_000 });
    await editor.command('Lacuna: Reject All Files');
    await say('no lists');
    assert.match((await done)[0] ?? '', /^REFUSED by the person: .*no lists/);
    assert.ok(!existsSync(file('list.txt')));
  });

  it('to several files at once: all are rejected together, for one reason @slow', async function () {
    this.timeout(120_000);
    const before = readFileSync(file('src/discount.js'), 'utf8');
    const done = model.invoke([
      call('WriteFile', { path: 'one.txt', content: 'one\n' }),
      call('WriteFile', { path: 'two.txt', content: 'two\n' }),
      call('EditFile', { path: 'src/discount.js', edits: [{ oldText: 'var percent', newText: 'const percent' }] }),
    ]);
    await titleButton(/^Reject All/).waitFor({ timeout: 60_000 });
    await editor.command('View: Show Lacuna');
    for (const name of ['one.txt', 'two.txt', 'discount.js'])
      await editor.page.locator('.monaco-list-row', { hasText: name }).first().waitFor();
    await editor.screenshot('waiting');
    await titleButton(/^Reject All/).click();
    await say('not today');
    const results = await done;
    assert.equal(results.length, 3);
    for (const result of results) assert.match(result, /^REFUSED by the person: .*not today/);
    assert.ok(!existsSync(file('one.txt')) && !existsSync(file('two.txt')));
    assert.equal(readFileSync(file('src/discount.js'), 'utf8'), before);
  });

  it('to tools of others that @lacuna would call: each is asked about, by its name and what it is given @slow', async function () {
    this.timeout(120_000);
    await editor.until(() => existsSync(file('notes/ideas.md')));
    await model.command('workbench.mcp.startServer', '*', { waitForLiveTools: true });
    const plan = { goal: 'Read the notes', steps: [{ id: 'read', task: 'Read the notes', kinds: ['CallTool'] }] };
    const input = { path: 'notes/ideas.md' };
    const done = model.ask('@lacuna what do the notes of the team say', [
      { tool: 'lacuna_plan', input: plan },
      call('CallTool', { tool: 'neighbour_read_note', input, step: 'read' }),
      call('CallTool', { tool: 'mcp_team-notes_read_note', input, step: 'read' }),
      call('CallTool', { tool: 'mcp_team-notes_delete_note', input, step: 'read' }),
    ]);
    const asked = async (tool: string): Promise<void> =>
      editor.dialog().getByText(tool).first().waitFor({ timeout: 60_000 });
    await asked('neighbour_read_note');
    assert.doesNotMatch(await editor.dialog().innerText(), /<skills>/, 'what no person has said is not the request');
    await editor.screenshot('tool-of-another');
    await editor.answer('Allow Once');
    await asked('read_note');
    await editor.answer('Allow Once');
    await asked('delete_note');
    await editor.answer('Refuse, Because…');
    await say('the notes stay');
    const [, ofExtension = '', ofServer = '', refused = ''] = await done;
    const note = readFileSync(file('notes/ideas.md'), 'utf8').trim().split('\n')[0] ?? '';
    for (const result of [ofExtension, ofServer]) {
      assert.match(result, /^DONE[\s\S]*untrusted data/);
      assert.ok(result.includes(note), result);
    }
    assert.match(refused, /^REFUSED by the person: the notes stay/);
  });

  it('to a tool of our own server: the question comes up in the window that has the folder open @slow', async function () {
    this.timeout(120_000);
    writeFileSync(file('mine.txt'), 'in no commit\n');
    await model.command('workbench.mcp.startServer', '*', { waitForLiveTools: true });
    const remove = { tool: 'mcp_lacuna_lacuna_ExecuteShell', input: { command: 'rm mine.txt' } };
    const done = model.invoke([remove]);
    // Outside any chat the editor first asks by itself whether a tool of a server may be called.
    await editor.dialog().waitFor({ timeout: 60_000 });
    await editor.page.keyboard.press('Enter');
    await editor.dialog().getByText('May mcp run this?').first().waitFor();
    await editor.screenshot('own-server');
    await editor.answer('Allow Once');
    assert.match((await done)[0] ?? '', /^DONE/);
    assert.ok(!existsSync(file('mine.txt')));
  });

  it('to a question: no, and why; the page behind it tells all that is known @slow', async function () {
    this.timeout(120_000);
    const done = model.ask('tidy up', [call('ExecuteShell', { command: 'rm -r notes' })]);
    await editor.dialog().getByText('rm -r notes').first().waitFor({ timeout: 60_000 });
    await editor.answer('Look Closer');
    const page = editor.page.locator('.monaco-editor .view-lines', { hasText: 'Why you are asked' });
    await page.getByText('delete notes').first().waitFor();
    await editor.screenshot('look-closer');
    await lens(/Answer/).click();
    await editor.answer('Refuse, Because…');
    await say('these are mine');
    assert.match((await done)[0] ?? '', /^REFUSED by the person: these are mine/);
    assert.ok(existsSync(file('notes/ideas.md')));
  });

  it('to a question: always; the rule is shown, then written, and it is not asked again @slow', async function () {
    this.timeout(120_000);
    const policy = file('.lacuna/policy.yaml');
    const read = call('ReadFile', { path: '/etc/login.defs' });
    const first = model.ask('who can log in here', [read]);
    await editor.dialog().getByText('/etc/login.defs').first().waitFor({ timeout: 60_000 });
    await editor.answer('Always Allow…');
    await editor.dialog().getByText('path: [ /etc/login.defs ]').first().waitFor();
    assert.ok(!existsSync(policy), 'nothing is written before the person says so');
    await editor.screenshot('always');
    await editor.answer('Write This Rule and Allow');
    assert.doesNotMatch((await first)[0] ?? '', /^REFUSED/);
    assert.match(readFileSync(policy, 'utf8'), /\/etc\/login\.defs/);
    assert.doesNotMatch((await model.ask('who can log in here, once more', [read]))[0] ?? '', /^REFUSED/);
    assert.equal(await editor.dialog().count(), 0);
  });

  it('to what was let through: it should have been stopped; the rule is shown before it is written @slow', async function () {
    this.timeout(120_000);
    const policy = (): string => readFileSync(file('.lacuna/policy.yaml'), 'utf8');
    await editor.command('Lacuna: This Should Have Been Stopped');
    await pick('Read /etc/login.defs');
    await editor.dialog().getByText('This rule would be added to .lacuna/policy.yaml').first().waitFor();
    assert.doesNotMatch(policy(), /stop-/);
    await editor.screenshot('should-have-been-stopped');
    await editor.answer('Add This Rule');
    await editor.until(() => /stop-/.test(policy()));
    const again = model.ask('who can log in here now', [call('ReadFile', { path: '/etc/login.defs' })]);
    await editor.dialog().getByText('stop-').first().waitFor({ timeout: 60_000 });
    await editor.answer('Refuse');
    assert.match((await again)[0] ?? '', /^REFUSED by the person: Asked first/);
  });

  it('to the mode: it steps up by itself and shows it, and the person steps it down @slow', async function () {
    this.timeout(120_000);
    const wipe = call('ExecuteShell', { command: 'false && rm -rf ~' });
    await model.ask('make room', [wipe, wipe, wipe]);
    await editor
      .statusBar()
      .filter({ hasText: /strict|lockdown/ })
      .first()
      .waitFor();
    await editor.screenshot('stepped-up');
    await editor.command('Lacuna: This Was a False Alarm');
    await pick('false && rm -rf ~');
    await toast('No rule is proposed: what is destructive').waitFor();
    await editor.command('Lacuna: Set Mode');
    await pick('Asks where something');
    await editor.statusBar().filter({ hasText: 'balanced' }).first().waitFor();
  });

  it('to who reviews: only what is on this machine; measured when it is wanted, and nothing kept unasked @slow', async function () {
    this.timeout(180_000);
    await editor.command('Lacuna: Choose Reviewer Model');
    await pick('A model server on this machine');
    const address = editor.page.locator('.quick-input-widget input[type="text"]');
    await address.fill('https://models.example.net/v1');
    await editor.page.getByText('It must be an address of this machine').first().waitFor();
    await editor.screenshot('reviewer-address');
    await address.press('Escape');
    await editor.command('Lacuna: Choose Reviewer Model');
    await pick('Linear model only');
    await toast('The reviewer is chosen.').getByRole('button', { name: 'Benchmark It' }).click();
    await toast(/This reviewer is (not )?fit.*bundled cases/s).waitFor({ timeout: 120_000 });
    await editor.screenshot('reviewer-measured');
    await editor.command('Lacuna: Export Answers Kept');
    await toast('Answers are not kept.').waitFor();
    await editor.command('Lacuna: Forget Usual Behaviour');
    await editor.dialog().getByText('Forget what agents usually do').first().waitFor();
    await editor.answer('Forget');
  });
});
