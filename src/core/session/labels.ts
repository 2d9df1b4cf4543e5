import { CONFIDENTIALITIES, type Confidentiality, type Label } from './label.js';

/** What data carries: how far it may travel, and whether it may be believed. */
export interface Labels {
  readonly confidentiality: Confidentiality;
  readonly isUntrusted: boolean;
}

/** What a policy says of a path. */
export interface DeclaredLabels {
  /** In the place of what the path's name suggests; null where it says nothing of it. */
  readonly confidentiality: Confidentiality | null;
  readonly isUntrusted: boolean | null;
  /** What it carries besides, whatever else is said: from files that may only tighten. */
  readonly atLeast: Labels;
}

/** What a file of the workspace carries when nothing else is known. */
export const ORDINARY: Labels = { confidentiality: 'internal', isUntrusted: false };
/** Carries nothing: neutral in {@link joinLabels}. */
export const NOTHING: Labels = { confidentiality: 'public', isUntrusted: false };

const rank = (confidentiality: Confidentiality): number => CONFIDENTIALITIES.indexOf(confidentiality);

/** Whether data is at least so confidential. */
export const isAtLeast = (confidentiality: Confidentiality, least: Confidentiality): boolean =>
  rank(confidentiality) >= rank(least);

/** The more confidential of two. Associative, commutative, idempotent; `public` is neutral. */
export const moreConfidential = (a: Confidentiality, b: Confidentiality): Confidentiality =>
  rank(a) >= rank(b) ? a : b;

/** Labels of data made from both: never less than either. Associative, commutative, idempotent. */
export function joinLabels(a: Labels, b: Labels): Labels {
  const confidentiality = moreConfidential(a.confidentiality, b.confidentiality);
  const isUntrusted = a.isUntrusted || b.isUntrusted;
  if (confidentiality === a.confidentiality && isUntrusted === a.isUntrusted) return a;
  return confidentiality === b.confidentiality && isUntrusted === b.isUntrusted ? b : { confidentiality, isUntrusted };
}

/** Whether labels say more than an ordinary file's do. */
export const isMarked = (labels: Labels): boolean =>
  labels.isUntrusted || isAtLeast(labels.confidentiality, 'sensitive');

/** As words that policies match. `internal` and `trusted` are what everything is, and are left out. */
export function labelWords(labels: Labels): readonly Label[] {
  const words: Label[] = [];
  if (labels.confidentiality !== 'internal') words.push(labels.confidentiality);
  if (labels.isUntrusted) words.push('untrusted');
  return words;
}
