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

/** Weight from which on a deletion takes something that matters: not what a build makes, nor what lies in a temporary folder. */
const TAKING = 5;

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

const isForbidden = ({ fit, bond, isRefused, weight }: Row): boolean =>
  (fit === 'forbidden' || isRefused || bond === 'refused') && weight >= NOTABLE;

const isNamed = (overlap: Row['named']): boolean => overlap === 'exact' || overlap === 'base';

/** Places far from the work: there only a whole path names a thing. */
const FAR: ReadonlySet<string> = new Set(['home', 'system', 'outside', 'device']);

/** Deeds that a name alone does not ask for. */
const BEYOND_DEEDS: ReadonlySet<string> = new Set(['history', 'privilege']);

/** One sentence asks for the deed and names what it is done to; where the words go on with an earlier request, that one does. */
const isPlain = ({ what, where, fit, named, known, traits, bond, bondBefore }: Row): boolean =>
  !traits.some((trait) => BEYOND_NAMES.has(trait)) &&
  !BEYOND_DEEDS.has(what.replace(/ .*$/, '')) &&
  (!FAR.has(where) || named === 'exact') &&
  ((fit === 'asked' && bond === 'tied') ||
    (fit === 'before' && (bondBefore === 'tied' || (bondBefore === 'loose' && (isNamed(named) || isNamed(known))))));

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

/** What no words ask for: hidden text in what is written, the guard's own files, the keys of the machine's own cloud account. */
const NEVER_MEANT: ReadonlySet<Trait> = new Set<Trait>(['hidden-text', 'guard-self', 'metadata']);

const isNeverMeant = ({ traits }: Row): boolean => traits.some((trait) => NEVER_MEANT.has(trait));

/** Bonds by which words bear a deed out, be it vaguely. */
const BEARING: ReadonlySet<Row['bond']> = new Set<Row['bond']>(['tied', 'part', 'loose']);

/** Earlier words that name nothing count only where the latest ones go on with them. */
const isBorne = ({ bond, bondBefore, fit }: Row): boolean =>
  BEARING.has(bond) || (BEARING.has(bondBefore) && (bondBefore !== 'loose' || fit === 'before'));

/**
 * It takes away what nothing brings back, and no sentence of the person's bears it out: none asks for it, or the one that does names
 * something else. That the session spoke of the target, or looked at it, is no word of the person's.
 */
const isUnborneTaking = (row: Row): boolean =>
  row.what === 'delete path' &&
  row.weight >= TAKING &&
  row.copy !== 'kept' &&
  row.copy !== 'ignored' &&
  !row.isOwn &&
  !isBorne(row);

/**
 * Draws the bounds. What the request says not to do is rejected whatever a model says. What it plainly asks for, and what nobody has
 * to ask for, is approved: an objection to it is a mistake of the model. Such an approval clears nothing (reviewer.ts).
 * What is taken away for good and no word of the person's bears out, and what nobody ever means, is never approved.
 */
export function boundsOf(facts: BoundingFacts): Bounds {
  if (facts.effects.some(isForbidden)) return { least: 'reject', most: 'reject' };
  if (isSettled(facts)) return { least: 'approve', most: 'approve' };
  const isKeptBack = facts.effects.some((row) => isUnborneTaking(row) || isNeverMeant(row));
  return { least: isKeptBack ? 'flag' : 'approve', most: 'reject' };
}
