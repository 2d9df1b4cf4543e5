import type { Judged } from './confine.js';
import type { PolicyContext } from './context.js';
import type { Match } from './judgeEffect.js';
import type { Verdict } from './verdict.js';
import { effectClause } from './words.js';

const OPENING: Readonly<Record<Verdict, string>> = {
  allow: 'Allowed',
  modify: 'Changed before it runs',
  sandbox: 'Runs in the sandbox',
  ask: 'Asks first',
  deny: 'Refused',
};

const MAX_LINES = 6;

/** The reason of a question once a person has answered it: it asked, and asks no more. */
export const reasonOnceAnswered = (reason: string): string => reason.replace(/^Asks first:/, 'Asked first:');

/**
 * Why, for people: one sentence about the effect that decided, then one line for each further reason.
 * "Asks first: it deletes notes.md. Nothing can bring back work that no commit holds. (rule files-discard, lacuna:files)"
 */
export function reasonOf(
  verdict: Verdict,
  strictest: Verdict,
  deciding: readonly Judged[],
  context: PolicyContext,
): string {
  const lines = deciding.map((judged) => lineOf(judged, context));
  const unique = [...new Set(lines)];
  const [first = 'nothing is done.', ...rest] = unique;
  const because =
    verdict === 'ask' && strictest === 'sandbox'
      ? ' It should run in a sandbox, and there is none for this.'
      : verdict === 'ask' && context.isHeadless
        ? ' There is nobody to ask, so it is refused.'
        : '';
  const more = rest.length > MAX_LINES ? [`… and ${String(rest.length - MAX_LINES)} more`] : [];
  return [`${OPENING[verdict]}: ${first}${because}`, ...rest.slice(0, MAX_LINES).map(capital), ...more].join('\n');
}

function lineOf({ effect, judgement }: Judged, context: PolicyContext): string {
  const what = effect === null ? 'nothing is done' : `it ${effectClause(effect, context.anchors)}`;
  const match = judgement.deciding[0];
  if (match === undefined) return `${what}. No rule speaks for it.`;
  return `${what}. ${whyOf(match)} (rule ${match.rule.id}, ${match.rule.source})`;
}

function whyOf({ rule, isFailure }: Match): string {
  const reason = rule.spec.reason ?? 'A rule says so.';
  return isFailure ? `A rule could not be evaluated, since something it asks about is not known: ${reason}` : reason;
}

/** What the agent may do instead, from the rules that decided. Empty when they have nothing to say. */
export function adviceOf(deciding: readonly Judged[]): string {
  const advice = deciding.flatMap(({ judgement }) => judgement.deciding.flatMap(({ rule }) => rule.spec.advice ?? []));
  return [...new Set(advice)].slice(0, 3).join(' ');
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
