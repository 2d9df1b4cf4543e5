import * as vscode from 'vscode';
import { completionsAt, type Offered } from '../../core/policy/writing/completions.js';
import { fixesFor } from '../../core/policy/writing/fixes.js';
import { hoverAt } from '../../core/policy/writing/hover.js';

const range = (document: vscode.TextDocument, start: number, end: number): vscode.Range =>
  new vscode.Range(document.positionAt(start), document.positionAt(end));

/** Completions of a policy document. */
export function completions(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
  const text = document.getText();
  const { items, start, end } = completionsAt(text, document.offsetAt(position));
  const hasColon = /^["']?\s*:/.test(text.slice(end));
  return items.map((offered, index) => item(offered, index, range(document, start, end), hasColon));
}

function item(offered: Offered, index: number, place: vscode.Range, hasColon: boolean): vscode.CompletionItem {
  const isField = offered.role === 'field';
  const kind = isField ? vscode.CompletionItemKind.Property : vscode.CompletionItemKind.EnumMember;
  const completion = new vscode.CompletionItem(offered.text, kind);
  completion.range = place;
  completion.documentation = new vscode.MarkdownString(offered.description);
  completion.sortText = String(index).padStart(3, '0');
  completion.insertText = isField && !hasColon ? `${offered.text}: ` : offered.text;
  if (isField && !hasColon && offered.shape === 'value')
    completion.command = { command: 'editor.action.triggerSuggest', title: '' };
  return completion;
}

/** What the word under the mouse means. */
export function hover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | null {
  const found = hoverAt(document.getText(), document.offsetAt(position));
  return found === null
    ? null
    : new vscode.Hover(new vscode.MarkdownString(found.text), range(document, found.start, found.end));
}

/** What can be mended where the cursor stands or something is underlined. */
export function fixes(
  document: vscode.TextDocument,
  place: vscode.Range,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const ours = diagnostics.filter(({ source }) => source === 'lacuna');
  const offsets = new Set([place.start, ...ours.map((one) => one.range.start)].map((at) => document.offsetAt(at)));
  const found = new Map<string, vscode.CodeAction>();
  for (const offset of offsets)
    for (const { title, edit, isMending } of fixesFor(document.getText(), offset)) {
      const action = new vscode.CodeAction(
        title,
        isMending ? vscode.CodeActionKind.QuickFix : vscode.CodeActionKind.RefactorRewrite,
      );
      action.edit = new vscode.WorkspaceEdit();
      action.edit.replace(document.uri, range(document, edit.start, edit.end), edit.text);
      action.isPreferred = isMending;
      if (isMending) action.diagnostics = ours.filter((one) => document.offsetAt(one.range.start) === offset);
      found.set(`${title} ${String(edit.start)}`, action);
    }
  return [...found.values()];
}
