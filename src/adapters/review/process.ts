import { fork, type ChildProcess } from 'node:child_process';
import { openSync, readSync, closeSync, existsSync, statSync } from 'node:fs';
import type { Cancel } from '../../core/cancel.js';
import type { Probabilities, Thresholds } from '../../core/review/linear.js';
import { REASON_CODES, type ReasonCode } from '../../core/review/reasons.js';
import type { Thinker, Thought } from '../../core/review/thought.js';
import { parseFromChild, type FromChild, type ToChild } from './messages.js';

/** A model file and how its answers are to be read. */
export interface ModelChoice {
  readonly path: string;
  /** SHA-256 that the file must have; null when it is not known. */
  readonly sha256: string | null;
  readonly thresholds: Thresholds;
  /** Divisor of log-probabilities at which they are as often right as they say. */
  readonly temperature: number;
  readonly contextTokens: number;
  readonly threads: number;
  /** Memory above which the process is ended. */
  readonly memoryMiB: number;
  readonly deadlines: Deadlines;
}

/** How long things may take, in milliseconds. */
export interface Deadlines {
  readonly loadMs: number;
  readonly verdictMs: number;
  readonly reasonMs: number;
}

/** How the reviewer's process is. */
export type ProcessState =
  | { readonly type: 'resting' }
  | { readonly type: 'starting' }
  | { readonly type: 'ready'; readonly model: string; readonly memoryMiB: number }
  /** It will be tried again, or never, for `missing`. */
  | { readonly type: 'failed'; readonly why: 'missing' | 'down' | 'slow' | 'nonsense'; readonly message: string };

/** What the process needs from outside. Tests bring their own programs and clocks. */
export interface ProcessPorts {
  /** The program that is forked. */
  readonly program: string;
  readonly execArgv?: readonly string[]; // [a bounded heap]
  /** The Node that runs it; absent: the one that runs us. */
  readonly execPath?: string;
  readonly nowMs: () => number;
  readonly sha256: (path: string) => Promise<string>;
}

type None = Extract<Thought, { type: 'none' }>;
const none = (why: None['why'], message: string): None => ({ type: 'none', why, message });

/** Waits between starts: longer after each failure in a row. */
const BACK_OFF_MS = [0, 1000, 5000, 30_000, 120_000] as const;
/** The three words hold less than this of all probability: the model speaks of something else. */
const LEAST_MASS = 0.5;
const HEAP = ['--max-old-space-size=256'];

interface Waiting {
  readonly take: (message: FromChild) => void;
  readonly fail: (why: None) => void;
}

/**
 * A language model in a process of its own. Started when it is first needed, kept warm, ended at a deadline or above its memory,
 * started again with growing waits. Whatever happens in it, {@link think} answers within its deadlines and never throws.
 */
export class ReviewerProcess implements Thinker {
  readonly #choice: ModelChoice;
  readonly #ports: ProcessPorts;
  #child: ChildProcess | null = null;
  #ready: Promise<None | null> | null = null;
  #waiting: Waiting | null = null;
  /** What the process said before it was waited for: two messages can come at once. */
  #inbox: FromChild[] = [];
  #queue: Promise<unknown> = Promise.resolve();
  #failures = 0;
  #retryAtMs = 0;
  #nextId = 0;
  #isChecked = false;
  #isDisposed = false;
  #state: ProcessState = { type: 'resting' };
  readonly #listeners = new Set<(state: ProcessState) => void>();

  constructor(choice: ModelChoice, ports: ProcessPorts) {
    this.#choice = choice;
    this.#ports = ports;
  }

  get state(): ProcessState {
    return this.#state;
  }

  get thresholds(): Thresholds {
    return this.#choice.thresholds;
  }

  /** The process's id while there is one. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Calls back at each change of the state, until the returned function is called. */
  onChange(listener: (state: ProcessState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async think({ text }: { readonly text: string }, cancel: Cancel): Promise<Thought> {
    if (cancel.aborted) return none('down', 'The review was cancelled.');
    const turn = this.#queue.then(() => this.#think(text));
    this.#queue = turn.catch(() => undefined);
    return await turn;
  }

  /** Starts the process if it is not there; null when it is ready. */
  async warm(): Promise<None | null> {
    if (this.#isDisposed) return none('down', 'The reviewer was ended.');
    const wait = this.#ready === null ? this.#retryAtMs - this.#ports.nowMs() : 0;
    if (wait > 0) {
      const last = this.#state.type === 'failed' ? this.#state.message : 'The reviewer does not run.';
      return none('down', `${last} It is tried again in ${Math.ceil(wait / 1000)} s.`);
    }
    return await (this.#ready ??= this.#start());
  }

  async #think(text: string): Promise<Thought> {
    const start = this.#ports.nowMs();
    const trouble = await this.warm();
    if (trouble !== null) return trouble;
    const id = this.#nextId++;
    const { deadlines, thresholds, temperature } = this.#choice;
    this.#send({ type: 'review', id, text, approveAt: 1 - thresholds.flagAt });
    const first = await this.#next(deadlines.verdictMs, 'slow', 'The reviewer took too long.');
    if ('why' in first && first.type === 'none') return first;
    if (first.type === 'failed') return this.#trouble(none('nonsense', first.message), 'keep');
    if (first.type !== 'verdict' || first.id !== id)
      return this.#trouble(none('nonsense', 'The reviewer answered something else.'), 'end');
    if (first.memoryMiB > this.#choice.memoryMiB)
      this.#trouble(none('down', 'The reviewer used too much memory and was ended.'), 'end');
    if (first.mass < LEAST_MASS)
      return this.#trouble(none('nonsense', 'The model did not answer with a verdict. Choose another one.'), 'keep');
    const probabilities = tempered(first.probabilities, temperature);
    const wantsReason = first.probabilities.approve < 1 - thresholds.flagAt && this.#child !== null;
    const reason = wantsReason ? await this.#reason(id) : null;
    this.#failures = 0;
    const model = this.#state.type === 'ready' ? this.#state.model : 'model';
    return { type: 'thought', probabilities, reason, model, durationMs: this.#ports.nowMs() - start };
  }

  /** The reason, if it comes in time. Without one the host finds its own: the verdict stands. */
  async #reason(id: number): Promise<ReasonCode | null> {
    const answer = await this.#next(
      this.#choice.deadlines.reasonMs,
      'slow',
      'The reviewer took too long for a reason.',
    );
    return answer.type === 'reason' && answer.id === id ? reasonIn(answer.json) : null;
  }

  async #start(): Promise<None | null> {
    const problem = await this.#fileProblem();
    if (problem !== null) return this.#trouble(problem, 'end');
    this.#tell({ type: 'starting' });
    this.#fork();
    const { path, threads, contextTokens, deadlines } = this.#choice;
    this.#send({ type: 'load', path, threads, contextTokens });
    const answer = await this.#next(deadlines.loadMs, 'slow', 'The model took too long to load.');
    if (answer.type === 'none') return answer;
    if (answer.type === 'loaded') {
      this.#tell({ type: 'ready', model: answer.model, memoryMiB: answer.memoryMiB });
      return null;
    }
    if (answer.type === 'failed') return this.#trouble(notLoaded(answer), 'end');
    return this.#trouble(none('nonsense', 'The reviewer answered something else.'), 'end');
  }

  /** Looks at the file before a process is started for it. The checksum is taken once for a choice. */
  async #fileProblem(): Promise<None | null> {
    const { path, sha256 } = this.#choice;
    if (!existsSync(path)) return none('down', `There is no model file ${path}. Choose a model again.`);
    if (!isGguf(path)) return none('down', `${path} is no GGUF model. Choose a model again.`);
    if (sha256 !== null && !this.#isChecked && (await this.#ports.sha256(path)) !== sha256)
      return none('down', `The model file ${path} is damaged or was changed. Choose or download it again.`);
    this.#isChecked = true;
    return null;
  }

  #fork(): void {
    // Nothing of the host's environment that could make the process load code; its output goes nowhere.
    const { NODE_OPTIONS: _options, ...environment } = process.env;
    const child = fork(this.#ports.program, [], {
      execArgv: [...(this.#ports.execArgv ?? HEAP)],
      execPath: this.#ports.execPath ?? process.execPath,
      env: { ...environment, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'json',
    });
    this.#child = child;
    this.#inbox = [];
    child.on('message', (value: unknown) => {
      if (child !== this.#child) return;
      const message = parseFromChild(value);
      if (message === null) this.#trouble(none('nonsense', 'The reviewer answered nonsense and was ended.'), 'end');
      else if (this.#waiting === null) this.#inbox.push(message);
      else if (!isOld(message, this.#nextId - 1)) this.#waiting.take(message);
    });
    const gone = (what: string): void => {
      if (child === this.#child) this.#trouble(none('down', what), 'end');
    };
    child.on('error', (error) => gone(`The reviewer does not run: ${error.message}`));
    child.on('exit', (code, signal) => gone(endWords(code, signal)));
  }

  #send(message: ToChild): void {
    const child = this.#child;
    if (child === null || !child.connected) return;
    child.send(message, (error) => {
      if (error !== null && child === this.#child)
        this.#trouble(none('down', `The reviewer does not listen: ${error.message}`), 'end');
    });
  }

  /** The next message of the process, or why there is none. A process that misses its deadline is ended. */
  #next(deadlineMs: number, why: None['why'], late: string): Promise<FromChild | None> {
    if (this.#child === null)
      return Promise.resolve(
        this.#state.type === 'failed'
          ? none(this.#state.why, this.#state.message)
          : none('down', 'The reviewer does not run.'),
      );
    const said = this.#inbox.find((message) => !isOld(message, this.#nextId - 1));
    this.#inbox = [];
    if (said !== undefined) return Promise.resolve(said);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#trouble(none(why, late), 'end'), deadlineMs);
      const end = (answer: FromChild | None): void => {
        clearTimeout(timer);
        this.#waiting = null;
        resolve(answer);
      };
      this.#waiting = { take: end, fail: end };
    });
  }

  /** Takes a failure in: who waits is told, and, by `end`, the process is killed and started again later. */
  #trouble(trouble: None, then: 'keep' | 'end'): None {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (then === 'end') {
      const child = this.#child;
      this.#child = null;
      this.#ready = trouble.why === 'missing' ? Promise.resolve(trouble) : null;
      child?.kill('SIGKILL');
      this.#failures += 1;
      this.#retryAtMs = this.#ports.nowMs() + (BACK_OFF_MS[Math.min(this.#failures, BACK_OFF_MS.length - 1)] ?? 0);
      if (!this.#isDisposed) this.#tell({ ...trouble, type: 'failed' });
    }
    waiting?.fail(trouble);
    return trouble;
  }

  #tell(state: ProcessState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }

  /** Ends the process for good. */
  dispose(): void {
    this.#isDisposed = true;
    this.#trouble(none('down', 'The reviewer was ended.'), 'end');
    this.#listeners.clear();
  }
}

/** Why a model was not loaded, and what helps. */
function notLoaded({ why, message }: Extract<FromChild, { type: 'failed' }>): None {
  switch (why) {
    case 'missing':
      return none('missing', `The engine for models cannot run here (${message}). The linear reviewer stands in.`);
    case 'memory':
      return none(
        'down',
        `There is too little memory for the model (${message}). Free some, or choose a smaller model.`,
      );
    case 'model':
    case 'other':
      return none(
        'down',
        `The model cannot be loaded: its file is damaged or cut off, or of a kind that this engine does not know (${message}). Fetch it again, or choose another model.`,
      );
  }
}

/** How the process ended by itself. Programs that run out of memory abort, or are killed by the system. */
function endWords(code: number | null, signal: NodeJS.Signals | null): string {
  const isOfMemory = signal === 'SIGABRT' || signal === 'SIGKILL' || signal === 'SIGTRAP' || code === 134;
  return isOfMemory
    ? `The reviewer was ended (${signal ?? `code ${String(code)}`}), as happens where memory runs out. Free some, or choose a smaller model.`
    : `The reviewer ended by itself (${signal ?? `code ${String(code)}`}).`;
}

/** An answer to a review that nobody waits for any more. */
const isOld = (message: FromChild, id: number): boolean => 'id' in message && message.id !== null && message.id !== id;

/** Probabilities at another temperature. */
export function tempered({ approve, flag, reject }: Probabilities, temperature: number): Probabilities {
  const [a = 0, f = 0, r = 0] = [approve, flag, reject].map((value) => Math.max(value, 1e-9) ** (1 / temperature));
  const total = a + f + r;
  return { approve: a / total, flag: f / total, reject: r / total };
}

/** The reason in a model's answer; null when it is none of the list. */
export function reasonIn(json: string): ReasonCode | null {
  try {
    const value: unknown = JSON.parse(json);
    const code = typeof value === 'object' && value !== null && 'reason' in value ? value.reason : null;
    return REASON_CODES.find((known) => known === code) ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null; // cut off: the host finds a reason of its own
    throw error;
  }
}

/** Whether a file begins as a GGUF model does. */
export function isGguf(path: string): boolean {
  if (!statSync(path).isFile()) return false;
  const file = openSync(path, 'r');
  try {
    const magic = Buffer.alloc(4);
    return readSync(file, magic, 0, 4, 0) === 4 && magic.toString('latin1') === 'GGUF';
  } finally {
    closeSync(file);
  }
}
