import type { Analysis } from '../effects/effect.js';
import type { Proposal } from '../lacuna/lacuna.js';
import type { CompiledPolicy } from './compile.js';
import type { PolicyContext } from './context.js';
import { decide } from './decide.js';
import type { Decision } from './decision.js';
import { linksOf } from './policyLinks.js';

/** Decisions kept for each policy; the one longest unused goes first. */
const MOST_KEPT = 64;
/** Effects of an action that is kept: finding it again must cost little. */
const MOST_EFFECTS = 64;
/** Characters of an action that is kept. What is longer is mostly content, which seldom comes twice. */
const MOST_TEXT = 8_192;

/** Parts of the state that change from step to step and that few rules look at: only where one did must they be as they were. */
type Watched = Pick<PolicyContext, 'risk' | 'time' | 'branch' | 'isLinkedWorktree' | 'isGitClean'>;

/** A decision and what the rules saw of the watched parts, as JSON. */
interface Kept {
  readonly decision: Decision;
  readonly seen: ReadonlyMap<keyof Watched, string>;
}

const keptOf = new WeakMap<CompiledPolicy, Map<string, Kept>>();

/**
 * The same as {@link decide}, but what was decided before on the same action in the same state is not worked out again. Everything
 * that a decision hangs on is in the key or compared, so that nothing old answers something new: the action with its effects, the
 * state and the links as text, of time, risk and git what the rules asked for. Repairs are not kept, since they hold the proposal.
 */
export function decideOnce(
  policy: CompiledPolicy,
  proposal: Proposal,
  analysis: Analysis,
  context: PolicyContext,
): Decision {
  const key = keyOf(policy, proposal, analysis, context);
  if (key === null) return decide(policy, proposal, analysis, context);
  const kept = keptOf.get(policy) ?? new Map<string, Kept>();
  keptOf.set(policy, kept);
  const known = kept.get(key);
  if (known !== undefined && [...known.seen].every(([name, value]) => JSON.stringify(context[name]) === value)) {
    kept.delete(key);
    kept.set(key, known);
    return known.decision;
  }
  const seen = new Map<keyof Watched, string>();
  const decision = decide(policy, proposal, analysis, watching(context, seen));
  if (decision.repair !== null) return decision;
  kept.delete(key);
  kept.set(key, { decision, seen });
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return decision;
}

/** The text of all that a decision hangs on but for the watched parts; null for an action too long to keep. */
function keyOf(policy: CompiledPolicy, proposal: Proposal, analysis: Analysis, context: PolicyContext): string | null {
  if (analysis.effects.length > MOST_EFFECTS || textLeft(proposal.params, MOST_TEXT) < 0) return null;
  const action = [proposal.kind, proposal.params, analysis.effects, analysis.commands];
  const key = JSON.stringify([action, steady(context), linksOf(policy, context.anchors)]);
  return key.length > 4 * MOST_TEXT ? null : key;
}

/** What is left of `most` characters after the texts in a value; negative when they are more. Stops where nothing is left. */
function textLeft(value: unknown, most: number): number {
  if (typeof value === 'string') return most - value.length;
  if (typeof value !== 'object' || value === null) return most;
  let left = most;
  for (const [name, inner] of Object.entries(value)) {
    left = textLeft(inner, left - name.length);
    if (left < 0) break;
  }
  return left;
}

/** All but the watched parts, in one order. Names each, since copying the whole would look at git. */
function steady(context: PolicyContext): Omit<PolicyContext, keyof Watched> {
  const { anchors, platform, mode, plan, agent, subagent, depth, user } = context;
  const { isHeadless, isTrusted, hasSandbox, labels, effectLabels, findings } = context;
  return {
    ...{ anchors, platform, mode, plan, agent, subagent, depth, user },
    ...{ isHeadless, isTrusted, hasSandbox, labels, effectLabels, findings },
  };
}

/** The same context, noting which of the watched parts were looked at and what was there. */
function watching(context: PolicyContext, seen: Map<keyof Watched, string>): PolicyContext {
  const look = <Name extends keyof Watched>(name: Name): Watched[Name] => {
    const value = context[name];
    seen.set(name, JSON.stringify(value));
    return value;
  };
  return {
    ...steady(context),
    get risk() {
      return look('risk');
    },
    get time() {
      return look('time');
    },
    get branch() {
      return look('branch');
    },
    get isLinkedWorktree() {
      return look('isLinkedWorktree');
    },
    get isGitClean() {
      return look('isGitClean');
    },
  };
}
