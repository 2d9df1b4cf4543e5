import { mkdirSync } from 'node:fs';
import * as vscode from 'vscode';

/**
 * Folders that agents work in: those of the workspace that are on this machine's disk. Without one, an empty folder of the
 * extension's own stands in: the home folder must never become a workspace by itself.
 */
export function workspaceRoots(storage: vscode.Uri): readonly string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (folders.length > 0) return folders.map(({ uri }) => uri.fsPath);
  const empty = vscode.Uri.joinPath(storage, 'no-folder').fsPath;
  mkdirSync(empty, { recursive: true, mode: 0o700 });
  return [empty];
}
