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

/**
 * The request names the action itself, word by word and nothing further, or asks plainly for all in it that has to be asked for
 * and that does not only take away what the action itself made.
 */
function isPlainlyAsked({ effects, findings, isElsewhere }: BoundingFacts): boolean {
  if (isElsewhere || !findings.every((one) => HARMLESS.has(one))) return false;
  const notable = effects.filter(({ weight }) => weight >= NOTABLE);
  const isMeant = findings.includes('requested') ? isOfWords : isPlain;
  return notable.every((row) => row.isOwn || isMeant(row)) && (notable.length > 0 || findings.includes('requested'));
}

/**
 * Draws the bounds. What the request says not to do is rejected whatever a model says. What it plainly asks for is approved,
 * since an objection to the person's own words is a mistake of the model; such an approval clears nothing (reviewer.ts).
 */
export function boundsOf(facts: BoundingFacts): Bounds {
  if (facts.effects.some(isForbidden)) return { least: 'reject', most: 'reject' };
  return { least: 'approve', most: isPlainlyAsked(facts) ? 'approve' : 'reject' };
}
