import type { Output } from '../../core/gate/outcome.js';
import { maskNothing, outputOfStream, type Mask } from '../output.js';
import type { Ended, Running } from './run.js';

/** A command that runs on after its filling, for lists and views. */
export interface BackgroundCommand {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly startedAtMs: number;
  /** Null while it runs. */
  readonly status: number | null;
  readonly isRunning: boolean;
  readonly isSandboxed: boolean;
}

interface Entry {
  info: BackgroundCommand;
  readonly running: Running;
  readonly mask: Mask;
}

const MAX_ENDED = 50;

/** Keeps the commands that run in the background: they can be listed, looked at and stopped, and end with the session. */
export class BackgroundCommands {
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();
  #next = 1;

  /** Takes a running command in and returns its id. */
  add(
    what: { readonly command: string; readonly cwd: string; readonly isSandboxed: boolean },
    running: Running,
    mask: Mask = maskNothing,
  ): string {
    const id = `bg-${String(this.#next)}`;
    this.#next += 1;
    const info = { ...what, id, startedAtMs: Date.now(), status: null, isRunning: true };
    this.#entries.set(id, { info, running, mask });
    void running.ended.then((ended) => {
      this.#ended(id, ended);
    });
    this.#tell();
    return id;
  }

  #ended(id: string, { exitCode }: Ended): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.info = { ...entry.info, isRunning: false, status: exitCode };
    const ended = [...this.#entries.values()].filter(({ info }) => !info.isRunning);
    for (const { info } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) this.#entries.delete(info.id);
    this.#tell();
  }

  /** All that run or ran in this session, oldest first. */
  list(): readonly BackgroundCommand[] {
    return [...this.#entries.values()].map(({ info }) => info);
  }

  /** What one has printed so far; null when there is no such command. */
  output(id: string): Output | null {
    const entry = this.#entries.get(id);
    return entry ? outputOfStream(entry.running.output, entry.mask) : null;
  }

  /** Ends one, with all that it started. Resolves when it is gone; false when there is no such command. */
  async stop(id: string): Promise<boolean> {
    const entry = this.#entries.get(id);
    if (!entry) return false;
    entry.running.stop('cancel');
    await entry.running.ended;
    return true;
  }

  /** Calls back when a command is added or ends. Returns a function that stops it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Ends all: nothing outlives the session. */
  async dispose(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((id) => this.stop(id)));
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
