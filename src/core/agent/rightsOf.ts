import type { Lacuna } from '../lacuna/lacuna.js';
import type { Rights } from '../session/delegate.js';

/** What a Delegate would lend, for the session to keep: its sub-agent goes by the id of the Lacuna. Null for other kinds. */
export function rightsOf(lacuna: Lacuna, atMs: number): Rights | null {
  if (lacuna.kind !== 'Delegate') return null;
  const { kinds, paths, budget } = lacuna.params;
  return {
    name: lacuna.id,
    parent: lacuna.origin.subagent,
    depth: lacuna.depth + 1,
    kinds,
    paths: paths ?? null,
    lacunas: budget.lacunas ?? null,
    seconds: budget.seconds ?? null,
    tokens: budget.tokens ?? null,
    fromMs: atMs,
  };
}
