import * as vscode from 'vscode';
import type { AgentHost } from '../agent/host.js';

type Input = Record<string, unknown>;

/**
 * Offers every kind of Lacuna as a tool that any agent of the editor can call. `names` as package.json has them (generated from
 * the kinds), so that nothing heavy is loaded before the first call.
 */
export const registerTools = (names: readonly string[], host: AgentHost): vscode.Disposable =>
  vscode.Disposable.from(...names.map((name) => vscode.lm.registerTool(name, toolFor(name, host))));

/**
 * One kind as a tool. The gate runs in `invoke`, since the editor calls it without a dialog when a person has allowed
 * everything; `prepareInvocation` only describes, and brings no dialog of its own beside the gate's.
 */
const toolFor = (name: string, host: AgentHost): vscode.LanguageModelTool<Input> => ({
  prepareInvocation: async ({ input }) => (await import('./invoke.js')).describe(name, input),
  invoke: async (options, token) => (await import('./invoke.js')).invoke(name, options, token, host),
});
