import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import os from 'node:os';
import { Readable } from 'node:stream';
import type { Cancel } from '../../core/cancel.js';
import { isSystemError } from '../fill.js';
import { Middle, OUTPUT_CAP_BYTES } from '../output.js';
import { hasMoreThan, listProcesses, markedProcesses, signal, treeOf } from './processes.js';

/** A program to start. `env` is the whole environment. */
export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * `kept`: what it starts cannot outlive it, since a process namespace or a container holds it, and it sets its own limits.
   * `loose`: nothing but this file keeps its children together.
   */
  readonly children: 'kept' | 'loose';
}

/** What a running command may use. Null: no limit. */
export interface Limits {
  readonly timeoutMs: number | null;
  /** Of all its processes together. */
  readonly memoryMiB: number | null;
  readonly processes: number | null;
  readonly fileSizeMiB: number | null;
  /** Printed in all; more is taken for a runaway. */
  readonly outputMiB: number | null;
  /** Taken from the disk that holds the working folder. */
  readonly diskMiB: number | null;
}

/** Which limit ended a command, or that it was cancelled or stopped. */
export type Stop = 'time' | 'memory' | 'processes' | 'output' | 'disk' | 'cancel';

/** How a command ended. */
export interface Ended {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stop: Stop | null;
  readonly output: Middle;
  /** Processes that it left running and that were ended with it. */
  readonly leftBehind: number;
}

/** A command that runs. */
export interface Running {
  readonly pid: number | null;
  readonly output: Middle;
  readonly ended: Promise<Ended>;
  stop(why: Stop): void;
}

/** What a caller can hang onto a run. */
export interface Hooks {
  readonly onOutput: (chunk: Buffer) => void;
  /** Ends what a signal to the process group does not reach, such as a container. */
  readonly onKill: () => Promise<void>;
}

/** Variable that marks every process of one run, so that those that wander off are found again. */
const MARK = 'LACUNA_RUN';
/** How long a command has between being told to end and being ended. */
const GRACE_MS = 1_500;
const DRAIN_MS = 1_000;
const MIB = 1024 * 1024;

/**
 * Limits that the kernel keeps, set by a POSIX shell in front of the command. Blocks of a file are 512 bytes, memory is KiB.
 * Memory is a backstop for one process, hence the factor; the sum over all processes is watched.
 * Number of processes: `-u` in bash and others, `-p` in dash.
 */
export function kernelLimits(limits: Pick<Limits, 'fileSizeMiB' | 'memoryMiB' | 'processes'>): string {
  const lines = ['ulimit -c 0'];
  if (limits.fileSizeMiB !== null) lines.push(`ulimit -f ${String(Math.ceil(limits.fileSizeMiB * 2048))}`);
  if (limits.memoryMiB !== null) lines.push(`ulimit -d ${String(Math.ceil(limits.memoryMiB * 4096))}`);
  if (limits.processes !== null) {
    const count = String(limits.processes);
    lines.push(`ulimit -u ${count} 2>/dev/null || ulimit -p ${count}`);
  }
  return lines.map((line) => `{ ${line}; } 2>/dev/null`).join('\n');
}

/**
 * Set-up of a loose command, in its own process before it becomes the command: one stream for both outputs so that their order
 * holds, and a watcher that ends the group when this process dies (descriptor 3 closes). The watcher's id comes back by 3.
 */
const preludeOf = (limits: Limits): string =>
  [
    kernelLimits({ ...limits, processes: null }),
    '(read -r _ <&3; kill -9 0) >/dev/null 2>&1 </dev/null 3<&3 &',
    'echo $! >&3',
    'exec 3<&- 2>&1',
    'exec "$@"',
  ].join('\n');

/** Free space of the file system that holds a folder, in MiB; null when it cannot be told. */
async function freeMiB(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return (bavail * bsize) / MIB;
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}

/** Watches one run and stops it when it takes more than it may. Looks often at first, since runaways are fast. */
async function watch(running: Running, launch: Launch, limits: Limits, isOver: () => boolean): Promise<void> {
  const freeBefore = limits.diskMiB === null ? null : await freeMiB(launch.cwd);
  for (let waitMs = 25; !isOver(); waitMs = Math.min(250, waitMs * 1.3)) {
    await after(waitMs);
    if (isOver() || running.pid === null) return;
    const tree = treeOf(running.pid, await listProcesses());
    const rssMiB = tree.reduce((sum, row) => sum + row.rssKiB, 0) / 1024;
    if (limits.processes !== null && tree.length > limits.processes) running.stop('processes');
    else if (limits.memoryMiB !== null && rssMiB > limits.memoryMiB) running.stop('memory');
    if (freeBefore === null || limits.diskMiB === null) continue;
    const free = await freeMiB(launch.cwd);
    if (free !== null && freeBefore - free > limits.diskMiB) running.stop('disk');
  }
}

/** How often the number of processes is looked at in the first two seconds, in which a fork bomb has grown to thousands, and later. */
const QUICK_LOOK_MS = 4;
const LATER_LOOK_MS = 25;

/**
 * Lets whoever watches come first. The kernel's own limit of processes does not hold for root, so that only the watcher stands
 * between a fork bomb and the machine, and it must get its turn while they are few.
 */
function yieldToWatcher(pid: number): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  try {
    os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    if (!isSystemError(error)) throw error; // it is over already
  }
}

/** Stops a run that has more processes than it may, at once: the kernel's own limit does not hold for root. */
async function watchForks(running: Running, most: number, isOver: () => boolean): Promise<void> {
  for (let looks = 0; !isOver() && running.pid !== null; looks += 1) {
    if (hasMoreThan(running.pid, most)) running.stop('processes');
    await after(looks < 500 ? QUICK_LOOK_MS : LATER_LOOK_MS);
  }
}

/** Ends a Windows process with its children. */
const taskkill = (pid: number): Promise<void> =>
  new Promise((resolve) => {
    execFile('taskkill', ['/pid', String(pid), '/t', '/f'], () => {
      resolve(); // whatever it says: there is nothing more to be done
    });
  });

/** One started command and all that came of it. */
class Tree {
  readonly child: ChildProcess;
  readonly #mark = randomBytes(8).toString('hex');
  readonly #isLoose: boolean;
  #watcher = '';

  constructor(launch: Launch, limits: Limits) {
    this.#isLoose = launch.children === 'loose' && process.platform !== 'win32';
    const [program = '', ...rest] = this.#isLoose
      ? ['/bin/sh', '-c', preludeOf(limits), 'lacuna', ...launch.argv]
      : launch.argv;
    this.child = spawn(program, rest, {
      cwd: launch.cwd,
      env: this.#isLoose ? { ...launch.env, [MARK]: this.#mark } : launch.env,
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe', this.#isLoose ? 'pipe' : 'ignore'],
    });
    const lifeline = this.child.stdio[3];
    if (lifeline instanceof Readable)
      lifeline.on('data', (chunk: Buffer) => {
        this.#watcher += chunk.toString('latin1');
      });
  }

  /** Sends a signal to all of it, wherever it is. Returns how many processes there were beyond the first and the watcher. */
  async signalAll(name: 'SIGTERM' | 'SIGKILL'): Promise<number> {
    const { pid } = this.child;
    if (pid === undefined) return 0;
    if (process.platform === 'win32') {
      await taskkill(pid);
      return 0;
    }
    const isFirstAlive = this.child.exitCode === null && this.child.signalCode === null;
    if (!this.#isLoose) {
      if (isFirstAlive) signal(-pid, name);
      return 0;
    }
    const tree = treeOf(pid, await listProcesses()).map((row) => row.pid);
    const all = new Set([...tree, ...markedProcesses(MARK, this.#mark)]);
    all.delete(process.pid);
    const watcher = Number.parseInt(this.#watcher, 10);
    if (name === 'SIGTERM') all.delete(watcher); // it goes last
    if (all.size > 0) signal(-pid, name);
    for (const one of all) signal(one, name);
    all.delete(pid);
    all.delete(watcher);
    return all.size;
  }

  /** Ends all of it, again and again until nothing is left: what forks while it is counted escapes one round. */
  async killAll(): Promise<number> {
    let most = 0;
    for (let round = 0; round < 50; round += 1) {
      const left = await this.signalAll('SIGKILL');
      most = Math.max(most, left);
      if (left === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return most;
  }

  close(): void {
    for (const stream of [this.child.stdout, this.child.stderr, this.child.stdio[3]]) stream?.destroy();
  }
}

/** Resolves with how the first process ended. A program that cannot be started is told in the output, with status 127. */
const exitOf = (child: ChildProcess, output: Middle): Promise<readonly [number | null, NodeJS.Signals | null]> =>
  new Promise((resolve) => {
    child.once('exit', (code, name) => {
      resolve([code, name]);
    });
    child.once('error', (error) => {
      output.push(Buffer.from(`${error.message}\n`));
      resolve([127, null]);
    });
  });

const closeOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('close', () => {
      resolve();
    });
  });

const after = (delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, delayMs).unref();
  });

/** Starts a command and watches over it. Resolves `ended` when it and all that it started are gone. Never rejects. */
export function run(launch: Launch, limits: Limits, cancel: Cancel, hooks: Hooks): Running {
  const output = new Middle(OUTPUT_CAP_BYTES);
  const tree = new Tree(launch, limits);
  const { child } = tree;
  const exited = exitOf(child, output);
  const closed = closeOf(child);
  let stopped: Stop | null = null;
  let isOver = false;

  const end = async (why: Stop): Promise<void> => {
    if (why === 'time' || why === 'cancel') {
      await tree.signalAll('SIGTERM');
      await Promise.race([exited, after(GRACE_MS)]);
    }
    await Promise.all([hooks.onKill(), tree.killAll()]);
  };
  const stop = (why: Stop): void => {
    if (stopped !== null || isOver) return;
    stopped = why;
    void end(why);
  };
  const take = (chunk: Buffer): void => {
    output.push(chunk);
    if (limits.outputMiB !== null && output.totalBytes > limits.outputMiB * MIB) stop('output');
    else hooks.onOutput(chunk);
  };
  const finish = async (): Promise<Ended> => {
    const [exitCode, exitSignal] = await exited;
    isOver = true;
    const leftBehind = await tree.killAll();
    await Promise.race([closed, after(DRAIN_MS)]);
    tree.close();
    return { exitCode, signal: exitSignal, stop: stopped, output, leftBehind };
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);

  const onCancel = (): void => {
    stop('cancel');
  };
  const onTime = (): void => {
    stop('time');
  };
  const timer = limits.timeoutMs === null ? null : setTimeout(onTime, limits.timeoutMs);
  cancel.addEventListener('abort', onCancel, { once: true });
  if (cancel.aborted) onCancel();
  const ended = finish().finally(() => {
    if (timer !== null) clearTimeout(timer);
    cancel.removeEventListener('abort', onCancel);
  });
  const running: Running = { pid: child.pid ?? null, output, stop, ended };
  void watch(running, launch, limits, () => isOver);
  if (limits.processes !== null) {
    if (child.pid !== undefined) yieldToWatcher(child.pid);
    void watchForks(running, limits.processes, () => isOver);
  }
  return running;
}
