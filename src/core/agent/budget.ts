import type { ParamsOf } from '../lacuna/kinds.js';
import type { AgentLimits } from './limits.js';

/** A limit that was reached, and its value in the words of the settings (time in seconds). */
export interface LimitHit {
  readonly limit: 'lacunas' | 'time' | 'turns' | 'tokens';
  readonly value: number;
}

/** What is used up. A sub-agent's budget is a part of its parent's: whatever it uses, the parent has used too. */
export class Budget {
  #lacunas = 0;
  #turns = 0;
  #tokens = 0;

  private constructor(
    private readonly parent: Budget | null,
    private readonly max: { readonly lacunas: number; readonly turns: number; readonly tokens: number | null },
    private readonly endsAtMs: number,
    private readonly durationMs: number,
  ) {}

  /** The budget of a request. */
  static of(limits: AgentLimits, nowMs: number): Budget {
    return new Budget(null, limits, nowMs + limits.durationMs, limits.durationMs);
  }

  /** A part of this budget; never more than what is left of it. */
  share(asked: ParamsOf['Delegate']['budget'], nowMs: number): Budget {
    const durationMs = Math.min(this.remainingMs(nowMs), (asked.seconds ?? Infinity) * 1000);
    const lacunas = Math.min(this.#left('lacunas'), asked.lacunas ?? Infinity);
    const tokensLeft = this.max.tokens === null ? Infinity : this.#left('tokens');
    const tokens = Math.min(tokensLeft, asked.tokens ?? Infinity);
    const max = { lacunas, turns: this.#left('turns'), tokens: tokens === Infinity ? null : tokens };
    return new Budget(this, max, nowMs + durationMs, durationMs);
  }

  remainingMs(nowMs: number): number {
    return Math.max(0, this.endsAtMs - nowMs);
  }

  /** The limit that is reached; null while there is room for one more turn. */
  hit(nowMs: number): LimitHit | null {
    if (nowMs >= this.endsAtMs) return this.timeUp;
    if (this.#turns >= this.max.turns) return { limit: 'turns', value: this.max.turns };
    if (this.max.tokens !== null && this.#tokens >= this.max.tokens) return { limit: 'tokens', value: this.max.tokens };
    return this.hasLacuna() ? (this.parent?.hit(nowMs) ?? null) : { limit: 'lacunas', value: this.max.lacunas };
  }

  get timeUp(): LimitHit {
    return { limit: 'time', value: Math.round(this.durationMs / 1000) };
  }

  /** Whether one more Lacuna may be proposed. */
  hasLacuna(): boolean {
    return this.#lacunas < this.max.lacunas && (this.parent?.hasLacuna() ?? true);
  }

  useLacuna(): void {
    this.#lacunas += 1;
    this.parent?.useLacuna();
  }

  useTurn(): void {
    this.#turns += 1;
    this.parent?.useTurn();
  }

  useTokens(count: number): void {
    this.#tokens += count;
    this.parent?.useTokens(count);
  }

  get used(): { readonly lacunas: number; readonly turns: number; readonly tokens: number } {
    return { lacunas: this.#lacunas, turns: this.#turns, tokens: this.#tokens };
  }

  #left(what: 'lacunas' | 'turns' | 'tokens'): number {
    const max = this.max[what];
    const used = { lacunas: this.#lacunas, turns: this.#turns, tokens: this.#tokens }[what];
    return max === null ? Infinity : Math.max(0, max - used);
  }
}
