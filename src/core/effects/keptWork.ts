import type { GitState, Kept } from './effect.js';
import { isWithin } from './paths.js';

interface Entry extends Kept {
  /** What has been written since. */
  readonly touched: string[];
  /** Whether the command is known to have succeeded. */
  isSure: boolean;
}

type Case = { readonly isCaseSensitive: boolean };

/**
 * What git has been given to hold, one command after another, and what was written since. Taking away what it holds loses nothing.
 * INVARIANT: says so only of what a command gave it that is known to have succeeded.
 */
export class KeptWork {
  readonly #entries: Entry[] = [];
  /** All that was said, sure or not: what a session knows once the commands have run. Null stands for all being given up. */
  readonly said: (Kept | null)[] = [];

  constructor(readonly paths: Case) {}

  /** A place in the course of commands, for {@link succeeded} and {@link forgetSince}. */
  mark(): number {
    return this.#entries.length;
  }

  add(kept: Kept, isSure = false): void {
    this.said.push(kept);
    const staged = kept.in === 'commit' ? this.#entries.filter((entry) => entry.in === 'index') : [];
    for (const { below, what, touched } of staged)
      this.#entries.push({ in: 'commit', below, what, touched: [...touched], isSure });
    if (kept.below.length > 0) this.#entries.push({ ...kept, touched: [], isSure });
  }

  /** History changes, or a stash comes back: nothing is known any more. */
  clear(): void {
    if (this.said.at(-1) !== null) this.said.push(null);
    this.#entries.length = 0;
  }

  /** The commands since a mark have succeeded. */
  succeeded(mark: number): void {
    for (const entry of this.#entries.slice(mark)) entry.isSure = true;
  }

  /** Whether the commands since a mark have succeeded is not known. */
  forgetSince(mark: number): void {
    if (this.#entries.length > mark) this.#entries.length = mark;
  }

  /** Something at a path was written, or at a path that is not known. */
  touch(path: string | null): void {
    if (path === null) this.#entries.length = 0;
    else for (const entry of this.#entries) entry.touched.push(path);
  }

  /** How git sees a path then, from how it saw it before. */
  stateOf(path: string, before: GitState): GitState {
    if (before !== 'modified' && before !== 'untracked') return before;
    const holder = this.#entries.find(
      (entry) =>
        entry.isSure &&
        entry.in !== 'index' &&
        (entry.what === 'all' || entry.what === before) &&
        entry.below.some((place) => isWithin(path, place, this.paths)) &&
        !entry.touched.some((other) => isWithin(other, path, this.paths) || isWithin(path, other, this.paths)),
    );
    if (holder === undefined) return before;
    return holder.in === 'stash' && before === 'untracked' ? 'absent' : 'tracked';
  }
}
