import { describeResource } from '../audit/describe.js';
import type { Resource } from '../effects/effect.js';
import { dataLine } from './canonical.js';
import type { EffectFact, ReviewFacts } from './facts.js';
import type { ReviewVerdict } from './review.js';

/**
 * Why a reviewer says what it says: a closed list. `{what}` is what is done, `{target}` to what; the host fills both from the
 * effects, so that no model can put a name of its own into a sentence.
 */
export const REASONS = {
  'as-asked': { verdict: 'approve', text: 'the request asks for it.' },
  'part-of-it': { verdict: 'approve', text: 'it belongs to what was asked.' },
  harmless: { verdict: 'approve', text: 'it changes nothing that matters.' },
  'not-asked': { verdict: 'flag', text: 'it would {what} {target}, which the request does not ask for.' },
  'other-target': { verdict: 'flag', text: 'it would {what} {target}, and the request names something else.' },
  'more-than-asked': { verdict: 'flag', text: 'it goes further than asked: it would {what} {target}.' },
  'cannot-tell': { verdict: 'flag', text: 'whether {target} is meant cannot be told from the request.' },
  'said-not-to': { verdict: 'reject', text: 'it would {what} {target}, and the request says not to.' },
  leaks: { verdict: 'reject', text: 'secret or private data could leave by {target}.' },
  destroys: { verdict: 'reject', text: 'it would {what} {target} for good, and nobody asked for that.' },
  'runs-foreign': { verdict: 'reject', text: 'it runs code from elsewhere ({target}) that nobody asked for.' },
  instructed: { verdict: 'reject', text: '{target} comes from content that the agent read, not from the request.' },
  contradicts: { verdict: 'reject', text: 'it would {what} {target}, which is far from what was asked.' },
  weakens: { verdict: 'reject', text: 'it takes a protection away or gives more rights: {target}.' },
} as const satisfies Readonly<Record<string, { readonly verdict: ReviewVerdict; readonly text: string }>>;
export type ReasonCode = keyof typeof REASONS;

export const REASON_CODES = Object.keys(REASONS) as readonly ReasonCode[];

/** Codes that fit a verdict. */
export const reasonsFor = (verdict: ReviewVerdict): readonly ReasonCode[] =>
  REASON_CODES.filter((code) => REASONS[code].verdict === verdict);

const has = (facts: readonly EffectFact[], ...traits: readonly EffectFact['traits'][number][]): boolean =>
  facts.some((fact) => traits.some((trait) => fact.traits.includes(trait)));

const WEAKENS = ['removes-check', 'grants-access', 'guard-self'] as const;

/** Findings that say that data could leave. */
const LEAVING = new Set(['secret-outward', 'trifecta', 'secret-to-tracked', 'secret-to-model']);

function rejection({ effects, findings }: ReviewFacts): ReasonCode {
  if (effects.some(({ fit }) => fit === 'forbidden')) return 'said-not-to';
  if (
    findings.some((finding) => LEAVING.has(finding)) ||
    (has(effects, 'upload') && has(effects, 'secret', 'personal'))
  )
    return 'leaks';
  if (findings.includes('instructed-by-untrusted') || findings.includes('untrusted-outward')) return 'instructed';
  if (has(effects, 'remote-code', 'covert') || findings.includes('runs-untrusted')) return 'runs-foreign';
  if (has(effects, ...WEAKENS) || effects.some(({ effect }) => effect.op === 'privilege' || effect.op === 'persist'))
    return 'weakens';
  return effects.some(isDestroying) ? 'destroys' : 'contradicts';
}

/** Whether an effect takes something away: without a trace, or out of history. */
const isDestroying = ({ effect, traits }: EffectFact): boolean =>
  ['delete', 'history', 'kill'].includes(effect.op) || traits.includes('discards') || traits.includes('overwrite');

/** Whether the facts bear a code out that a model chose. What they do not is not said to people. */
export function isBorneOut(code: ReasonCode, facts: ReviewFacts): boolean {
  const { effects, findings } = facts;
  switch (code) {
    case 'said-not-to':
      return effects.some(({ fit }) => fit === 'forbidden');
    case 'leaks':
      return findings.some((finding) => LEAVING.has(finding)) || has(effects, 'upload');
    case 'destroys':
      return effects.some(isDestroying);
    case 'runs-foreign':
      return has(effects, 'remote-code', 'covert') || findings.includes('runs-untrusted');
    case 'instructed':
      return findings.some((finding) => finding === 'instructed-by-untrusted' || finding === 'untrusted-outward');
    case 'weakens':
      return rejection(facts) === 'weakens';
    case 'not-asked':
      return effects.some(({ fit }) => fit === 'unasked' || fit === 'forbidden');
    case 'other-target':
      return facts.isElsewhere || effects.some(({ named }) => named === 'near' || named === 'none');
    case 'more-than-asked':
      return effects.some(({ fit }) => fit === 'asked' || fit === 'before' || fit === 'near');
    case 'as-asked':
    case 'part-of-it':
    case 'harmless':
    case 'cannot-tell':
    case 'contradicts':
      return true;
  }
}

function objection({ effects, isElsewhere }: ReviewFacts): ReasonCode {
  const [worst] = effects;
  if (worst === undefined) return 'cannot-tell';
  if (worst.named === 'near') return 'other-target';
  if (worst.fit === 'unasked' || worst.fit === 'forbidden') return 'not-asked';
  if (isElsewhere) return 'other-target';
  return has(effects, 'mass', 'force', 'recursive') || effects.some(({ fit }) => fit === 'unasked')
    ? 'more-than-asked'
    : 'cannot-tell';
}

/** The code that the facts bear out for a verdict. */
export function reasonCode(verdict: ReviewVerdict, facts: ReviewFacts): ReasonCode {
  switch (verdict) {
    case 'reject':
      return rejection(facts);
    case 'flag':
      return objection(facts);
    case 'approve': {
      const [worst] = facts.effects;
      if (worst === undefined || worst.weight === 0) return 'harmless';
      return worst.fit === 'asked' && (worst.named === 'exact' || worst.named === 'base') ? 'as-asked' : 'part-of-it';
    }
  }
}

const WHAT: Readonly<Record<EffectFact['effect']['op'], string>> = {
  list: 'list',
  read: 'read',
  write: 'write',
  delete: 'delete',
  move: 'move',
  execute: 'run',
  network: 'send data to',
  install: 'install',
  kill: 'stop',
  privilege: 'use the rights of',
  history: 'rewrite the history of',
  persist: 'make something run later by',
  unknown: 'run',
};

/** The effect that a reason speaks of. */
function spokenOf(code: ReasonCode, { effects }: ReviewFacts): EffectFact | undefined {
  const by = (test: (fact: EffectFact) => boolean): EffectFact | undefined => effects.find(test) ?? effects[0];
  switch (code) {
    case 'said-not-to':
      return by(({ fit }) => fit === 'forbidden');
    case 'leaks':
      return by(({ effect }) => effect.op === 'network');
    case 'not-asked':
      return by(({ fit }) => fit === 'unasked' || fit === 'forbidden');
    case 'runs-foreign':
      return by(({ traits }) => traits.includes('remote-code') || traits.includes('covert'));
    case 'weakens':
      return by(({ traits }) => traits.some((trait) => WEAKENS.some((one) => one === trait)));
    default:
      return effects[0];
  }
}

/** What a resource is called in a sentence: paths of the workspace as people know them, from its folder on. */
function namedFrom(resource: Resource, roots: readonly string[]): string {
  const name = describeResource(resource);
  const root = roots.find((one) => name === one || name.startsWith(`${one}/`));
  if (root === undefined) return name;
  return name === root ? 'the workspace' : name.slice(root.length + 1);
}

/** A reason written out for people, with the names that the analysis found; `roots`: the workspace's folders. */
export function reasonText(code: ReasonCode, facts: ReviewFacts, roots: readonly string[]): string {
  const fact = spokenOf(code, facts);
  const target =
    fact === undefined ? 'it' : dataLine(namedFrom(fact.effect.resource, roots), 120) || 'something unnamed';
  const verb =
    fact === undefined
      ? 'do'
      : fact.effect.op === 'network' && !fact.traits.includes('upload')
        ? 'connect to'
        : WHAT[fact.effect.op];
  return REASONS[code].text.replace('{what}', () => verb).replace('{target}', () => target);
}
