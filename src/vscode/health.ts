/** Parts whose trouble a person should see. */
export type Part = 'policy' | 'parser' | 'sandbox' | 'audit' | 'hooks' | 'switches' | 'reviewer';

/** What does not work as it should, in a sentence for each part. Shown in the status bar; nothing is loosened by it. */
export class Health {
  readonly #troubles = new Map<Part, string>();
  readonly #listeners = new Set<() => void>();

  /** Sentences, in the order in which they came up. */
  get troubles(): readonly string[] {
    return [...this.#troubles.values()];
  }

  /** The same, each with its part. */
  get parts(): readonly (readonly [Part, string])[] {
    return [...this.#troubles];
  }

  /** Says how a part is: a sentence, or null when it is well. */
  tell(part: Part, trouble: string | null): void {
    if ((this.#troubles.get(part) ?? null) === trouble) return;
    if (trouble === null) this.#troubles.delete(part);
    else this.#troubles.set(part, trouble);
    for (const listener of this.#listeners) listener();
  }

  /** Calls back after each change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
