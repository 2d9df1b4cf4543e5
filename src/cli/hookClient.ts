import path from 'node:path';
import { askEngine } from '../adapters/engine/client.js';
import { enginesFor } from '../adapters/engine/directory.js';
import { stateFolder } from '../adapters/stateFolder.js';
import { HOOK_AGENTS, type HookAgent, type HookReply } from '../hooks/hookEvent.js';
import { refusal } from '../hooks/refusal.js';

/** Largest input that is judged, in bytes: more is refused, not cut. Judging a megabyte takes half a second, and no timer runs then. */
const MAX_INPUT_BYTES = 4 * 1024 * 1024;
/** Inner deadline, in seconds, where none is given: below the shortest that an agent's host is known to set. */
const DEFAULT_DEADLINE_S = 8;

/** Judges without an editor: loaded only when no engine answers. */
export type JudgeAlone = (agent: HookAgent, input: string, deadlineMs: number) => Promise<HookReply>;

/** What was asked of the hook process. */
interface HookCall {
  readonly agent: HookAgent;
  readonly deadlineMs: number;
}

function callOf(args: readonly string[]): HookCall | null {
  const valueOf = (name: string): string | undefined => {
    const at = args.indexOf(`--${name}`);
    return at >= 0 ? args[at + 1] : args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  };
  const agent = HOOK_AGENTS.find((known) => known === valueOf('agent'));
  const seconds = Number(valueOf('deadline') ?? DEFAULT_DEADLINE_S);
  if (agent === undefined || !Number.isFinite(seconds) || seconds <= 0) return null;
  return { agent, deadlineMs: seconds * 1000 };
}

/** Text of standard input. Rejects when there is none or too much of it. Reads as it comes: a host may be slow to send. */
async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_INPUT_BYTES) throw new Error('the call is too large to be judged');
    chunks.push(chunk);
  }
  if (size === 0) throw new Error('the agent sent nothing');
  // Some programs put a mark of the encoding first, which is no part of the call.
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

/** Folder the call is about, read without trust: it only chooses which window is asked. */
function folderOf(input: string): string {
  const cwd = /"(?:cwd|workspace_roots)"\s*:\s*\[?\s*"((?:[^"\\]|\\.)*)"/.exec(input)?.[1];
  if (cwd === undefined) return process.cwd();
  const parsed: unknown = JSON.parse(`"${cwd}"`);
  return typeof parsed === 'string' && path.isAbsolute(parsed) ? path.normalize(parsed) : process.cwd();
}

/** An engine of an editor window, or, where no window has the folder open, ourselves. */
async function answer({ agent, deadlineMs }: HookCall, input: string, judgeAlone: JudgeAlone): Promise<HookReply> {
  for (const card of enginesFor(stateFolder(), folderOf(input))) {
    const answered = await askEngine(card, agent, input, deadlineMs);
    if (answered !== null) return answered;
  }
  return judgeAlone(agent, input, deadlineMs);
}

/** Rejects after the deadline, so that our "no" comes before the host's "go on". */
function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no verdict within ${String(ms / 1000)} s`)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * The process that an agent starts for each call. Every doubtful path ends in that agent's form of "no": no engine and no own
 * verdict, late, garbled, too large. Never in an exit code that a host takes for "go on".
 */
export async function hookMain(args: readonly string[], judgeAlone: JudgeAlone): Promise<HookReply> {
  const call = callOf(args);
  if (call === null)
    return {
      stdout: '',
      stderr: `lacuna hook: --agent must be one of ${HOOK_AGENTS.join(', ')}, and --deadline a number of seconds.`,
      exitCode: 2,
    };
  try {
    return await within(
      call.deadlineMs,
      readInput().then((input) => answer(call, input, judgeAlone)),
    );
  } catch (error) {
    return refusal(call.agent, `Lacuna refuses: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
