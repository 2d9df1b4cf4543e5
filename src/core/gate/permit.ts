import { err, ok, type Result } from '../result.js';
import type { Kind, ParamsOf } from '../lacuna/kinds.js';
import type { Lacuna } from '../lacuna/lacuna.js';
import type { Confinement, Decision, Obligations } from '../policy/decision.js';

/** What a permit was bound to: the things whose identity and content must be the same when it is spent. */
export interface Binding {
  /** Canonical paths that the filling will write, delete, run or read as code. */
  readonly subjects: readonly string[];
  /** Digest over kind, parameters and the subjects as they stood when the decision was made. */
  readonly digest: string;
}

/** The world as a permit sees it. Read-only. */
export interface World {
  nowMs(): number;
  /** Digest over the Lacuna and its subjects as they stand now, links resolved again. */
  digestNow<K extends Kind>(lacuna: Lacuna<K>, subjects: readonly string[]): Promise<string>;
}

/** Why a permit could not be spent. */
export type SpendError = 'spent' | 'revoked' | 'expired' | 'changed';

/** What an executor gets for a permit. `bindingDigest` lets it check once more, nearer to the act. */
export interface Spent<K extends Kind> {
  readonly lacuna: Lacuna<K>;
  readonly params: ParamsOf[K];
  readonly confinement: Confinement | null;
  readonly obligations: Obligations;
  /** Looks again, as late as the executor can: true when nothing has changed since the decision. */
  readonly isStillTrue: () => Promise<boolean>;
}

let mintPermit: <K extends Kind>(
  lacuna: Lacuna<K>,
  decision: Decision,
  binding: Binding,
  expiresAtMs: number,
  world: World,
) => Permit<K>;

/** Leave to fill one exact Lacuna, once, until it expires. Source: product.md §9. */
export class Permit<K extends Kind> {
  readonly #lacuna: Lacuna<K>;
  readonly #binding: Binding;
  readonly #world: World;
  #state: 'fresh' | 'spent' | 'revoked' = 'fresh';
  /** Why, and under which confinement. */
  readonly decision: Decision;
  readonly expiresAtMs: number;

  private constructor(lacuna: Lacuna<K>, decision: Decision, binding: Binding, expiresAtMs: number, world: World) {
    this.#lacuna = lacuna;
    this.#binding = binding;
    this.#world = world;
    this.decision = decision;
    this.expiresAtMs = expiresAtMs;
    Object.freeze(this);
  }

  static {
    mintPermit = (lacuna, decision, binding, expiresAtMs, world) =>
      new Permit(lacuna, decision, binding, expiresAtMs, world);
  }

  /** Takes the leave back: the session was cancelled, or the person changed their mind. A spent permit stays spent. */
  revoke(): void {
    if (this.#state === 'fresh') this.#state = 'revoked';
  }

  /** The only way to the parameters. A failed spend voids the permit too. */
  async spend(): Promise<Result<Spent<K>, SpendError>> {
    if (this.#state !== 'fresh') return err(this.#state);
    this.#state = 'spent'; // before the first await: two spenders cannot both pass
    if (this.#world.nowMs() >= this.expiresAtMs) return err('expired');
    const isStillTrue = async (): Promise<boolean> =>
      (await this.#world.digestNow(this.#lacuna, this.#binding.subjects)) === this.#binding.digest;
    if (!(await isStillTrue())) return err('changed');
    return ok({
      lacuna: this.#lacuna,
      params: this.#lacuna.params,
      confinement: this.decision.confinement,
      obligations: this.decision.obligations,
      isStillTrue,
    });
  }
}

/**
 * Mints a permit. INVARIANT: imported by `gate.ts` alone (the architecture test sees to it), and called only for a verdict
 * that lets the Lacuna be filled.
 */
export const mint: typeof mintPermit = (lacuna, decision, binding, expiresAtMs, world) =>
  mintPermit(lacuna, decision, binding, expiresAtMs, world);
