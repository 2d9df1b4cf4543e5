import * as vscode from 'vscode';
import { registerModelProvider } from '../models/provider.js';
import { registerModelCommands } from '../models/setUp.js';
import { registerTools } from '../tools/tools.js';
import type { AgentHost } from './host.js';
import { registerParticipant } from './participant.js';

/** Everything of the agent that the editor sees: chat participant, tools, models, and the commands that set them up. */
export const registerAgent = (host: AgentHost, icon: vscode.IconPath): vscode.Disposable =>
  vscode.Disposable.from(
    registerModelProvider(host.models),
    registerModelCommands(host.models),
    registerTools(host),
    registerParticipant(host, icon),
  );
