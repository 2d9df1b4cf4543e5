import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { thisPlatform } from '../adapters/facts.js';
import type { Folders } from '../core/agent/folders.js';

/** The folders of the workspace by the names that the person sees. */
export const openFolders = (): Folders => ({
  folders: (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, path: uri.fsPath.replaceAll('\\', '/') })),
  platform: thisPlatform(),
  isThere: existsSync,
});
