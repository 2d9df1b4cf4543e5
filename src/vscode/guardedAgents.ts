import * as vscode from 'vscode';
import { tellOfChangedCalls } from './changedCalls.js';
import type { Guard } from './guard.js';
import { watchSwitches } from './hookSwitches.js';
import { registerMcpServer } from './mcp.js';
import { watchForUnjudged } from './unjudged.js';
import { Pages } from './views/pages.js';

/** Everything around the agents that are not ours: setting them up, testing what is seen of them, and noticing what is not. */
export function registerGuardedAgents(guard: Guard, version: string): vscode.Disposable {
  const pages = new Pages();
  return vscode.Disposable.from(
    pages,
    vscode.commands.registerCommand('lacuna.guardAgent', async () =>
      (await import('./guardAgent.js')).guardAgent(guard, pages),
    ),
    vscode.commands.registerCommand('lacuna.testCoverage', async () =>
      (await import('./coverage.js')).testCoverage(guard, pages),
    ),
    watchSwitches(guard.health),
    watchForUnjudged(guard),
    tellOfChangedCalls(guard.sessions),
    registerMcpServer(version),
  );
}
