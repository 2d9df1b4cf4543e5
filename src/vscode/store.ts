import type { Disposable } from 'vscode';

/**
 * Everything that has to be taken back when the extension ends. What is added after the end is taken back at once, so that
 * slow work that finishes late leaves nothing behind.
 */
export class Store implements Disposable {
  readonly #members = new Set<Disposable>();
  #hasEnded = false;

  /** Keeps a member until the end, and gives it back for use. */
  add<T extends Disposable>(member: T): T {
    if (this.#hasEnded) member.dispose();
    else this.#members.add(member);
    return member;
  }

  /** Keeps a function to call at the end. */
  addEnd(end: () => unknown): void {
    this.add({ dispose: end });
  }

  /** Takes everything back, last in first out. */
  dispose(): void {
    this.#hasEnded = true;
    const members = [...this.#members].reverse();
    this.#members.clear();
    for (const member of members) member.dispose();
  }
}
