/** Cumulative risk halves in this time. By time, not by steps: a step put in between must not make a later one look safer. */
const RISK_HALF_LIFE_MS = 30 * 60_000;

/** What of a session's state tells its risk: how high it was, and when. */
interface Risky {
  readonly risk: { readonly value: number; readonly atMs: number };
}

/** Cumulative risk at a time, decay counted. Apart from the fold, which an editor's start does not need. */
export const riskAt = ({ risk }: Risky, atMs: number): number =>
  risk.value * 0.5 ** (Math.max(0, atMs - risk.atMs) / RISK_HALF_LIFE_MS);
