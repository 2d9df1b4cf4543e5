import type { Analysis } from '../effects/effect.js';
import type { Facts } from '../effects/facts.js';
import { shownPath } from '../effects/paths.js';
import type { Kind, ParamsOf } from '../lacuna/kinds.js';
import type { Lacuna, Proposal } from '../lacuna/lacuna.js';
import { globTest } from './globs.js';

/** What a sub-agent may do and use up. Null: all that its parent may. Source: product.md §2, Delegate. */
export interface Rights {
  /** Name of the sub-agent, as its Lacunas carry it in `origin.subagent`. */
  readonly name: string;
  /** Name of the parent; null for the main agent. */
  readonly parent: string | null;
  readonly depth: number;
  readonly kinds: readonly Kind[] | null;
  /** Each list of path globs must have one that matches: the sub-agent's own, and those of all above it. */
  readonly paths: readonly (readonly string[])[];
  readonly lacunas: number | null;
  readonly seconds: number | null;
  readonly tokens: number | null;
  readonly fromMs: number;
}

/** The name that a sub-agent of a Delegate goes by, unless the agent's own host names it. */
export const subagentName = (parent: string | null, lacunaId: string): string =>
  `${parent ?? 'agent'}/${lacunaId.slice(0, 6)}`;

const least = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.min(a, b));

/** What is left of a budget: what a parent lends comes out of its own part. */
export interface Remaining {
  readonly lacunas: number | null;
  readonly seconds: number | null;
  readonly tokens: number | null;
}

/** What is left to an agent of its own part; all null for one that has no part of its own. */
export function remainingOf(
  rights: Rights | undefined,
  used: { readonly lacunas: number; readonly tokens: number },
  nowMs: number,
): Remaining {
  const left = (limit: number | null | undefined, have: number): number | null =>
    limit === null || limit === undefined ? null : Math.max(0, limit - have);
  return {
    lacunas: left(rights?.lacunas, used.lacunas),
    seconds: left(rights?.seconds, (nowMs - (rights?.fromMs ?? nowMs)) / 1000),
    tokens: left(rights?.tokens, used.tokens),
  };
}

/** Rights that a permitted Delegate lends: the parent's, narrowed by what it asks for. Never more than the parent has. */
export function lend(
  lacuna: Lacuna,
  params: ParamsOf['Delegate'],
  parent: Rights | null,
  remaining: Remaining,
  nowMs: number,
): Rights {
  const own = lacuna.origin.subagent;
  return {
    name: subagentName(own, lacuna.id),
    parent: own,
    depth: lacuna.depth + 1,
    kinds: parent?.kinds == null ? params.kinds : params.kinds.filter((kind) => parent.kinds?.includes(kind)),
    paths: [...(parent?.paths ?? []), ...(params.paths === undefined ? [] : [params.paths])],
    lacunas: least(params.budget.lacunas ?? null, remaining.lacunas),
    seconds: least(params.budget.seconds ?? null, remaining.seconds),
    tokens: least(params.budget.tokens ?? null, remaining.tokens),
    fromMs: nowMs,
  };
}

/** Why a Lacuna goes beyond what its sub-agent was lent, in words; null when it does not. */
export function beyondRights(rights: Rights, proposal: Proposal, analysis: Analysis, facts: Facts): string | null {
  if (rights.kinds !== null && !rights.kinds.includes(proposal.kind)) {
    return `${rights.name} was lent ${rights.kinds.join(', ') || 'nothing'}, not ${proposal.kind}`;
  }
  for (const globs of rights.paths) {
    const matches = globTest(globs);
    for (const effect of analysis.effects) {
      if (effect.resource.type !== 'path' || effect.op === 'execute') continue;
      const shown = shownPath(effect.resource.path, facts);
      if (!matches(shown) && !matches(effect.resource.path)) return `${rights.name} was not lent ${shown}`;
    }
    if (analysis.effects.some((effect) => effect.op === 'unknown')) {
      return `${rights.name} was lent some paths only, and what this touches is not known`;
    }
  }
  return null;
}
