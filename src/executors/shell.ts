import path from 'node:path';
import type { TerminalState } from '../core/effects/effect.js';
import type { Facts } from '../core/effects/facts.js';
import { canonicalPath } from '../core/effects/paths.js';
import type { Executor } from '../core/gate/executor.js';
import type { Outcome, SandboxCause } from '../core/gate/outcome.js';
import type { Spent } from '../core/gate/permit.js';
import type { Lacuna } from '../core/lacuna/lacuna.js';
import type { Confinement } from '../core/policy/decision.js';
import { ok, err, type Result } from '../core/result.js';
import { attach, type Secrets } from './credentials.js';
import { executor, type Bench } from './fill.js';
import { maskingAlso, outputOfStream, ownWords, type Mask } from './output.js';
import type { BackgroundCommands } from './process/background.js';
import { isolatedEnvironment, personalEnvironment } from './process/environment.js';
import { run, type Ended, type Launch, type Limits, type Running, type Stop } from './process/run.js';
import { defaultShell, shellArgv, terminalPrelude } from './process/shells.js';
import { LineStream } from './process/stream.js';
import type { Aftermath, Enclosed, Sandbox } from './sandbox/sandbox.js';

/** What the shell executor needs. */
export interface ShellOptions {
  /** A fresh look at the world for each filling. */
  readonly look: () => Facts;
  readonly mask: Mask;
  /** Isolation that fits; null when there is none at hand. */
  readonly sandboxFor: (confinement: Confinement) => Sandbox | null;
  /** The terminal as the analysis saw it when this was judged; null for a fresh one. */
  readonly terminalOf: (lacuna: Lacuna<'ExecuteShell'>) => TerminalState | null;
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  readonly secrets: Secrets;
  readonly background: BackgroundCommands;
}

/** Limits of a command that policy allowed without isolation: wide, and still there. */
const WIDE: Limits = {
  timeoutMs: 10 * 60_000,
  memoryMiB: null,
  processes: 4_000,
  fileSizeMiB: null,
  outputMiB: 256,
  diskMiB: null,
};
/** A command in the background that ends within this time is answered like any other. */
const SETTLE_MS = 400;
/** Output in isolation, and the part of the disk that it may take, in units of the largest file. */
const CONFINED_OUTPUT_MIB = 64;
const DISK_PER_FILE = 8;

/** The least of what is set, in milliseconds; null when nothing is. */
function leastMs(seconds: readonly (number | null | undefined)[]): number | null {
  const set = seconds.filter((one): one is number => typeof one === 'number');
  return set.length === 0 ? null : Math.min(...set) * 1_000;
}

/** What a run may use: what policy says, and less where the agent asks for less. */
function limitsFor({ params, confinement, obligations }: Spent<'ExecuteShell'>): Limits {
  const { timeoutSeconds: limit, outputKiB } = obligations.limits;
  const outputMiB = outputKiB === null ? Infinity : outputKiB / 1_024;
  const isBackground = params.background === true;
  if (confinement === null) {
    const set = leastMs([limit, params.timeoutSeconds]);
    return { ...WIDE, timeoutMs: set ?? (isBackground ? null : WIDE.timeoutMs), outputMiB: Math.min(256, outputMiB) };
  }
  return {
    timeoutMs: leastMs([limit, params.timeoutSeconds, isBackground ? null : confinement.timeoutSeconds]),
    memoryMiB: confinement.memoryMiB,
    processes: confinement.processes,
    fileSizeMiB: confinement.fileSizeMiB,
    outputMiB: Math.min(CONFINED_OUTPUT_MIB, outputMiB),
    diskMiB: confinement.fileSizeMiB * DISK_PER_FILE,
  };
}

/** Everything that a run needs, put together from a spent permit. */
interface Prepared {
  readonly launch: Launch;
  readonly enclosed: Enclosed | null;
  readonly limits: Limits;
  readonly mask: Mask;
  readonly cwd: string;
}

/** Puts a run together; an error is a sentence that says what is missing. */
async function prepare(spent: Spent<'ExecuteShell'>, options: ShellOptions): Promise<Result<Prepared, string>> {
  const { lacuna, params, confinement, obligations } = spent;
  const facts = options.look();
  const terminal = options.terminalOf(lacuna);
  const root = facts.roots[0] ?? '/';
  const cwd = params.cwd === undefined ? (terminal?.cwd ?? root) : canonicalPath(params.cwd, root, facts, 'follow');
  if (facts.entry(cwd) !== 'folder') return err(`There is no folder ${params.cwd ?? cwd} to run in.`);
  const from = options.environment();
  const attached = await attach(obligations.credentials, options.secrets, from);
  if (attached.missing.length > 0) return err(`A credential is not set: ${attached.missing.join(', ')}.`);
  const env: Record<string, string> = {
    ...(confinement === null ? personalEnvironment(from) : isolatedEnvironment(from)),
    ...attached.variables,
    PWD: cwd,
  };
  const shell = params.shell ?? defaultShell;
  const line = (terminal === null ? '' : terminalPrelude(terminal, shell)) + params.command;
  const argv = shellArgv(shell, line, env['PATH'] ?? from['PATH'] ?? '');
  if (argv === null) return err(`The shell ${shell} is not installed here.`);
  const mask = maskingAlso(options.mask, attached.values);
  const limits = limitsFor(spent);
  if (confinement === null)
    return ok({ launch: { argv, cwd, env, children: 'loose' }, enclosed: null, limits, mask, cwd });
  const sandbox = options.sandboxFor(confinement);
  if (sandbox === null) return err('It may run in isolation only, and no sandbox is at hand.');
  const enclosed = await sandbox.enclose({ argv, cwd, env, confinement, roots: facts.roots, home: facts.home });
  return enclosed.ok ? ok({ launch: enclosed.value.launch, enclosed: enclosed.value, limits, mask, cwd }) : enclosed;
}

const CAUSE_OF: Readonly<Record<Exclude<Stop, 'cancel'>, SandboxCause['type']>> = {
  time: 'time',
  memory: 'memory',
  processes: 'process',
  output: 'output',
  disk: 'disk',
};

/** What a limit says when it ends a command. */
function explainStop(stop: Exclude<Stop, 'cancel'>, limits: Limits): string {
  switch (stop) {
    case 'time':
      return `It ran longer than ${String((limits.timeoutMs ?? 0) / 1_000)} seconds and was ended with all it had started.`;
    case 'memory':
      return `It took more than ${String(limits.memoryMiB)} MiB of memory and was ended.`;
    case 'processes':
      return `It had more than ${String(limits.processes)} processes at once and was ended with all of them.`;
    case 'output':
      return `It printed more than ${String(limits.outputMiB)} MiB and was ended.`;
    case 'disk':
      return `It took more than ${String(limits.diskMiB)} MiB of the disk and was ended.`;
  }
}

/** A cause whose path is absolute: programs name paths from where they are. */
function placed(cause: SandboxCause, cwd: string): SandboxCause {
  const isPath = (cause.type === 'write' || cause.type === 'read') && cause.subject?.startsWith('~') === false;
  return isPath && cause.subject !== null ? { ...cause, subject: path.resolve(cwd, cause.subject) } : cause;
}

const noAftermath: Aftermath = { cause: null, notes: [] };

/** The outcome of a run that has ended, whichever way. */
async function outcomeOf(ended: Ended, prepared: Prepared, { report }: Bench): Promise<Outcome> {
  const output = outputOfStream(ended.output, prepared.mask);
  const aftermath = prepared.enclosed === null ? noAftermath : await prepared.enclosed.finish(ended, output.text);
  const notes = [...aftermath.notes];
  if (ended.leftBehind > 0 && ended.stop === null)
    notes.push(
      `${String(ended.leftBehind)} processes that it had left running were ended. Use background for servers.`,
    );
  if (ended.signal !== null && ended.stop === null) notes.push(`It was ended by ${ended.signal}.`);
  const said = {
    ...output,
    text: [output.text, ...notes.map((note) => `[lacuna] ${note}`)].filter(Boolean).join('\n'),
  };
  if (ended.stop === 'cancel') return report.cancelled('Cancelled; it was ended with all it had started.');
  if (ended.stop === 'time') return report.timedOut(explainStop('time', prepared.limits), said);
  if (ended.stop !== null) {
    const message = explainStop(ended.stop, prepared.limits);
    const cause = prepared.enclosed === null ? null : { type: CAUSE_OF[ended.stop], subject: null, message };
    return report.failed(message, { output: said, cause });
  }
  const cause = aftermath.cause === null ? null : placed(aftermath.cause, prepared.cwd);
  if (cause !== null) return report.failed(cause.message, { output: said, cause });
  return report.filled({ output: said, status: ended.exitCode ?? 128 });
}

/** Leaves a command running in the background, unless it ends at once. */
async function leaveRunning(
  running: Running,
  prepared: Prepared,
  command: string,
  options: ShellOptions,
  bench: Bench,
): Promise<Outcome> {
  const settled = await Promise.race([
    running.ended,
    new Promise<null>((resolve) => {
      setTimeout(resolve, SETTLE_MS, null).unref();
    }),
  ]);
  if (settled !== null) return outcomeOf(settled, prepared, bench);
  const isSandboxed = prepared.enclosed !== null;
  const id = options.background.add({ command, cwd: prepared.cwd, isSandboxed }, running, prepared.mask);
  void running.ended.then((ended) => prepared.enclosed?.finish(ended, ''));
  const first = outputOfStream(running.output, prepared.mask);
  const words = ownWords(`It runs in the background as ${id} and ends with the session.`);
  return bench.report.filled({ output: { ...first, text: [words.text, first.text].filter(Boolean).join('\n') } });
}

/** Runs a command line: in isolation where the decision says so, and with its whole tree of processes ended afterwards. */
export const shellExecutor = (options: ShellOptions): Executor<'ExecuteShell'> =>
  executor(async (spent, bench) => {
    const prepared = await prepare(spent, options);
    if (!prepared.ok) return bench.report.unavailable(prepared.error);
    const { launch, enclosed, limits, mask } = prepared.value;
    if (!(await spent.isStillTrue())) {
      await enclosed?.kill();
      return bench.report.voided('changed');
    }
    const isBackground = spent.params.background === true;
    const stream = new LineStream(bench.progress, mask);
    const running = run(launch, limits, isBackground ? neverCancelled : bench.cancel, {
      onOutput: (chunk) => {
        stream.push(chunk);
      },
      onKill: async () => {
        await enclosed?.kill();
      },
    });
    if (isBackground) return leaveRunning(running, prepared.value, spent.params.command, options, bench);
    const ended = await running.ended;
    stream.end();
    return outcomeOf(ended, prepared.value, bench);
  });

const neverCancelled = new AbortController().signal;
