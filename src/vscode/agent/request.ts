import * as vscode from 'vscode';

/** Most characters of a text that a person attached which go to the model with the request; more can be read as a file. */
const MOST_ATTACHED = 8_000;

/**
 * What the editor adds by itself, and no person has said or seen: files of instructions, and an index of skills and instructions,
 * which is for its own agent. Source: VS Code 1.139, ids of prompt variables.
 */
const INSTRUCTIONS = 'vscode.instructions.';
const INDEX = 'vscode.customizations.';

/** The request as the model reads it, and as the session keeps it: the person's words, and what they attached. */
export function requestText(request: vscode.ChatRequest): string {
  const ofWorkspace = request.references.filter(({ id }) => id.startsWith(INSTRUCTIONS));
  const ofPerson = request.references.filter(({ id }) => !id.startsWith(INSTRUCTIONS) && !id.startsWith(INDEX));
  const said = (references: typeof ofPerson): readonly string[] =>
    references.map(referenceText).filter((text) => text !== '');
  const attached = said(ofPerson);
  const instructions = said(ofWorkspace);
  const tools = request.toolReferences.map(({ name }) => name);
  return [
    request.prompt,
    ...(attached.length === 0 ? [] : ['', 'Attached by the person:', ...attached]),
    ...(instructions.length === 0 ? [] : ['', 'Instructions that lie in the workspace:', ...instructions]),
    ...(tools.length === 0
      ? []
      : ['', `The person points to these tools, to be called with CallTool: ${tools.join(', ')}`]),
  ].join('\n');
}

function referenceText({ value }: vscode.ChatPromptReference): string {
  if (value instanceof vscode.Uri) return `- ${vscode.workspace.asRelativePath(value)}`;
  if (value instanceof vscode.Location) {
    const { start, end } = value.range;
    return `- ${vscode.workspace.asRelativePath(value.uri)}, lines ${start.line + 1} to ${end.line + 1}`;
  }
  return typeof value === 'string' && value !== '' ? `- text: ${value.slice(0, MOST_ATTACHED)}` : '';
}
