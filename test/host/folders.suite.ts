import assert from 'node:assert/strict';
import * as vscode from 'vscode';

const call = async (kind: string, input: object): Promise<string> => {
  const result = await vscode.lm.invokeTool(`lacuna_${kind}`, { input, toolInvocationToken: undefined });
  return result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
};

if (process.env['LACUNA_WORLD'] === 'folders')
  describe('in several folders', () => {
    before(async () => {
      await vscode.extensions.getExtension('lacuna.lacuna')?.activate();
      for (const folder of vscode.workspace.workspaceFolders ?? [])
        await vscode.workspace.fs.writeFile(
          vscode.Uri.joinPath(folder.uri, 'who.txt'),
          Buffer.from(`I am in ${folder.name}`),
        );
    });

    it('a path says by its first name which one it means', async () => {
      assert.equal(vscode.workspace.workspaceFolders?.length, 2);
      assert.match(await call('ReadFile', { path: 'beta/who.txt' }), /^DONE[\s\S]*I am in beta/);
      assert.match(await call('ReadFile', { path: 'alpha/who.txt' }), /^DONE[\s\S]*I am in alpha/);
    });
    it('a path that could be in each is asked for again, with the names to choose from', async () =>
      assert.match(await call('ReadFile', { path: 'who.txt' }), /^NOT DONE[\s\S]*alpha, beta/));
    it('none is outside the workspace, and what is outside is', async () => {
      assert.match(await call('ListFiles', { path: 'beta' }), /^DONE/);
      assert.match(await call('ExecuteShell', { command: 'rm -rf ~', cwd: 'beta' }), /^REFUSED/);
    });
  });

if (process.env['LACUNA_WORLD'] === 'untrusted')
  describe('in restricted mode', () => {
    const write = (text: string): Thenable<void> => {
      const root = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/nowhere');
      return vscode.workspace.fs.writeFile(vscode.Uri.joinPath(root, '.lacuna/policy.yaml'), Buffer.from(text));
    };
    const rule = (id: string, path: string, verdict: string): string =>
      `  - { id: ${id}, match: { effect: { path: '${path}' } }, verdict: ${verdict}, priority: 900, reason: it says so }\n`;

    it('Lacuna works, and hears of the workspace’s policy only what is stricter', async () => {
      assert.equal(vscode.workspace.isTrusted, false);
      await write(`version: 1\nrules:\n${rule('stricter', 'closed.txt', 'deny')}${rule('looser', '.env', 'allow')}`);
      for (const name of ['closed.txt', 'open.txt', '.env'])
        await vscode.workspace.fs.writeFile(
          vscode.Uri.joinPath(vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/nowhere'), name),
          Buffer.from('A=1\n'),
        );
      const extension = vscode.extensions.getExtension('lacuna.lacuna');
      assert.ok(extension, 'the extension is there in restricted mode');
      await extension.activate();
      assert.match(await call('ReadFile', { path: 'open.txt' }), /^DONE/);
      assert.match(await call('ReadFile', { path: 'closed.txt' }), /^REFUSED/);
      // What the looser rule would let pass is still asked about: the question waits until the call is given up.
      const source = new vscode.CancellationTokenSource();
      const asked = vscode.lm
        .invokeTool('lacuna_ReadFile', { input: { path: '.env' }, toolInvocationToken: undefined }, source.token)
        .then(
          () => 'answered',
          () => 'cancelled',
        );
      const first = await Promise.race([asked, new Promise((resolve) => setTimeout(() => resolve('waits'), 1_500))]);
      source.cancel();
      assert.notEqual(first, 'answered');
    });
  });
