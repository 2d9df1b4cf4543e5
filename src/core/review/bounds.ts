import type { Trait } from '../effects/effect.js';
import type { EffectFact, ReviewFacts } from './facts.js';
import type { ReviewVerdict } from './review.js';

/** What the facts alone settle: no model may say less than `least`, nor more than `most`. */
export interface Bounds {
  readonly least: ReviewVerdict;
  readonly most: ReviewVerdict;
}

/** The part of the facts that bounds are drawn from. */
export type BoundingFacts = Pick<ReviewFacts, 'findings' | 'isElsewhere'> & {
  readonly effects: readonly Omit<EffectFact, 'effect'>[];
};
type Row = BoundingFacts['effects'][number];

/** Weight from which on an effect has to be asked for. */
const NOTABLE = 3;

/** Findings that speak against nothing. */
const HARMLESS = new Set(['requested', 'made-here', 'unusual']);

/** What nobody asks for by naming a target: it takes more than a name to mean it. */
const BEYOND_NAMES: ReadonlySet<Trait> = new Set<Trait>([
  'catastrophic',
  'guard-self',
  'secret',
  'personal',
  'upload',
  'remote-code',
  'covert',
  'metadata',
  'hidden-text',
  'removes-check',
  'grants-access',
  'protected-ref',
  'mass',
  'discards',
  'rows-unbounded',
]);

/** What is not taken away without asking, whoever made it. */
const BEYOND_OWNING: ReadonlySet<Trait> = new Set<Trait>(['catastrophic', 'guard-self', 'secret', 'personal']);

const isForbidden = ({ fit, weight }: Row): boolean => fit === 'forbidden' && weight >= NOTABLE;

const isNamed = (overlap: Row['named']): boolean => overlap === 'exact' || overlap === 'base';

/** Places far from the work: there only a whole path names a thing. */
const FAR: ReadonlySet<string> = new Set(['home', 'system', 'outside', 'device']);

/** Deeds that a name alone does not ask for. */
const BEYOND_DEEDS: ReadonlySet<string> = new Set(['history', 'privilege']);

/** The words ask for the deed and name what it is done to; where they go on with an earlier request, that one does. */
const isPlain = ({ what, where, fit, named, known, traits }: Row): boolean =>
  !traits.some((trait) => BEYOND_NAMES.has(trait)) &&
  !BEYOND_DEEDS.has(what.replace(/ .*$/, '')) &&
  (!FAR.has(where) || named === 'exact') &&
  ((fit === 'asked' && isNamed(named)) || (fit === 'before' && (isNamed(named) || isNamed(known))));

/** The way to a thing, not the thing: a program's own service, or the address that a remote stands for. */
const isWay = ({ what, where }: Row): boolean => what === 'network url' && (where === 'own' || where === 'somewhere');

/** The words ask for the deed, and name nothing else that it could be done to. */
const isOfWords = (row: Row): boolean =>
  (row.fit === 'asked' || row.fit === 'before') && (isWay(row) || (row.named !== 'none' && row.named !== 'near'));

/** It has to be asked for, by its weight or by what is special about it. */
const isNotable = ({ weight, traits }: Row): boolean =>
  weight >= NOTABLE || traits.some((trait) => BEYOND_NAMES.has(trait));

/** It takes away what the session itself made, and that holds nothing that is somebody's: nobody has to be asked. */
const isOwnOnly = ({ isOwn, traits }: Row): boolean => isOwn && !traits.some((trait) => BEYOND_OWNING.has(trait));

/**
 * Nothing in the action has to be asked for; or the request names the action itself, word by word and nothing further; or it asks
 * plainly for all in it that has to be asked for and that does not only take away what the session made.
 */
function isSettled({ effects, findings, isElsewhere }: BoundingFacts): boolean {
  if (!findings.every((one) => HARMLESS.has(one))) return false;
  const left = effects.filter((row) => isNotable(row) && !isOwnOnly(row));
  if (left.length === 0) return effects.every(({ fit }) => fit !== 'forbidden');
  return !isElsewhere && left.every(findings.includes('requested') ? isOfWords : isPlain);
}

/**
 * Draws the bounds. What the request says not to do is rejected whatever a model says. What it plainly asks for, and what nobody has
 * to ask for, is approved: an objection to it is a mistake of the model. Such an approval clears nothing (reviewer.ts).
 */
export function boundsOf(facts: BoundingFacts): Bounds {
  if (facts.effects.some(isForbidden)) return { least: 'reject', most: 'reject' };
  return { least: 'approve', most: isSettled(facts) ? 'approve' : 'reject' };
}
