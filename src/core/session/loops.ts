import type { Proposal } from '../lacuna/lacuna.js';
import { key53 } from './hash.js';
import type { RecentStep } from './state.js';

/** How often the very same step, and how often nearly the same one, is a loop when nothing was changed in between. */
export const LOOP = { exact: 4, near: 8 } as const;

/** Takes out what an agent varies when it tries the same thing again: numbers, quotes, blanks, case, line ranges. */
const blurred = (text: string): string =>
  text
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
        : blurred(JSON.stringify(proposal.params).slice(0, 2000));
  return { exact: key53(text), near: key53(`${proposal.kind} ${about}`) };
}

/** Why this step goes round in circles, in words; null when it does not. Looks back to the latest change. */
export function loopOf(
  fingerprint: { readonly exact: string; readonly near: string },
  recent: readonly RecentStep[],
): string | null {
  let exact = 1;
  let near = 1;
  for (let i = recent.length - 1; i >= 0; i--) {
    const step = recent[i];
    if (step === undefined) break;
    if (step.exact === fingerprint.exact) exact += 1;
    else if (step.isProgress) break;
    if (step.near === fingerprint.near) near += 1;
  }
  if (exact >= LOOP.exact) return `proposed ${exact} times without any change in between`;
  return near >= LOOP.near ? `proposed ${near} times with small variations and without any change in between` : null;
}
