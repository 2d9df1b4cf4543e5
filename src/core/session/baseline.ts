import { z } from 'zod';
import { err, ok, type Result } from '../result.js';

/**
 * What is usual in one workspace: how often each word of behaviour (`program:git`, `host:api.example`, `changes:home`) was seen,
 * and how often one kind or program followed another. Learned from past sessions; bounded; plain data.
 */
export interface Baseline {
  readonly v: 1;
  readonly sessions: number;
  readonly steps: number;
  readonly words: Readonly<Record<string, number>>;
  readonly transitions: Readonly<Record<string, number>>;
  /** Steps a session had, as a running mean and mean of squares, for telling a session that runs away. */
  readonly meanSteps: number;
  readonly meanSquares: number;
}

/** How much must be known before anything is called unusual. */
export const ENOUGH = { sessions: 8, steps: 200 } as const;
const MOST_WORDS = 2_000;
const MOST_TRANSITIONS = 2_000;

export const EMPTY_BASELINE: Baseline = {
  v: 1,
  sessions: 0,
  steps: 0,
  words: {},
  transitions: {},
  meanSteps: 0,
  meanSquares: 0,
};

/** Keeps the most frequent; on a tie the first by name, so that the same history gives the same baseline. */
function bounded(counts: ReadonlyMap<string, number>, most: number): Readonly<Record<string, number>> {
  const ordered = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return Object.fromEntries(ordered.slice(0, most));
}

/** What one session did: the behaviour of each permitted step, in order. */
export type History = readonly (readonly string[])[];

/**
 * Takes a past session in. A session counts each word once, however often it did it: one runaway or poisoned session cannot make
 * its behaviour usual. Linear in the session and the bounds.
 */
export function learn(baseline: Baseline, history: History): Baseline {
  const words = new Map(Object.entries(baseline.words));
  const transitions = new Map(Object.entries(baseline.transitions));
  const add = (counts: Map<string, number>, names: ReadonlySet<string>): void => {
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  add(words, new Set(history.flat()));
  const followed = new Set<string>();
  for (let i = 1; i < history.length; i++) followed.add(`${history[i - 1]?.[0] ?? ''} > ${history[i]?.[0] ?? ''}`);
  add(transitions, followed);
  const sessions = baseline.sessions + 1;
  const share = 1 / sessions;
  return {
    v: 1,
    sessions,
    steps: baseline.steps + history.length,
    words: bounded(words, MOST_WORDS),
    transitions: bounded(transitions, MOST_TRANSITIONS),
    meanSteps: baseline.meanSteps * (1 - share) + history.length * share,
    meanSquares: baseline.meanSquares * (1 - share) + history.length ** 2 * share,
  };
}

const count = (counts: Readonly<Record<string, number>>, name: string): number =>
  Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0;

/** Words whose first sight in a well-known workspace is worth a look; reading more of the workspace is not. */
const TELLING = /^(?:host|changes):/;

/**
 * What about a step is unusual here, in words; empty when nothing is, or when too little is known. It can only add a finding:
 * no baseline, however it was made, takes one away.
 */
export function unusual(
  baseline: Baseline | null,
  behaviour: readonly string[],
  stepsSoFar: number,
): readonly string[] {
  if (baseline === null || baseline.sessions < ENOUGH.sessions || baseline.steps < ENOUGH.steps) return [];
  const reasons: string[] = [];
  for (const word of behaviour) {
    if (
      TELLING.test(word) &&
      count(baseline.words, word) === 0 &&
      word !== 'changes:workspace' &&
      word !== 'changes:temp'
    ) {
      reasons.push(`${word.replace(':', ' ')} was never seen in ${baseline.sessions} sessions here`);
    }
  }
  const deviation = Math.sqrt(Math.max(1, baseline.meanSquares - baseline.meanSteps ** 2));
  const most = Math.max(50, baseline.meanSteps + 6 * deviation);
  if (stepsSoFar > most)
    reasons.push(`the session has ${stepsSoFar} steps; usual are ${Math.round(baseline.meanSteps)}`);
  return reasons;
}

const counts = z.record(z.string(), z.number().min(0));
const schema = z.strictObject({
  v: z.literal(1),
  sessions: z.number().min(0),
  steps: z.number().min(0),
  words: counts,
  transitions: counts,
  meanSteps: z.number().min(0),
  meanSquares: z.number().min(0),
});

/** Reads a saved baseline. A broken one is refused; without one nothing is called usual or unusual. */
export function parseBaseline(value: unknown): Result<Baseline, string> {
  const parsed = schema.safeParse(value);
  return parsed.success ? ok(parsed.data) : err(parsed.error.issues.map((issue) => issue.message).join('; '));
}
