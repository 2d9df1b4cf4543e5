import type { Analysis, Effect } from '../effects/effect.js';
import { shownPath } from '../effects/paths.js';
import type { Facts } from '../effects/facts.js';
import type { Proposal } from '../lacuna/lacuna.js';
import type { PlanFit } from '../policy/context.js';
import { globTest } from '../session/globs.js';
import type { Plan, PlanStep } from './plan.js';

/** How a Lacuna relates to the plan, and which step announced it. */
export interface Fit {
  readonly fit: PlanFit;
  readonly step: string | null;
}

/** Kinds that look without changing: exploring before or beside the plan. */
const LOOKING: ReadonlySet<string> = new Set(['ListFiles', 'ReadFile', 'SearchFiles']);

const isLooking = (proposal: Proposal, analysis: Analysis): boolean =>
  LOOKING.has(proposal.kind) ||
  (proposal.kind === 'ExecuteShell' &&
    analysis.effects.every(
      (effect) => ['list', 'read', 'execute'].includes(effect.op) && !effect.traits.includes('secret'),
    ));

/** The names by which a plan may announce what an effect touches. */
function namesOf(effect: Effect, facts: Facts): readonly string[] {
  const { resource } = effect;
  switch (resource.type) {
    case 'path':
    case 'agent-config':
      return [shownPath(resource.path, facts), resource.path];
    case 'url':
      return [resource.host, resource.url];
    case 'package':
      return [resource.name, `${resource.ecosystem}:${resource.name}`];
    case 'process':
      return [resource.process];
    case 'table':
      return [resource.table, resource.database];
    case 'ref':
      return [resource.ref, `${resource.remote ?? ''}/${resource.ref}`];
    case 'tool':
      return [resource.tool, `${resource.server ?? ''}.${resource.tool}`];
    case 'remote':
      return [resource.name, resource.service];
    case 'environment':
      return [resource.name];
    case 'unknown':
      return [];
  }
}

/** Whether a step announces this: its kind, and one of its resources if it names any. What only reads need not be announced. */
function announces(step: PlanStep, proposal: Proposal, analysis: Analysis, facts: Facts): boolean {
  if (step.kinds.length > 0 && !step.kinds.includes(proposal.kind)) return false;
  if (step.resources.length === 0) return step.kinds.length > 0;
  const matches = globTest(step.resources);
  const names = analysis.effects
    .filter((effect) => !['list', 'read'].includes(effect.op))
    .map((e) => namesOf(e, facts));
  const programs = analysis.commands.map((command) => command.program);
  const counted = names.length > 0 ? names : analysis.effects.map((effect) => namesOf(effect, facts));
  return programs.some(matches) || counted.some((list) => list.some(matches));
}

/**
 * Compares a Lacuna with the plan: `planned` when a step announces its kind and something it touches, `exploratory` when it only
 * looks, `off-plan` otherwise. `claimed` is the step that the agent itself names; it counts only when that step announces it.
 */
export function fitOf(
  plan: Plan | null,
  claimed: string | null,
  proposal: Proposal,
  analysis: Analysis,
  facts: Facts,
): Fit {
  if (plan === null) return { fit: 'none', step: null };
  const ordered = [...plan.steps].sort((a, b) => Number(b.id === claimed) - Number(a.id === claimed));
  const step = ordered.find((candidate) => announces(candidate, proposal, analysis, facts));
  if (step !== undefined) return { fit: 'planned', step: step.id };
  return { fit: isLooking(proposal, analysis) ? 'exploratory' : 'off-plan', step: null };
}
