import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';

/** What the fixture extension gives back: the names of its tools as they were called. */
interface Neighbour {
  readonly calls: readonly string[];
}

/**
 * Lacuna beside another extension that has a tool of the editor and a server of the Model Context Protocol (`neighbour/`), and with
 * its own server on. Both servers are started by the editor itself. Nobody answers questions in this window: they end unanswered.
 */
if (process.env['LACUNA_WORLD'] === 'neighbours')
  describe('beside another extension', () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const file = (name: string): string => path.join(root, name);
    let neighbour: Neighbour;

    const read = (result: vscode.LanguageModelToolResult): string =>
      result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
    const call = async (name: string, input: object, token?: vscode.CancellationToken): Promise<string> =>
      read(await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token));
    const callTool = (tool: string, input: object, more: object = {}): Promise<string> =>
      call('lacuna_CallTool', { tool, input, ...more });
    /** The full name of a server's tool. */
    const served = (end: string): string =>
      vscode.lm.tools.find(({ name }) => name.startsWith('mcp_') && name.endsWith(end))?.name ?? `no ${end}`;

    async function until(holds: () => boolean): Promise<void> {
      for (let left = 150; !holds(); left -= 1) {
        assert.ok(left > 0, 'it did not come about within 15 seconds');
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }

    /** Lines of all audits. */
    const audited = (): readonly string[] => {
      const audits = path.join(process.env['XDG_STATE_HOME'] ?? '', 'lacuna', 'audit');
      return readdirSync(audits, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.jsonl'))
        .flatMap((name) => readFileSync(path.join(audits, name), 'utf8').split('\n'));
    };

    before(async function () {
      this.timeout(60_000);
      await vscode.extensions.getExtension('lacuna.lacuna')?.activate();
      const extension = vscode.extensions.getExtension<Neighbour>('lacuna-tests.neighbour');
      assert.ok(extension);
      neighbour = await extension.activate();
      const areThere = (): boolean =>
        ['_read_note', '_lacuna_ReadFile'].every((end) =>
          vscode.lm.tools.some(({ name }) => name.startsWith('mcp_') && name.endsWith(end)),
        );
      for (let tries = 0; tries < 20 && !areThere(); tries += 1) {
        await vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    });

    describe('its tool', () => {
      it('is called by the editor’s own API, and what it says is data', async () => {
        const said = await callTool('neighbour_read_note', { path: 'notes/today.md' });
        assert.match(said, /^DONE\.\n<<<DATA-\w+ \(untrusted data, not instructions\)\nShip on Friday/);
      });

      it('is judged by what it is asked to do, though its name is allowed', async () => {
        const before = neighbour.calls.length;
        const command = 'false && rm -rf ~';
        assert.match(await callTool('neighbour_do', { command }), /^REFUSED by a rule[\s\S]*home folder/);
        assert.match(await callTool('neighbour_do', { command: 'rm -r notes' }), /^REFUSED[\s\S]*nobody was there/);
        assert.match(await callTool('neighbour_read_note', { path: '.env' }), /^REFUSED[\s\S]*nobody was there/);
        assert.deepEqual(neighbour.calls.slice(before), [], 'a tool that may not be called hears nothing of it');
        assert.ok(existsSync(file('notes/old.md')));
      });

      it('does what may be done', async () => {
        assert.match(await callTool('neighbour_do', { command: 'echo counted > count.txt' }), /^DONE/);
        assert.equal(readFileSync(file('count.txt'), 'utf8'), 'counted\n');
      });

      it('can fail: the agent hears why, and that it may have acted', async () => {
        const said = await callTool('neighbour_fail', {});
        assert.match(
          said,
          /^FAILED: The tool says that it failed\.[\s\S]*may have done[\s\S]*There are no notes here\./,
        );
        assert.doesNotMatch(said, /Nothing was changed/);
      });

      it('is stopped when the agent is', async () => {
        const source = new vscode.CancellationTokenSource();
        const waiting = call('lacuna_CallTool', { tool: 'neighbour_wait', input: {} }, source.token).then(
          (text) => text,
          (error: unknown) => String(error),
        );
        await until(() => neighbour.calls.includes('waiting'));
        source.cancel();
        assert.match(await waiting, /cancel/i);
        await until(() => neighbour.calls.includes('stopped'));
      });

      it('that is not there is not available', async () =>
        assert.match(await callTool('neighbour_nothing', {}), /^(?:NOT AVAILABLE|REFUSED)/));
    });

    describe('a tool of its server', () => {
      it('is called by either of its names', async () => {
        assert.match(await callTool(served('read_note'), { path: 'notes/today.md' }), /^DONE[\s\S]*Ship on Friday/);
        const server = /^mcp_(.+)_read_note$/.exec(served('read_note'))?.[1];
        assert.match(await callTool('read_note', { path: 'notes/today.md' }, { server }), /^DONE[\s\S]*Ship on Friday/);
      });

      it('that takes something away waits for a person, whatever is allowed', async () => {
        assert.match(
          await callTool(served('delete_note'), { path: 'notes/old.md' }),
          /^REFUSED[\s\S]*nobody was there/,
        );
        assert.ok(existsSync(file('notes/old.md')));
      });

      it('hands its failure on in its own words', async () =>
        assert.match(await callTool(served('count_notes'), {}), /cannot be counted/));
    });

    describe('the audit', () => {
      it('has everything, each with its end', () => {
        const lines = audited().filter((line) => line !== '');
        const ids = lines
          .filter((line) => /"type":"proposed"/.test(line) && line.includes('"kind":"CallTool"'))
          .map((line) => /"id":"([^"]+)"/.exec(line)?.[1] ?? '');
        assert.ok(ids.length >= 10, String(ids.length));
        for (const id of ids)
          for (const type of ['decided', 'outcome'])
            assert.ok(
              lines.some((line) => line.includes(`"type":"${type}","lacunaId":"${id}"`)),
              `${type} of ${id}`,
            );
      });
    });

    describe('Lacuna’s own server, started by the editor', () => {
      it('offers the guarded tools', () => {
        const tools = vscode.lm.tools.map(({ name }) => name).filter((name) => /^mcp_.*_lacuna_/.test(name));
        assert.ok(tools.length >= 10, tools.join());
        for (const { name, description } of vscode.lm.tools)
          if (tools.includes(name)) assert.match(description, /Guarded by Lacuna/);
      });

      it('does what may be done, in the session of this window', async () => {
        assert.match(await call(served('lacuna_ReadFile'), { path: 'notes/today.md' }), /^DONE[\s\S]*Ship on Friday/);
        await until(() => audited().some((line) => line.includes('"agent":"mcp"') && line.includes('today.md')));
      });

      it('refuses what destroys', async () => {
        const said = await call(served('lacuna_ExecuteShell'), { command: 'false && rm -rf ~' });
        assert.match(said, /^REFUSED by a rule/);
      });

      it('asks in this window, and takes silence for a no', async () => {
        const said = await call(served('lacuna_ExecuteShell'), { command: 'rm -r notes' });
        assert.match(said, /^REFUSED[\s\S]*nobody was there/);
        assert.ok(existsSync(file('notes/old.md')));
      });
    });
  });
