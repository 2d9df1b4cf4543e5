import { execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';

const root = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '/nowhere';
const says = (text: string): vscode.LanguageModelToolResult =>
  new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);

/**
 * Another extension beside Lacuna, by the stable API alone. Its tools do what they say, so that a test can look at the folder. What
 * reaches them is kept in `neighbour.calls`, which the test reads.
 */
export function activate(context: vscode.ExtensionContext): { readonly calls: readonly string[] } {
  const calls: string[] = [];
  const tool = (
    name: string,
    work: (input: Readonly<Record<string, string>>, token: vscode.CancellationToken) => Promise<string> | string,
  ): vscode.Disposable =>
    vscode.lm.registerTool<Readonly<Record<string, string>>>(`neighbour_${name}`, {
      invoke: async ({ input }, token) => {
        calls.push(name);
        return says(await work(input, token));
      },
    });
  context.subscriptions.push(
    tool('read_note', (input) => readFileSync(path.join(root(), input['path'] ?? ''), 'utf8')),
    tool('do', (input) => execSync(input['command'] ?? '', { cwd: root(), encoding: 'utf8' })),
    tool('fail', () => {
      throw new Error('There are no notes here.');
    }),
    tool('wait', (_input, token) => {
      calls.push('waiting');
      return new Promise<string>((_resolve, reject) =>
        token.onCancellationRequested(() => {
          calls.push('stopped');
          reject(new vscode.CancellationError());
        }),
      );
    }),
    vscode.lm.registerMcpServerDefinitionProvider('neighbour.mcp', {
      provideMcpServerDefinitions: () => [
        new vscode.McpStdioServerDefinition(
          'Team notes',
          process.execPath,
          [path.join(__dirname, 'mcpServer.js'), root()],
          { ELECTRON_RUN_AS_NODE: '1' },
          '1',
        ),
      ],
    }),
  );
  return { calls };
}
