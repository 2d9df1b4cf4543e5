import * as vscode from 'vscode';
import { ownFolder, stateFolder } from '../adapters/stateFolder.js';
import type { ApprovedCalls } from '../hooks/approvedCalls.js';
import type { GuardedTools } from '../hooks/guardedSession.js';
import { openFolders } from './folders.js';
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
    { ApprovedCalls },
    { HOOK_AGENTS },
    { isSelfTest },
    { refusal },
    { clock },
    { thisPlatform },
  ] = await Promise.all([
    import('../adapters/launcher.js'),
    import('../adapters/engine/server.js'),
    import('../hooks/hookEngine.js'),
    import('../hooks/approvedCalls.js'),
    import('../hooks/hookEvent.js'),
    import('../hooks/setup/probes.js'),
    import('../hooks/refusal.js'),
    import('../adapters/system.js'),
    import('../adapters/facts.js'),
  ]);
  // Where hook processes find this version, and a Node: the one that runs this.
  placeLauncher(state, __dirname, process.execPath);
  const approved = new ApprovedCalls(() => clock.nowMs());
  const hooks = new HookEngine({
    clock,
    platform: thisPlatform(),
    // A self-test is no work: it does not take the place of what the person looks at.
    open: (sessionId, event) =>
      isSelfTest(event.sessionId) ? guard.sessions.get(sessionId) : guard.sessions.use(sessionId),
    guarded,
    approved: (call) => approved.note(call),
  });
  const answer: Parameters<typeof listenForHooks>[2] = async ({ agent, input }, hungUp) => {
    if (agent === 'mcp') return { stdout: await mcpCall(guard, approved, input, hungUp), stderr: '', exitCode: 0 };
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

/** A call that our MCP server hands on: in this window's session of that client, with this window's answers. */
async function mcpCall(guard: Guard, approved: ApprovedCalls, input: string, cancel: AbortSignal): Promise<string> {
  const [{ z }, { passToolCall, undecided }] = await Promise.all([
    import('zod'),
    import('../core/agent/passToolCall.js'),
  ]);
  const schema = z.strictObject({
    sessionId: z.string().regex(/^mcp-[\w-]+$/),
    tool: z.string(),
    input: z.record(z.string(), z.unknown()),
  });
  try {
    const call = schema.parse(JSON.parse(input));
    const { own } = await guard.sessions.use(call.sessionId);
    const isAnswered = approved.take(call.tool, call.input);
    const open: typeof own.open = (proposed) => {
      const lacuna = own.open(proposed);
      if (isAnswered) guard.answered.add(lacuna.id);
      cancel.addEventListener('abort', () => guard.answered.delete(lacuna.id), { once: true });
      return lacuna;
    };
    const origin = { agent: 'mcp', subagent: null, request: '', requestId: null };
    const marker = `DATA-${crypto.randomUUID().slice(0, 8)}`;
    return await passToolCall(
      { tool: call.tool, input: call.input, origin },
      { gate: { open, pass: own.pass.bind(own) }, folders: openFolders(), cancel, marker },
    );
  } catch (error) {
    guard.log.error('mcp', error instanceof Error ? error : String(error));
    return undecided(error);
  }
}
