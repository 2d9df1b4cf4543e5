import type { Cancel } from '../cancel.js';
import type { Outcome } from '../gate/outcome.js';
import type { ParamsOf } from '../lacuna/kinds.js';
import type { Lacuna } from '../lacuna/lacuna.js';

/** Runs the sub-agent of one Delegate, once the gate has let it through. */
export type RunSubagent = (
  lacuna: Lacuna<'Delegate'>,
  params: ParamsOf['Delegate'],
  cancel: Cancel,
) => Promise<Outcome>;

/**
 * Where the executor of Delegate meets the loop that proposed it. The loop leaves word here before it proposes; the executor
 * finds it only by the Lacuna inside a spent permit. So no sub-agent starts but through the gate.
 */
export class Subagents {
  readonly #waiting = new Map<string, RunSubagent>();

  /** Keeps `run` at hand for this Lacuna while `act` takes it through the gate. */
  async during<T>(lacunaId: string, run: RunSubagent, act: () => Promise<T>): Promise<T> {
    this.#waiting.set(lacunaId, run);
    try {
      return await act();
    } finally {
      this.#waiting.delete(lacunaId);
    }
  }

  /**
   * Called by the executor with what its permit held. Null when no loop waits for this Lacuna. One that was judged again,
   * because the person changed it, is a child of the one that the loop knows.
   */
  run(lacuna: Lacuna<'Delegate'>, params: ParamsOf['Delegate'], cancel: Cancel): Promise<Outcome> | null {
    const key = [lacuna.id, lacuna.parentId ?? ''].find((id) => this.#waiting.has(id)) ?? '';
    const run = this.#waiting.get(key);
    this.#waiting.delete(key); // once: a second filling finds nothing
    return run === undefined ? null : run(lacuna, params, cancel);
  }
}
