import type { Kind } from '../lacuna/kinds.js';

/** What a sub-agent may do and use up. Null: all that its parent may. Source: product.md §2, Delegate. */
export interface Rights {
  /** Name of the sub-agent; the Lacuna's id when the agent gives it none. */
  readonly name: string;
  /** Name of the parent; null for the main agent. */
  readonly parent: string | null;
  readonly depth: number;
  readonly kinds: readonly Kind[] | null;
  /** Path globs as in policies. */
  readonly paths: readonly string[] | null;
  readonly lacunas: number | null;
  readonly seconds: number | null;
  readonly tokens: number | null;
  readonly fromMs: number;
}
