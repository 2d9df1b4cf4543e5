import type { Value } from './value.js';

/** Names and what they stand for, inside a function or the whole text. */
export class Scope {
  readonly #names = new Map<string, Value>();

  constructor(readonly parent: Scope | null) {}

  get(name: string): Value | null {
    return this.#names.get(name) ?? this.parent?.get(name) ?? null;
  }

  /** The value in this very scope. */
  own(name: string): Value | null {
    return this.#names.get(name) ?? null;
  }

  set(name: string, value: Value): void {
    this.#names.set(name, value);
  }

  /** The scope that holds a name; this one when none does. */
  holder(name: string): Scope {
    if (this.#names.has(name) || this.parent === null) return this;
    const holder = this.parent.holder(name);
    return holder.own(name) === null ? this : holder;
  }
}
