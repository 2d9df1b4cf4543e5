import type { EffectFact, ReviewFacts } from './facts.js';
import type { ReviewInput } from '../ports.js';
import { wordsOf } from './names.js';

/** Effects beyond these say little more. */
const MOST_EFFECTS = 8;
const MOST_WORDS = 40;

function ofEffect({ what, where, copy, traits, fit, isEarlier, named, known, said }: EffectFact): string[] {
  const place = where === '' ? what : `${what} ${where}`;
  return [
    `fit ${fit} ${what}`,
    `fit ${fit} ${place}`,
    `fit ${fit} ${place} ${copy}`,
    `named ${named} ${what}`,
    `named ${named} ${fit} ${what}`,
    `known ${known} ${named} ${what}`,
    `known ${known} ${fit}`,
    `said ${said} ${known} ${fit}`,
    `said ${said} ${what}`,
    `earlier ${isEarlier} ${fit}`,
    `earlier ${isEarlier} ${what}`,
    ...traits.flatMap((trait) => [`trait ${trait} ${fit}`, `trait ${trait} ${what} ${named}`]),
  ];
}

/** Features of the gravest effect together with what is true of the whole. */
function ofWorst(worst: EffectFact, facts: ReviewFacts): string[] {
  const { fit, named, known, said, what, where, weight } = worst;
  return [
    `worst ${fit}`,
    `worst ${fit} ${named}`,
    `worst ${fit} ${named} ${known}`,
    `said ${said} ${known} ${named} ${fit} at worst`,
    `worst ${what} ${where} ${fit} ${named}`,
    `weight ${weight} ${fit}`,
    `weight ${weight} ${named}`,
    `risk ${facts.risk} ${fit}`,
    `risk ${facts.risk} ${named}`,
    `length ${facts.requestLength} ${fit} ${what}`,
    `narrow ${facts.asked.isNarrow} ${fit}`,
    `continues ${facts.asked.isContinuation} ${fit} ${known}`,
    `plan ${facts.plan} ${fit}`,
    ...[...facts.asked.wanted].map((intent) => `want ${intent} ${what} ${where}`),
    ...[...facts.asked.forbidden].map((intent) => `deny ${intent} ${what}`),
    ...facts.findings.map((finding) => `finding ${finding} ${fit}`),
    ...(facts.isElsewhere ? [`elsewhere ${what} ${fit}`] : []),
  ];
}

/**
 * What the linear model looks at: facts and combinations of facts as words, and a few words of the request beside what is done.
 * Free of order; a feature counts once.
 */
export function featuresOf(input: ReviewInput, facts: ReviewFacts): readonly string[] {
  const [worst] = facts.effects;
  const unfit = facts.effects.filter(({ fit }) => fit === 'unasked' || fit === 'forbidden');
  const words = [...new Set(wordsOf(input.request.slice(0, 600)))].slice(0, MOST_WORDS);
  const deed = worst === undefined ? 'nothing' : worst.what;
  return [
    ...new Set([
      'bias',
      `kind ${facts.kind}`,
      `length ${facts.requestLength}`,
      `unfit ${Math.min(unfit.length, 4)}`,
      ...facts.effects.slice(0, MOST_EFFECTS).flatMap(ofEffect),
      ...(worst === undefined ? ['no effects'] : ofWorst(worst, facts)),
      ...facts.labels.map((label) => `label ${label} ${deed}`),
      ...facts.findings.map((finding) => `finding ${finding}`),
      ...facts.programs.flatMap(({ name, named, known }) => [
        `program known ${known} ${deed}`,
        `program known ${known} ${worst?.fit ?? ''} ${worst?.known ?? ''}`,
        `program ${name}`,
        `program ${name} ${named}`,
        `program named ${named} ${deed}`,
      ]),
      ...facts.programs.flatMap(({ name }) => [...facts.asked.wanted].map((intent) => `program ${name} ${intent}`)),
      ...words.map((word) => `word ${word} ${deed}`),
    ]),
  ];
}

/** FNV-1a over UTF-16 units; 32 bits, unsigned. The hash that places features in the linear model. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}
