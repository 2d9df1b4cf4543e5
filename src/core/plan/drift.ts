/** How many of the latest steps are looked at. */
const WINDOW = 8;
/** So many of them off the plan are drift, when they are more than half. */
const LEAST = 4;

/**
 * Whether execution has drifted from the plan: a sentence, or null. `fits`: the latest steps first, `o` for one that is off the
 * plan; a new plan begins anew.
 */
export function driftIn(fits: string): string | null {
  const latest = fits.slice(0, WINDOW);
  const offPlan = latest.replace(/[^o]/g, '').length;
  return offPlan >= LEAST && offPlan * 2 > latest.length
    ? `${offPlan} of the latest ${latest.length} steps are off the plan`
    : null;
}

/** Whether one more step off the plan would be drift, so that it is time for another plan. A sentence, or null. */
export function driftOf({ recentFits }: { readonly recentFits: string }): string | null {
  if (!recentFits.startsWith('o') || driftIn(`o${recentFits}`) === null) return null;
  const latest = recentFits.slice(0, WINDOW);
  return `${latest.replace(/[^o]/g, '').length} of the latest ${latest.length} steps are off the plan`;
}
