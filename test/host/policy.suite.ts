import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';

const folder = (): string => {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(first, 'no folder is open');
  return path.join(first.uri.fsPath, '.lacuna');
};
const uri = (): vscode.Uri => vscode.Uri.file(path.join(folder(), 'policy.yaml'));

/** Opens a policy with this text. */
async function open(text: string): Promise<vscode.TextDocument> {
  mkdirSync(folder(), { recursive: true });
  writeFileSync(uri().fsPath, text);
  const document = await vscode.workspace.openTextDocument(uri());
  const editor = await vscode.window.showTextDocument(document);
  if (document.getText() !== text)
    await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, document.lineCount, 0), text));
  return document;
}

/** What is underlined, once it is as expected or time is up. */
async function marks(isAsExpected: (messages: readonly string[]) => boolean): Promise<readonly string[]> {
  const now = (): readonly string[] =>
    vscode.languages.getDiagnostics(uri()).map(({ range, message }) => `${String(range.start.line + 1)} ${message}`);
  for (let round = 0; round < 80 && !isAsExpected(now()); round += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  return now();
}

const RULES = `version: 1
rules:
  - id: never-push-main
    match: { effect: { ref: main, remote: "*" } }
    verdict: deny
`;

describe('policies in the editor', () => {
  before(() => vscode.extensions.getExtension('lacuna.lacuna')?.activate());
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder(), { recursive: true, force: true });
  });

  it('completes fields and values from the schema', async () => {
    const document = await open(`${RULES}    ver\n`);
    const offered = async (line: number, column: number): Promise<readonly string[]> => {
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        new vscode.Position(line, column),
      );
      return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    assert.ok((await offered(4, 13)).includes('sandbox'));
    assert.ok((await offered(5, 7)).includes('reason'));
  });

  it('explains the word under the mouse', async () => {
    const document = await open(RULES);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(4, 15),
    );
    const text = hovers.flatMap(({ contents }) =>
      contents.map((part) => (typeof part === 'string' ? part : part.value)),
    );
    assert.match(text.join('\n'), /refused/);
  });

  it('underlines mistakes as they are typed, and offers the field that was meant', async () => {
    const document = await open(RULES.replace('verdict', 'verdit'));
    // Marks of the text before may still stand for a moment.
    const found = await marks((messages) => messages.some((message) => message.includes('verdit')));
    assert.ok(
      found.some((message) => /^5 Unknown field "verdit".*verdict/.test(message)),
      found.join('\n'),
    );
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      new vscode.Range(4, 5, 4, 5),
    );
    const action = actions.find(({ title }) => title === 'Write "verdict"');
    assert.ok(action?.edit, actions.map(({ title }) => title).join());
    assert.ok(await vscode.workspace.applyEdit(action.edit));
    assert.equal(document.getText(), RULES);
    assert.deepEqual(await marks((messages) => messages.length === 0), []);
  });

  it('underlines rules of no use and tests that fail', async () => {
    await open(`${RULES}  - { id: lost, match: { effect: { op: network, path: x } }, verdict: ask }
tests:
  - { when: { kind: ExecuteShell, params: { command: git push origin main } }, expect: allow }
`);
    const found = await marks((messages) => messages.some((message) => message.startsWith('8 ')));
    assert.ok(
      found.some((message) => /^6 Rule lost can never match/.test(message)),
      found.join('\n'),
    );
    assert.ok(
      found.some((message) => /^8 .*Expected allow, but it is deny/.test(message)),
      found.join('\n'),
    );
  });

  it('has lenses that run the tests and try a command on the text as it stands', async () => {
    const document = await open(`${RULES}tests:
  - { when: { kind: ExecuteShell, params: { command: git push origin main } }, expect: deny }
  - { when: { kind: ExecuteShell, params: { command: git status } }, expect: deny }
`);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    const commands = lenses.map(({ command }) => command?.command);
    assert.ok(commands.includes('lacuna.policy.runTests') && commands.includes('lacuna.policy.try'), commands.join());
    const result = await vscode.commands.executeCommand('lacuna.policy.runTests', document.uri);
    assert.deepEqual(result, { passed: 1, failed: 1 });
    await vscode.commands.executeCommand('lacuna.policy.try', document.uri, 'git push origin main');
    const page = vscode.workspace.textDocuments.find(({ uri: one }) => one.scheme === 'lacuna-tried');
    assert.match(page?.getText() ?? '', /never-push-main/);
    assert.match(page?.getText() ?? '', /does not match/);
  });
});
