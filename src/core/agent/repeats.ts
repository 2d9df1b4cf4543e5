import type { Proposal } from '../lacuna/lacuna.js';

/** How often the very same proposal came, and what it was told. Forgets when something was changed in between. */
export class Repeats {
  readonly #seen = new Map<string, { answer: string; times: number }>();

  /** How often this proposal has been answered in the same way, with nothing changed since. */
  times(proposal: Proposal): number {
    return this.#seen.get(keyOf(proposal))?.times ?? 0;
  }

  /** Remembers an answer. A different answer to the same proposal starts the count anew. */
  note(proposal: Proposal, answer: string): void {
    const key = keyOf(proposal);
    const before = this.#seen.get(key);
    this.#seen.set(key, { answer, times: before?.answer === answer ? before.times + 1 : 1 });
  }

  /** Counts one more time that it came without being tried. */
  skip(proposal: Proposal): void {
    const before = this.#seen.get(keyOf(proposal));
    if (before) before.times += 1;
  }

  /** This one may have changed the world: asking for other things again is no longer a repetition. */
  forgetOthers(proposal: Proposal): void {
    const key = keyOf(proposal);
    const own = this.#seen.get(key);
    this.#seen.clear();
    if (own) this.#seen.set(key, own);
  }
}

/** Parsing puts parameters in the order of their schema, so equal proposals have equal text. */
const keyOf = (proposal: Proposal): string => JSON.stringify(proposal);
