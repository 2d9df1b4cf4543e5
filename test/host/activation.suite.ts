import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('activation', () => {
  it('happens by itself, without an error', async () => {
    const extension = vscode.extensions.getExtension('lacuna.lacuna');
    assert.ok(extension, 'the extension is not installed');
    await extension.activate();
    assert.ok(extension.isActive);
  });
});
