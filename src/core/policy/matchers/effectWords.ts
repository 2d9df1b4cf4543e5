import type { Certainty, GitState, Op, Place, Resource, Reversibility, Trait } from '../../effects/effect.js';
import type { Predicate } from '../subject.js';
import { tri } from '../tri.js';

/** Whether a rule on reading names the paths that it means. */
export type Reads = 'of-named-paths' | 'of-whatever';

/**
 * What is done. Moving away is deleting. To a rule that restricts the reading of named paths it is reading too, since what was moved
 * can be read under its new name; to one that restricts installs, bringing packages along is installing. `none` holds where nothing is done at all.
 */
export const matchesOp = (ops: readonly (Op | 'none')[], reads: Reads): Predicate => {
  const set = new Set<string>(ops);
  if (set.has('delete')) set.add('move');
  const hearsMoves = set.has('read') && reads === 'of-named-paths';
  const hearsBringing = set.has('install');
  return ({ effect }, { isRestricting }) => {
    if (set.has(effect === null ? 'none' : effect.op)) return 'yes';
    return tri(
      isRestricting && ((hearsMoves && effect?.op === 'move') || (hearsBringing && effect?.brings !== undefined)),
    );
  };
};

/** How surely the resource is known. */
export const matchesCertainty =
  (values: readonly Certainty[]): Predicate =>
  ({ effect }) =>
    tri(effect !== null && values.includes(effect.certainty));

/** Whether it can be undone. */
export const matchesReversible =
  (values: readonly Reversibility[]): Predicate =>
  ({ effect }) =>
    tri(effect !== null && values.includes(effect.reversible));

/** Any of the traits. */
export const matchesTrait =
  (values: readonly Trait[]): Predicate =>
  ({ effect }) =>
    tri(effect !== null && values.some((trait) => effect.traits.includes(trait)));

/** Where the path lies. What agents and Lacuna are configured by has no place of its own: it is `unknown`. */
export const matchesPlace =
  (values: readonly Place[]): Predicate =>
  ({ effect }) => {
    if (effect === null) return 'no';
    return tri(effect.resource.type === 'path' && values.includes(effect.resource.place));
  };

/** How git sees the path. */
export const matchesGit =
  (values: readonly GitState[]): Predicate =>
  ({ effect }) =>
    tri(effect !== null && effect.resource.type === 'path' && values.includes(effect.resource.git));

/** Type of the resource. */
export const matchesResource =
  (values: readonly Resource['type'][]): Predicate =>
  ({ effect }) =>
    tri(effect !== null && values.includes(effect.resource.type));
