/** Something that can wait for the person: questions, proposed changes. */
export interface Waits {
  /** Ids of the sessions that wait now. */
  readonly sessions: () => Iterable<string>;
  readonly onChange: (listener: () => void) => () => void;
}

interface Waited {
  /** Since when the session waits; null when it does not. */
  sinceMs: number | null;
  totalMs: number;
}

/** How long each session has waited for the person, so that this time is not counted as the agent's. */
export class WaitingTime {
  readonly #waits: readonly Waits[];
  readonly #nowMs: () => number;
  readonly #waited = new Map<string, Waited>();
  readonly #stops: readonly (() => void)[];

  constructor(waits: readonly Waits[], nowMs: () => number) {
    this.#waits = waits;
    this.#nowMs = nowMs;
    this.#stops = waits.map(({ onChange }) => onChange(() => this.#look()));
  }

  /** Milliseconds that a session has waited until now. */
  of(sessionId: string): number {
    const waited = this.#waited.get(sessionId);
    if (waited === undefined) return 0;
    return waited.totalMs + (waited.sinceMs === null ? 0 : this.#nowMs() - waited.sinceMs);
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
  }

  #look(): void {
    const nowMs = this.#nowMs();
    const waiting = new Set(this.#waits.flatMap(({ sessions }) => [...sessions()]));
    for (const [id, waited] of this.#waited) {
      if (waited.sinceMs === null || waiting.has(id)) continue;
      waited.totalMs += nowMs - waited.sinceMs;
      waited.sinceMs = null;
    }
    for (const id of waiting) {
      const waited = this.#waited.get(id) ?? { sinceMs: null, totalMs: 0 };
      waited.sinceMs ??= nowMs;
      this.#waited.set(id, waited);
    }
  }
}
