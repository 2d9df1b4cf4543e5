import * as vscode from 'vscode';
import { registerModelProvider } from '../models/provider.js';
import { registerModelCommands } from '../models/setUp.js';
import { registerTools } from '../tools/tools.js';
import type { AgentHost } from './host.js';
import { registerParticipant } from './participant.js';

/** Everything of the agent that the editor sees: chat participant, tools, models, and the commands that set them up. */
export function registerAgent(host: AgentHost, { extension }: vscode.ExtensionContext): vscode.Disposable {
  const media = (name: string): vscode.Uri => vscode.Uri.joinPath(extension.extensionUri, 'media', name);
  return vscode.Disposable.from(
    registerModelProvider(host.models),
    registerModelCommands(host.models),
    registerTools(toolNames(extension.packageJSON), host),
    registerParticipant(host, { light: media('lacuna.svg'), dark: media('lacuna-dark.svg') }),
  );
}

/** Names of the tools in a manifest. It is our own, so a shape that does not fit is a bug and shows as no tools at all. */
export function toolNames(manifest: unknown): readonly string[] {
  const tools = (manifest as { contributes?: { languageModelTools?: readonly { name: string }[] } }).contributes;
  return (tools?.languageModelTools ?? []).map(({ name }) => name);
}
