import type { Kind } from '../../lacuna/kinds.js';
import type { Predicate } from '../subject.js';
import { tri } from '../tri.js';

/** The kind of the Lacuna. */
export const matchesKind =
  (kinds: readonly Kind[]): Predicate =>
  ({ proposal }) =>
    tri(kinds.includes(proposal.kind));
