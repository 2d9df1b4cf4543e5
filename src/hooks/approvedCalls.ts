import type { ToolCall } from './hookEvent.js';

/** How long a person's yes waits for the call that it was said to. The agent's host makes it at once. */
const WAIT_MS = 60_000;
const MAX_WAITING = 200;

/**
 * Calls that a person has just allowed at an agent's hook. When the same call then arrives at Lacuna's own server, which judges it by
 * its real kind, that person is not asked a second time; a refusal there stands. No call gets leave by the name of its server: one
 * that only calls itself ours is asked about like any other, and what it was allowed stays with it, unused here.
 */
export class ApprovedCalls {
  readonly #waiting: { readonly tool: string; readonly input: string; readonly atMs: number }[] = [];
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Takes down a call that a person allowed, under the name that the agent has for the tool. */
  note({ tool, input }: Pick<ToolCall, 'tool' | 'input'>): void {
    this.#waiting.push({ tool, input: sorted(input), atMs: this.#nowMs() });
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
  }

  /** Whether a person allowed this very call, by the server's own name for the tool. Each yes is for one call. */
  take(tool: string, input: object): boolean {
    const wanted = sorted(input);
    const at = this.#waiting.findIndex(
      (one) =>
        this.#nowMs() - one.atMs < WAIT_MS &&
        one.input === wanted &&
        // `mcp__lacuna__lacuna_ReadFile`, `mcp_lacuna_lacuna_ReadFile`, `lacuna-lacuna_ReadFile`
        (one.tool === tool || /[-_./]$/.test(one.tool.slice(0, -tool.length))) &&
        one.tool.endsWith(tool),
    );
    if (at >= 0) this.#waiting.splice(at, 1);
    return at >= 0;
  }
}

/** Text of a value in which the order of keys is none. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
