import * as vscode from 'vscode';
import type { Sessions } from './sessions.js';

const KEY = 'lacuna.lastSession';
/** What was done yesterday is read in the audit; the view is of work that goes on. */
const LASTS_MS = 8 * 60 * 60_000;

interface Remembered {
  readonly id: string;
  readonly atMs: number;
}

const isRemembered = (value: unknown): value is Remembered =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'atMs' in value &&
  typeof value.atMs === 'number';

/** Remembers in the workspace which session was the active one, so that a reload of the window does not hide what an agent did. */
export class LastSession implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  readonly #sessions: Sessions;
  readonly #before: unknown;
  readonly #stop: () => void;
  #known: string | null = null;
  #wasRecalled = false;

  constructor(memory: vscode.Memento, sessions: Sessions) {
    this.#memory = memory;
    this.#sessions = sessions;
    this.#before = memory.get<unknown>(KEY);
    this.#stop = sessions.onChange(() => this.#remember());
  }

  /** Opens the session of before, from its audit, unless an agent has begun another one. Once; later calls do nothing. */
  async recall(): Promise<void> {
    if (this.#wasRecalled || this.#sessions.active !== null) return;
    this.#wasRecalled = true;
    const before = this.#before;
    if (!isRemembered(before) || Date.now() - before.atMs > LASTS_MS) return;
    await this.#sessions.get(before.id);
    // An agent may have begun meanwhile.
    if (this.#sessions.active === null) await this.#sessions.use(before.id);
  }

  dispose(): void {
    this.#stop();
  }

  #remember(): void {
    const id = this.#sessions.active?.id ?? null;
    if (id === null || id === this.#known) return;
    this.#known = id;
    void this.#memory.update(KEY, { id, atMs: Date.now() } satisfies Remembered);
  }
}
