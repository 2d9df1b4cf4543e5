import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';

const KINDS = [
  'ListFiles',
  'ReadFile',
  'SearchFiles',
  'WriteFile',
  'EditFile',
  'DeleteFile',
  'MoveFile',
  'ExecuteShell',
  'HttpRequest',
  'QueryDatabase',
  'CallTool',
  'Delegate',
];

const root = (): vscode.Uri => {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, 'a folder is open');
  return folder.uri;
};
const write = (name: string, text: string): Thenable<void> =>
  vscode.workspace.fs.writeFile(vscode.Uri.joinPath(root(), name), Buffer.from(text));

/** Calls a tool as another agent would, and gives back what that agent would read. */
async function call(kind: string, input: object, token?: vscode.CancellationToken): Promise<string> {
  const result = await vscode.lm.invokeTool(`lacuna_${kind}`, { input, toolInvocationToken: undefined }, token);
  return result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

describe('the language-model tools', () => {
  before(() => vscode.extensions.getExtension('lacuna.lacuna')?.activate());

  it('are there for every kind, with a schema', () => {
    const ours = vscode.lm.tools.filter(({ name }) => name.startsWith('lacuna_'));
    assert.deepEqual(ours.map(({ name }) => name).sort(), KINDS.map((kind) => `lacuna_${kind}`).sort());
    for (const { inputSchema, description } of ours) {
      assert.ok(inputSchema !== undefined && 'properties' in inputSchema);
      assert.match(description, /Guarded by Lacuna/);
    }
  });

  it('read a file through the gate, and mark it as data', async () => {
    await write('hello.txt', 'good morning');
    assert.match(await call('ReadFile', { path: 'hello.txt' }), /^DONE\.[\s\S]*untrusted data[\s\S]*good morning/);
  });

  it('answer a malformed call with what is wrong', async () => {
    // The editor itself checks the input against the schema first, so the wrong part is one that a schema cannot see.
    const text = await call('ReadFile', { path: 'hello.txt', why: 'x'.repeat(2000) });
    assert.match(text, /NOT DONE: the call could not be read[\s\S]*why/);
  });

  it('refuse what policy refuses, whoever asks', async () => {
    const text = await call('ExecuteShell', { command: 'false && rm -rf ~' });
    assert.match(text, /^REFUSED by/);
  });

  it('stop when they are cancelled', async () => {
    const source = new vscode.CancellationTokenSource();
    const waiting = call('ReadFile', { path: 'hello.txt' }, source.token).then(
      (text) => text,
      (error: unknown) => String(error),
    );
    source.cancel();
    assert.match(await waiting, /cancel/i);
  });

  it('cannot delegate without a loop, and say so', async () => {
    const text = await call('Delegate', { goal: 'x', kinds: ['ReadFile'], budget: {} });
    assert.match(text, /NOT AVAILABLE: Only the agent of Lacuna itself|REFUSED/);
  });
});

describe('the models of the extension', () => {
  it('offer the demonstration to every chat', async () => {
    const [model] = await vscode.lm.selectChatModels({ vendor: 'lacuna', id: 'demonstration' });
    assert.ok(model);
    assert.match(model.name, /demonstration/i);
    assert.ok((await model.countTokens('hello world')) > 0);
  });

  it('answer through the editor’s own API', async () => {
    const [model] = await vscode.lm.selectChatModels({ vendor: 'lacuna', id: 'demonstration' });
    assert.ok(model);
    const response = await model.sendRequest([vscode.LanguageModelChatMessage.User('a poem, please')]);
    let text = '';
    for await (const piece of response.text) text += piece;
    assert.match(text, /demonstration model/);
  });

  it('call the tools that another agent offers them', async () => {
    const [model] = await vscode.lm.selectChatModels({ vendor: 'lacuna', id: 'demonstration' });
    assert.ok(model);
    const tools = vscode.lm.tools
      .filter(({ name }) => name.startsWith('lacuna_'))
      .map(({ name, description, inputSchema }) => ({ name, description, inputSchema: inputSchema ?? {} }));
    const response = await model.sendRequest([vscode.LanguageModelChatMessage.User('fix the failing test')], { tools });
    const calls: string[] = [];
    for await (const part of response.stream)
      if (part instanceof vscode.LanguageModelToolCallPart) calls.push(part.name);
    assert.deepEqual(calls, ['lacuna_ListFiles', 'lacuna_ReadFile']);
  });
});

describe('@lacuna in the chat', () => {
  const audits = path.join(process.env['XDG_STATE_HOME'] ?? '', 'lacuna', 'audit');

  /** Lines of all audits that fit; waits until there are some. */
  async function audited(fits: (line: string) => boolean): Promise<readonly string[]> {
    for (let tries = 0; tries < 100; tries += 1) {
      const files = existsSync(audits) ? readdirSync(audits, { recursive: true, encoding: 'utf8' }) : [];
      const lines = files
        .filter((file) => file.endsWith('.jsonl'))
        .flatMap((file) => readFileSync(path.join(audits, file), 'utf8').split('\n'))
        .filter(fits);
      if (lines.length > 0) return lines;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return [];
  }
  const ask = (query: string): Thenable<unknown> =>
    vscode.commands.executeCommand('workbench.action.chat.open', {
      query,
      modelSelector: { vendor: 'lacuna', id: 'demonstration' },
    });

  before(async () => {
    await write('package.json', JSON.stringify({ name: 'tiny', description: 'a tiny project', scripts: {} }));
    await write('src/one.js', 'export function one() {\n  return 1;\n}\n');
    await vscode.extensions.getExtension('lacuna.lacuna')?.activate();
  });

  it('plans, reads through the gate, and leaves everything in the audit', async function () {
    this.timeout(60_000);
    await ask('@lacuna explain the project');
    const plans = await audited((line) => line.includes('"type":"plan"') && line.includes('Explain the project'));
    assert.ok(plans.length > 0, 'the plan is recorded');
    // Reads that are proposed together are one record.
    const reads = await audited((line) => /"type":"(?:proposed|group)"/.test(line) && line.includes('src/one.js'));
    assert.ok(reads.length > 0, 'the read is recorded');
    assert.match(reads[0] ?? '', /"agent":"lacuna"/);
    assert.match(reads[0] ?? '', /explain the project/);
    assert.match(reads[0] ?? '', /"planStep":"read"/);
  });
});
