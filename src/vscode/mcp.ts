import path from 'node:path';
import * as vscode from 'vscode';
import { onSettingChange, settings } from './settings.js';

/**
 * Offers our MCP server to the agents of the editor that take tools only from such servers. Off unless it is wanted: VS Code's own
 * agent has the same tools already, and would see each of them twice.
 */
export function registerMcpServer(version: string): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition> = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () =>
      !settings.isMcpServerOffered()
        ? []
        : (vscode.workspace.workspaceFolders ?? [])
            .filter(({ uri }) => uri.scheme === 'file')
            .map(
              ({ name, uri }) =>
                new vscode.McpStdioServerDefinition(
                  `Lacuna (${name})`,
                  process.execPath,
                  [path.join(__dirname, 'cli.js'), 'mcp', '--workspace', uri.fsPath],
                  { ELECTRON_RUN_AS_NODE: '1' },
                  version,
                ),
            ),
  };
  return vscode.Disposable.from(
    changed,
    vscode.lm.registerMcpServerDefinitionProvider('lacuna.mcp', provider),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    onSettingChange('mcpServer', () => changed.fire()),
  );
}
