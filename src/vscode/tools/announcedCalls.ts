import type { GuardedTools } from '../../hooks/guardedSession.js';

/** How long an announced call is waited for. The editor may ask its own questions in between. */
const WAIT_MS = 10 * 60_000;
const MAX_WAITING = 200;

/**
 * Calls of our own tools that the built-in agent is about to make, as its hook told: the editor tells a tool neither its agent nor
 * its conversation. Such a call is judged in the session of that conversation, by the tool's gate alone, so that a secret read by
 * one tool is known when another one would send it, and nobody is asked twice.
 */
export class AnnouncedCalls implements GuardedTools {
  readonly #waiting: { readonly key: string; readonly sessionId: string; readonly atMs: number }[] = [];
  readonly #nowMs: () => number;

  readonly #names: ReadonlySet<string>;

  /** `names`: those of our tools. */
  constructor(names: readonly string[], nowMs: () => number) {
    this.#names = new Set(names);
    this.#nowMs = nowMs;
  }

  readonly isGuarded = (tool: string): boolean => this.#names.has(tool);

  readonly announce: GuardedTools['announce'] = ({ tool, input }, sessionId) => {
    this.#waiting.push({ key: keyOf(tool, input), sessionId, atMs: this.#nowMs() });
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
  };

  /** The session in which a call was announced; null when it was in none. Each announcement is for one call. */
  take(tool: string, input: object): string | null {
    const key = keyOf(tool, input);
    const at = this.#waiting.findIndex((one) => one.key === key && this.#nowMs() - one.atMs < WAIT_MS);
    return at < 0 ? null : (this.#waiting.splice(at, 1)[0]?.sessionId ?? null);
  }
}

const keyOf = (tool: string, input: object): string => `${tool}\0${JSON.stringify(input)}`;
