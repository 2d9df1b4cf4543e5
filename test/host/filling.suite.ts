import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { CheckpointStore } from '../../src/adapters/checkpoints/store.js';
import { JournalFolder } from '../../src/adapters/journal.js';
import { BackgroundCommands } from '../../src/executors/process/background.js';
import { run } from '../../src/executors/process/run.js';
import { BackgroundTree } from '../../src/vscode/background/backgroundTree.js';
import { CheckpointPages, stateUri } from '../../src/vscode/checkpoints/checkpointPages.js';
import { CheckpointTree, type CheckpointRow } from '../../src/vscode/checkpoints/checkpointTree.js';
import { settings } from '../../src/vscode/settings.js';
import { afterACrash, detailOf, unsavedAmong } from '../../src/vscode/checkpoints/rollBack.js';

const noLimits = {
  timeoutMs: null,
  memoryMiB: null,
  processes: null,
  fileSizeMiB: null,
  outputMiB: null,
  diskMiB: null,
};

describe('checkpoints in the editor', () => {
  let folder = '';
  let root = '';
  let store: CheckpointStore;
  const file = (name: string): string => path.join(root, name);

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-view-')));
    root = path.join(folder, 'ws');
    mkdirSync(root);
    const clock = { nowMs: () => Date.now(), nowMicros: () => 0 };
    store = new CheckpointStore({ folder: path.join(folder, 'store'), roots: [root], clock });
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const labels = (tree: CheckpointTree, rows: readonly CheckpointRow[]): readonly string[] =>
    rows.map((row) => {
      const { label, description } = tree.getTreeItem(row);
      return `${typeof label === 'string' ? label : ''} ${row.type === 'change' ? String(description) : ''}`.trim();
    });

  it('are listed, the newest first, with what going back to each would change', async () => {
    writeFileSync(file('a.txt'), 'one');
    writeFileSync(file('gone.txt'), 'g');
    await store.take('before the first step', null);
    writeFileSync(file('a.txt'), 'two');
    rmSync(file('gone.txt'));
    await store.take('before the second step', null);
    writeFileSync(file('new.txt'), 'n');
    const tree = new CheckpointTree(() => Promise.resolve(store));
    const rows = await tree.getChildren();
    assert.deepEqual(labels(tree, rows), ['before the second step', 'before the first step']);
    const [second, first] = rows;
    assert.ok(first && second);
    assert.equal(tree.getTreeItem(first).contextValue, 'lacuna.checkpoint');
    const [made] = await tree.getChildren(second);
    assert.ok(made?.type === 'change');
    assert.match(labels(tree, [made]).join(), /^new\.txt .*goes$/);
    const names = labels(tree, await tree.getChildren(first)).map((label) => label.replace(/ .* · /, ' '));
    assert.deepEqual([...names].sort(), ['a.txt as it was', 'gone.txt comes back', 'new.txt goes']);
    const command = tree.getTreeItem(made).command;
    assert.equal(command?.command, 'lacuna.checkpoints.compare');
    tree.dispose();
  });

  it('tell the view of a new one, and not of those that looking takes', async () => {
    writeFileSync(file('a.txt'), 'one');
    await store.take('first', null);
    const tree = new CheckpointTree(() => Promise.resolve(store));
    let told = 0;
    tree.onDidChangeTreeData(() => (told += 1));
    const [first] = await tree.getChildren();
    writeFileSync(file('a.txt'), 'two');
    await tree.getChildren(first);
    assert.equal(told, 0);
    writeFileSync(file('a.txt'), 'three');
    await store.take('second', null);
    assert.equal(told, 1);
    tree.dispose();
  });

  it('show a file as it was', async () => {
    writeFileSync(file('a.txt'), 'one\n');
    const id = (await store.take('first', null)) ?? '';
    writeFileSync(file('a.txt'), 'two\n');
    const now = (await store.take('now', null)) ?? '';
    const [change] = await store.changes(now, id, []);
    assert.ok(change);
    const pages = new CheckpointPages(() => Promise.resolve(store));
    assert.equal(await pages.provideTextDocumentContent(stateUri(change.path, change.to)), 'one\n');
    assert.equal(await pages.provideTextDocumentContent(stateUri(change.path, null)), '');
    assert.match(
      detailOf(
        { checkpoint: (await store.list())[0] ?? assert.fail(), changes: [change], cannot: ['x: y'] },
        ['Z was sent.'],
        (one) => path.basename(one),
      ),
      /^as it was: a\.txt\n\nx: y\n\nThis stays done:\nZ was sent\.$/,
    );
  });

  it('do not go over text that is not saved', async () => {
    writeFileSync(file('a.txt'), 'one');
    const id = (await store.take('first', null)) ?? '';
    writeFileSync(file('a.txt'), 'two');
    const now = (await store.take('now', null)) ?? '';
    const changes = await store.changes(now, id, []);
    assert.deepEqual(unsavedAmong(changes), []);
    const document = await vscode.workspace.openTextDocument(file('a.txt'));
    const typing = new vscode.WorkspaceEdit();
    typing.insert(document.uri, new vscode.Position(0, 0), 'mine ');
    await vscode.workspace.applyEdit(typing);
    assert.equal(unsavedAmong(changes).length, 1);
    await document.save();
    assert.deepEqual(unsavedAmong(changes), []);
  });

  for (const [remedy, want] of [
    ['finish', 'one'],
    ['take-back', 'two'],
    ['leave', 'half'],
  ] as const)
    it(`a restore that a crash stopped can be settled: ${remedy}`, async () => {
      writeFileSync(file('a.txt'), 'one');
      const id = (await store.take('first', null)) ?? '';
      writeFileSync(file('a.txt'), 'two');
      const before = (await store.take('before the restore', null)) ?? '';
      writeFileSync(file('a.txt'), 'half');
      const journal = new JournalFolder(path.join(folder, 'unfinished'));
      journal.begin({ type: 'restore', roots: [root], checkpointId: id, before, paths: [] });
      const [name] = await vscode.workspace.fs.readDirectory(vscode.Uri.file(path.join(folder, 'unfinished')));
      const note = path.join(folder, 'unfinished', name?.[0] ?? '');
      // A process id that no system gives: the process is dead.
      writeFileSync(note, readFileSync(note, 'utf8').replace(/"pid":\d+/, '"pid":2147483646'));
      await afterACrash(store, journal, [root], () => Promise.resolve(null));
      assert.equal(journal.left().length, 1, 'a question that is closed comes again');
      await afterACrash(store, journal, [root], () => Promise.resolve(remedy));
      assert.equal(readFileSync(file('a.txt'), 'utf8'), want);
      assert.deepEqual(journal.left(), []);
    });
});

describe('background commands in the editor', () => {
  const start = (command: string): ReturnType<typeof run> =>
    run(
      {
        argv: ['/bin/sh', '-c', command],
        cwd: os.tmpdir(),
        env: { PATH: process.env['PATH'] ?? '' },
        children: 'loose',
      },
      noLimits,
      new AbortController().signal,
      { onOutput: () => undefined, onKill: () => Promise.resolve() },
    );

  it('are shown while they run, and when they have ended', async () => {
    const commands = new BackgroundCommands();
    const tree = new BackgroundTree((use) => {
      use(commands);
      return () => undefined;
    });
    assert.deepEqual(tree.getChildren(), []);
    const running = start('echo up; exec sleep 600');
    const id = commands.add({ command: 'serve', cwd: os.tmpdir(), isSandboxed: true }, running);
    const [row] = tree.getChildren();
    assert.ok(row);
    const item = tree.getTreeItem(row);
    assert.equal(item.contextValue, 'lacuna.background.running');
    assert.match(String(item.description), /^running · isolated/);
    assert.equal(await commands.stop(id), true);
    const [ended] = tree.getChildren();
    assert.ok(ended);
    assert.equal(tree.getTreeItem(ended).contextValue, 'lacuna.background.ended');
    tree.dispose();
  });

  it('that an agent starts can be seen and stopped by the commands of the extension', async () => {
    await vscode.extensions.getExtension('lacuna.lacuna')?.activate();
    const input = { command: 'echo started-here; sleep 600', background: true, why: 'a server for the test' };
    const result = await vscode.lm.invokeTool('lacuna_ExecuteShell', { input, toolInvocationToken: undefined });
    const said = result.content
      .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
      .join('');
    const id = /runs in the background as (bg-\d+)/.exec(said)?.[1];
    assert.ok(id, said);
    const uri = vscode.Uri.from({ scheme: 'lacuna-background', path: `/${id}.log`, query: id });
    const page = await vscode.workspace.openTextDocument(uri);
    assert.match(page.getText(), /running\n\n[\s\S]*started-here/);
    await vscode.commands.executeCommand('lacuna.background.stopAll');
    for (let tries = 0; tries < 50 && !/ended with/.test(page.getText()); tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    assert.match(page.getText(), /ended with/);
  });

  it('become the person’s own in a terminal, and are not started by themselves', async () => {
    await vscode.extensions.getExtension('lacuna.lacuna')?.activate();
    const before = vscode.window.terminals.length;
    const row = { id: 'bg-0', command: 'touch must-not-be-there', cwd: os.tmpdir() };
    await vscode.commands.executeCommand('lacuna.background.moveToTerminal', row);
    const made = vscode.window.terminals.at(-1);
    assert.equal(vscode.window.terminals.length, before + 1);
    assert.equal(made?.name, 'touch must-not-be-there');
    made.dispose();
  });
});

describe('what the executors take from the settings', () => {
  const set = (name: string, value: unknown): Thenable<void> =>
    vscode.workspace.getConfiguration('lacuna').update(name, value, vscode.ConfigurationTarget.Global);
  afterEach(async () => {
    for (const name of ['databases', 'http.internalHosts', 'sandbox.image']) await set(name, undefined);
  });

  it('are databases by name, inner hosts and an image; what is of another shape is left out', async () => {
    assert.deepEqual(settings.databases(), []);
    await set('databases', [
      { name: 'main', url: 'postgres://u@localhost/d', passwordSecret: 'pg' },
      { name: 'plain', url: 'postgres://u@localhost/e' },
      { name: 'broken' },
      'nonsense',
    ]);
    await set('http.internalHosts', ['*.corp.example', 7]);
    await set('sandbox.image', ' debian:12 ');
    assert.deepEqual(settings.databases(), [
      { name: 'main', url: 'postgres://u@localhost/d', passwordKey: 'pg' },
      { name: 'plain', url: 'postgres://u@localhost/e', passwordKey: null },
    ]);
    assert.deepEqual(settings.http.internalHosts(), ['*.corp.example']);
    assert.equal(settings.sandbox.image(), 'debian:12');
  });

  it('are used by the tools: a database whose password is not set says so, and shows no address', async () => {
    await set('databases', [{ name: 'main', url: 'postgres://u@192.0.2.1/d', passwordSecret: 'not-there' }]);
    await vscode.extensions.getExtension('lacuna.lacuna')?.activate();
    const input = { database: 'main', sql: 'SELECT 1 LIMIT 1' };
    const result = await vscode.lm.invokeTool('lacuna_QueryDatabase', { input, toolInvocationToken: undefined });
    const said = result.content
      .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
      .join('');
    assert.match(said, /The password of main is not set/);
    assert.doesNotMatch(said, /192\.0\.2\.1/);
  });
});
