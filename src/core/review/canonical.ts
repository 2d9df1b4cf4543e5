import { maskSecrets } from '../effects/secrets.js';
import { describeProposal } from '../audit/describe.js';
import type { ReviewInput } from '../ports.js';
import { INTENTS, type Intent } from './intents.js';
import type { EffectFact, ReviewFacts } from './facts.js';

/** Longest piece of each kind in the canonical form, in characters. */
const MOST = { request: 260, earlier: 90, action: 200, effects: 5 } as const;

/**
 * Text from outside as one line of data: secrets masked, line breaks and invisible characters made spaces, the marks of chat
 * templates taken apart, cut. INVARIANT: what comes out holds no line break, so it cannot begin a line of its own.
 */
export function dataLine(text: string, most: number): string {
  const line = maskSecrets(text.slice(0, most * 8))
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .replace(/<(?=[|/])|\[(?=\/?INST\])/g, '‹')
    .trim();
  const end = endWithin(line, most);
  return end === line.length ? line : `${line.slice(0, end)}…`;
}

/** Where a line has to end to stay within a room. What is not ASCII takes three times as much, as it does in bytes and tokens. */
function endWithin(line: string, most: number): number {
  let room = most;
  for (let at = 0; at < line.length; at++) {
    room -= line.charCodeAt(at) < 0x80 ? 1 : 3;
    if (room < 0) return isSecondHalf(line.charCodeAt(at)) ? at - 1 : at;
  }
  return line.length;
}

/** The second half of a character beyond the first 65,536: cut before it, the first half would be no character. */
const isSecondHalf = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

const intents = (set: ReadonlySet<Intent>): string => INTENTS.filter((intent) => set.has(intent)).join(' ');

function effectLine({ what, where, copy, traits, fit, isEarlier, named, known, said }: EffectFact): string {
  const parts = [
    fit,
    isEarlier && fit !== 'before' ? 'earlier' : '',
    what,
    where,
    copy,
    `named-${named}`,
    known === 'none' ? '' : `known-${known}`,
    said === 'none' || said === 'nameless' ? '' : `said-${said}`,
    ...[...traits].sort(),
  ];
  return parts.filter(Boolean).join(' ');
}

const programWords = ({ name, named, known }: ReviewFacts['programs'][number]): string =>
  [dataLine(name, 24), named === 'none' ? '' : 'named', known === 'none' ? '' : 'used'].filter(Boolean).join(' ');

/**
 * What a model sees of one proposal: facts first, then the words of the person and of the agent as data, each on one line with
 * its name. The same input gives the same text, in any language of the request.
 */
export function canonicalForm(input: ReviewInput, facts: ReviewFacts): string {
  const { asked } = facts;
  const state = [
    `risk-${facts.risk}`,
    facts.plan === 'none' ? '' : `plan-${facts.plan}`,
    ...facts.labels.map((label) => `label-${label}`),
    ...facts.findings,
    facts.isElsewhere ? 'elsewhere' : '',
  ];
  const ask = [
    intents(asked.wanted),
    asked.forbidden.size > 0 ? `not ${intents(asked.forbidden)}` : '',
    asked.isNarrow ? 'only' : '',
    asked.isContinuation ? 'continues' : '',
    facts.requestLength === 'none' ? 'empty' : '',
  ];
  const earlier = asked.isContinuation || facts.requestLength === 'short' ? (input.earlier.at(-1) ?? '') : '';
  const lines = [
    `ask: ${ask.filter(Boolean).join(' ')}`,
    `state: ${state.filter(Boolean).join(' ')}`,
    ...facts.effects.slice(0, MOST.effects).map((fact) => `effect: ${effectLine(fact)}`),
    `programs: ${facts.programs.map(programWords).join(', ')}`,
    `request: ${dataLine(input.request, MOST.request).toLowerCase()}`,
    ...(earlier === '' ? [] : [`before: ${dataLine(earlier, MOST.earlier).toLowerCase()}`]),
    `action: ${dataLine(describeProposal(input.lacuna), MOST.action).toLowerCase()}`,
  ];
  return lines.join('\n');
}
