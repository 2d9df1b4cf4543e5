import { RISKS, type Risk } from '../../lacuna/kindMetadata.js';
import { compares, readComparison, type Comparison } from '../comparison.js';
import type { Finding, PlanFit } from '../context.js';
import { nameMatches, type NamePattern } from '../namePattern.js';
import type { Predicate } from '../subject.js';
import { tri, type Tri } from '../tri.js';
import type { Mode } from '../verdict.js';

/** The mode in force. */
export const matchesMode =
  (modes: readonly Mode[]): Predicate =>
  ({ context }) =>
    tri(modes.includes(context.mode));

/** Cumulative risk of the session. */
export const matchesRisk =
  (comparison: Comparison): Predicate =>
  ({ context }) =>
    tri(compares(comparison, context.risk));

/** Depth of delegation. */
export const matchesDepth =
  (comparison: Comparison): Predicate =>
  ({ context }) =>
    tri(compares(comparison, context.depth));

/** Risk of the action. A plain word means "this or more" to a rule that restricts and "this or less" to one that allows. */
export const matchesActionRisk =
  (texts: readonly string[]): Predicate =>
  ({ actionRisk }, { isRestricting }) => {
    const risk = RISKS.indexOf(actionRisk);
    return tri(
      texts.some((text) => {
        const { operator, word } = readRisk(text);
        const value = RISKS.indexOf(word);
        return compares({ operator: operator ?? (isRestricting ? '>=' : '<='), value }, risk);
      }),
    );
  };

function readRisk(text: string): { operator: Comparison['operator'] | null; word: Risk } {
  const found = /^\s*(<=|>=|<|>|=)?\s*(\w+)\s*$/.exec(text);
  return {
    operator: (found?.[1] as Comparison['operator'] | undefined) ?? null,
    word: RISKS.find((risk) => risk === found?.[2]) ?? 'critical',
  };
}

/** How the Lacuna relates to the plan. */
export const matchesPlan =
  (fits: readonly PlanFit[]): Predicate =>
  ({ context }) =>
    tri(fits.includes(context.plan));

/** The agent's name. */
export const matchesAgent =
  (patterns: readonly NamePattern[]): Predicate =>
  ({ context }) =>
    tri(patterns.some((pattern) => nameMatches(pattern, context.agent, true)));

/** The sub-agent's name; the main agent is none. */
export const matchesSubagent =
  (patterns: readonly NamePattern[]): Predicate =>
  ({ context: { subagent } }) =>
    tri(subagent !== null && patterns.some((pattern) => nameMatches(pattern, subagent, true)));

/** The branch that is checked out. Without git it cannot be told. */
export const matchesBranch =
  (patterns: readonly NamePattern[]): Predicate =>
  ({ context: { branch } }) =>
    branch === null ? 'unknown' : tri(patterns.some((pattern) => nameMatches(pattern, branch, false)));

/** The person's user name. */
export const matchesUser =
  (patterns: readonly NamePattern[]): Predicate =>
  ({ context: { user } }) =>
    user === null ? 'unknown' : tri(patterns.some((pattern) => nameMatches(pattern, user, false)));

/** Whether the tree is a linked worktree. */
export const matchesWorktree =
  (wanted: boolean): Predicate =>
  ({ context: { isLinkedWorktree } }) =>
    isLinkedWorktree === null ? 'unknown' : tri(isLinkedWorktree === wanted);

/** Whether git has nothing to commit. */
export const matchesGitClean =
  (wanted: 'clean' | 'dirty'): Predicate =>
  ({ context: { isGitClean } }) =>
    isGitClean === null ? 'unknown' : tri(isGitClean === (wanted === 'clean'));

/** Whether nobody can be asked. */
export const matchesHeadless =
  (wanted: boolean): Predicate =>
  ({ context }) =>
    tri(context.isHeadless === wanted);

/** Whether the workspace is trusted. */
export const matchesTrusted =
  (wanted: boolean): Predicate =>
  ({ context }) =>
    tri(context.isTrusted === wanted);

/** Whether a sandbox is at hand. */
export const matchesSandbox =
  (wanted: boolean): Predicate =>
  ({ context }) =>
    tri(context.hasSandbox === wanted);

/** What the session has to say about this effect, or about the Lacuna as a whole. */
export const matchesFinding =
  (findings: readonly Finding[]): Predicate =>
  ({ context, index }) =>
    tri(
      context.findings.some(
        ({ finding, effect }) => findings.includes(finding) && (effect === null || effect === index),
      ),
    );

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** A range of local time. Ranges may pass midnight or the end of the week. */
export interface TimeRange {
  /** Weekdays, 0 = Sunday. */
  readonly days: readonly number[];
  /** Minutes since midnight; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** Reads `mon-fri 09:00-17:30`, `sat`, `22:00-06:00`; null when it is none of these. */
export function readTimeRange(text: string): TimeRange | null {
  const found = /^(?:([a-z]{3})(?:-([a-z]{3}))?)?\s*(?:(\d{1,2}):(\d{2})-(\d{1,2}):(\d{2}))?$/i.exec(text.trim());
  if (found === null || text.trim() === '') return null;
  const first = found[1] === undefined ? 0 : WEEKDAYS.indexOf(found[1].toLowerCase());
  const last = found[1] === undefined ? 6 : found[2] === undefined ? first : WEEKDAYS.indexOf(found[2].toLowerCase());
  if (first < 0 || last < 0) return null;
  const days: number[] = [];
  for (let day = first; ; day = (day + 1) % 7) {
    days.push(day);
    if (day === last) break;
  }
  const minutes = (hours: string | undefined, rest: string | undefined): number => Number(hours) * 60 + Number(rest);
  if (found[3] === undefined) return { days, from: 0, to: 24 * 60 };
  return { days, from: minutes(found[3], found[4]), to: minutes(found[5], found[6]) };
}

/** Local time. A range that passes midnight belongs to the day on which it began. */
export const matchesTime =
  (ranges: readonly TimeRange[]): Predicate =>
  ({ context: { time } }): Tri => {
    if (time === null) return 'unknown';
    const { minutes, weekday } = time;
    return tri(
      ranges.some(({ days, from, to }) => {
        if (from <= to) return days.includes(weekday) && minutes >= from && minutes < to;
        const yesterday = (weekday + 6) % 7;
        return (days.includes(weekday) && minutes >= from) || (days.includes(yesterday) && minutes < to);
      }),
    );
  };

/** Reads a comparison that the schema has already checked. */
export const comparisonOf = (text: string | number): Comparison =>
  readComparison(text) ?? { operator: '=', value: Number.NaN };
