import type { Kind } from '../lacuna/kinds.js';
import type { Proposal } from '../lacuna/lacuna.js';
import { key53 } from './hash.js';
import type { RecentStep } from './state.js';

/**
 * How many of the latest steps have to be the very same, or nearly the same, to be called a loop. An agent reads a file again and
 * runs its tests again all day long; it is stuck when it does hardly anything else.
 */
export const LOOP = { exact: { of: 9, least: 6 }, reads: { of: 16, least: 12 }, near: { of: 16, least: 14 } } as const;

/** What is compared of a text: its beginning and its end. */
const COMPARED = 2_000;

/** Takes out what an agent varies when it tries the same thing again: numbers, quotes, blanks, case, line ranges. */
const blurred = (text: string): string =>
  (text.length <= 2 * COMPARED ? text : `${text.slice(0, COMPARED)}\n${text.slice(-COMPARED)}`)
    .toLowerCase()
    .replace(/(['"`])(?:(?!\1).){0,200}\1/g, '"')
    .replace(/\d+/g, '0')
    .replace(/\s+/g, ' ')
    .trim();

/** Two keys of a proposal: equal for the same one, and equal for nearly the same one. */
export function fingerprintOf(proposal: Proposal): { readonly exact: string; readonly near: string } {
  const text = `${proposal.kind} ${JSON.stringify(proposal.params)}`;
  const about =
    proposal.kind === 'ExecuteShell'
      ? blurred(proposal.params.command)
      : proposal.kind === 'ReadFile'
        ? JSON.stringify(proposal.params) // other lines of a file are progress
        : blurred(JSON.stringify(proposal.params).slice(0, COMPARED));
  return { exact: key53(text), near: key53(`${proposal.kind} ${about}`) };
}

/** Kinds that cost next to nothing when they are repeated. */
const READING: ReadonlySet<Kind> = new Set(['ReadFile', 'ListFiles', 'SearchFiles']);

/** How many of the latest steps, this one included, agree with it, looking back no further than the latest real change. */
function alike(recent: readonly RecentStep[], most: number, isAlike: (step: RecentStep) => boolean): number {
  let count = 1;
  for (let back = 1; back < most; back++) {
    const step = recent.at(-back);
    if (step === undefined) break;
    if (isAlike(step)) count += 1;
    else if (step.isProgress) break;
  }
  return count;
}

/** Why this step goes round in circles, in words; null when it does not. Constant time. */
export function loopOf(
  fingerprint: { readonly exact: string; readonly near: string },
  kind: Kind,
  recent: readonly RecentStep[],
): string | null {
  const { of, least } = READING.has(kind) ? LOOP.reads : LOOP.exact;
  const exact = alike(recent, of, (step) => step.exact === fingerprint.exact);
  if (exact >= least) return `${exact} of the latest ${of} steps are this very one`;
  // A change of the same kind of thing is not the same change.
  const near = alike(recent, LOOP.near.of, (step) => step.near === fingerprint.near && !step.isProgress);
  return near >= LOOP.near.least
    ? `${near} of the latest ${LOOP.near.of} steps are this one with small variations`
    : null;
}
