import * as vscode from 'vscode';
import { ownFolder, stateFolder } from '../adapters/stateFolder.js';
import type { GuardedTools } from '../hooks/guardedSession.js';
import type { Guard } from './guard.js';
import type { Store } from './store.js';

/**
 * Serves the hooks of other agents from this window: one session state, one policy, one place where people are asked. Loaded a
 * moment after start, since an agent's first call must find it, and no person should wait for it.
 */
export async function guardOtherAgents(guard: Guard, guarded: GuardedTools, store: Store): Promise<void> {
  const state = ownFolder(stateFolder());
  const [
    { placeLauncher },
    { listenForHooks },
    { HookEngine },
    { HOOK_AGENTS },
    { refusal },
    { clock },
    { thisPlatform },
  ] = await Promise.all([
    import('../adapters/launcher.js'),
    import('../adapters/engine/server.js'),
    import('../hooks/hookEngine.js'),
    import('../hooks/hookEvent.js'),
    import('../hooks/refusal.js'),
    import('../adapters/system.js'),
    import('../adapters/facts.js'),
  ]);
  // Where hook processes find this version, and a Node: the one that runs this.
  placeLauncher(state, __dirname, process.execPath);
  const hooks = new HookEngine({
    clock,
    platform: thisPlatform(),
    open: (sessionId) => guard.sessions.use(sessionId),
    guarded,
  });
  const answer: Parameters<typeof listenForHooks>[2] = async ({ agent, input }, hungUp) => {
    const known = HOOK_AGENTS.find((name) => name === agent);
    if (known === undefined) return { stdout: '', stderr: `There is no agent ${agent}.`, exitCode: 2 };
    try {
      return await hooks.answer(known, JSON.parse(input), hungUp);
    } catch (error) {
      guard.log.error('hook', error);
      return refusal(known, vscode.l10n.t('Lacuna refuses: the call cannot be read.'));
    }
  };
  let listening = await listenForHooks(state, guard.roots(), answer);
  store.addEnd(() => listening.close());
  store.add(
    vscode.workspace.onDidChangeWorkspaceFolders(async () => {
      listening.close();
      listening = await listenForHooks(state, guard.roots(), answer);
    }),
  );
}
