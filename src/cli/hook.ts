import { createHash } from 'node:crypto';
import path from 'node:path';
import { withFileLock } from '../adapters/fileLock.js';
import { findRepository } from '../adapters/git.js';
import { clock } from '../adapters/system.js';
import { thisPlatform } from '../adapters/facts.js';
import { ownFolder, stateFolder } from '../adapters/stateFolder.js';
import { openSession } from '../core/gate/openSession.js';
import { DIALECTS } from '../hooks/dialects.js';
import { HookEngine } from '../hooks/hookEngine.js';
import { hostOf } from '../hooks/leaveToHost.js';
import type { HookAgent, HookEvent, HookReply } from '../hooks/hookEvent.js';
import { refusal } from '../hooks/refusal.js';
import { hookSessionId } from '../hooks/sessionName.js';
import { openEngine, type OpenEngine } from './engine.js';
import { hookMain } from './hookClient.js';
import { hookSetUp, isSetUp, SET_UP_FLAGS } from './hookSetup.js';
import { EXIT, parseArguments, type ExitCode, type Io } from './io.js';

const HELP = `usage: lacuna hook --agent vscode|claude|copilot|codex|gemini|cursor [--deadline SECONDS] < CALL
       lacuna hook --set-up AGENT [--mcp] [--dry-run]
       lacuna hook --remove AGENT [--dry-run]
       lacuna hook --status

Answers another agent's hook from standard input, in that agent's own form. An editor window that has the folder open is asked;
without one the call is judged here, with the session's state on disk.

  --set-up AGENT   writes the hooks into the agent's own settings (claude, codex, copilot, gemini, cursor), shows the change,
                   keeps a copy, and leaves every other line as it is
  --remove AGENT   takes them out again
  --mcp            sets up Lacuna's MCP server too: guarded tools beside the agent's own
  --dry-run        only shows the change
  --status         tells which agents are set up
`;

/** Workspace of a call: what the agent names, else the repository that holds its folder, else the folder. */
function workspaceOf(event: HookEvent): string {
  const folder = event.roots[0] ?? event.cwd ?? process.cwd();
  return event.roots[0] ?? findRepository(folder.replaceAll('\\', '/'))?.root ?? folder;
}

/** Judges one call without an editor. State is on disk: the audit of the agent's session is read first and appended to. */
export async function judgeAlone(agent: HookAgent, input: string, deadlineMs: number): Promise<HookReply> {
  const opened: OpenEngine[] = [];
  const warnings: string[] = [];
  const engine = new HookEngine({
    clock,
    platform: thisPlatform(),
    open: async (sessionId, event) => {
      const ports = await openEngine({
        workspace: workspaceOf(event),
        isHeadless: false,
        filledBy: 'host',
        approver: hostOf(agent),
        warn: (text) => warnings.push(text),
      });
      opened.push(ports);
      return openSession({ sessionId, mode: 'balanced', hasLastingTerminal: true }, ports);
    },
  });
  let call: unknown;
  try {
    call = JSON.parse(input);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refusal(agent, `Lacuna refuses: the call is not JSON: ${error.message}.`);
  }
  try {
    // Calls of one session that come at once are judged one after the other: each knows what the one before it means.
    const lock = path.join(ownFolder(path.join(stateFolder(), 'locks')), `${lockName(agent, call)}.lock`);
    const reply = await withFileLock(
      lock,
      () => engine.answer(agent, call, AbortSignal.timeout(deadlineMs)),
      Math.max(100, deadlineMs - 500),
    );
    // Where the code says "no", the agent reads what stands here as the reason.
    return reply.exitCode === 0 ? { ...reply, stderr: `${reply.stderr}${warnings.join('')}` } : reply;
  } finally {
    for (const ports of opened) await ports.close();
  }
}

/** A name for the lock of the session that a call belongs to. */
function lockName(agent: HookAgent, call: unknown): string {
  const parsed = DIALECTS[agent].parse(call);
  return createHash('sha256')
    .update(hookSessionId(agent, parsed.ok ? parsed.value.sessionId : ''))
    .digest('hex')
    .slice(0, 32);
}

/** `lacuna hook`. The bundle of the hook process (`dist/hook.js`) does the same and loads this only without an engine. */
export async function hook(args: readonly string[], io: Io): Promise<ExitCode> {
  if (args.includes('--help')) {
    io.out(HELP);
    return EXIT.done;
  }
  if (isSetUp(args)) return hookSetUp(parseArguments(args, SET_UP_FLAGS), io);
  const reply = await hookMain(args, judgeAlone);
  io.out(reply.stdout);
  io.error(reply.stderr);
  // The agent's host reads this code; it is one of those that the host takes for an answer.
  return reply.exitCode === 0 ? EXIT.done : EXIT.unusable;
}
