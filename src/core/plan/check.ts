import { isAbsolute, isWithin, joinPath } from '../effects/paths.js';
import type { Facts } from '../effects/facts.js';
import { sensitivityOf } from '../effects/sensitivePaths.js';
import { RISKS, type Risk } from '../lacuna/kindMetadata.js';
import { isKind, KINDS, type Kind } from '../lacuna/kinds.js';
import type { Plan, PlanStep } from './plan.js';

/** Something about a plan that the person should see. `refused` ones stop it; `risk` ones are named and go on. */
export interface PlanNote {
  readonly weight: 'refused' | 'risk';
  /** Step it is about; null for the plan as a whole. */
  readonly step: string | null;
  readonly message: string;
}

/** What a plan is checked against. */
export interface PlanScope {
  readonly facts: Facts;
  /** Kinds that policy and task permit. */
  readonly kinds: readonly Kind[];
  /** How many Lacunas there may be; null without a limit. */
  readonly lacunas: number | null;
}

/** What a plan will need, estimated from its steps. */
export interface PlanEstimate {
  /** At least so many Lacunas: one for each kind of each step. */
  readonly lacunas: number;
  readonly kinds: readonly Kind[];
  /** The highest default risk of the kinds it names. */
  readonly risk: Risk;
  /** Steps whose effects a restore cannot bring back. */
  readonly irreversible: readonly string[];
}

const note = (weight: PlanNote['weight'], step: string | null, message: string): PlanNote => ({
  weight,
  step,
  message,
});

/** Whether a resource is written as a path: hosts, packages and programs are not. */
const isPath = (resource: string): boolean =>
  /^(?:[./~\\]|[a-z]:[\\/])/i.test(resource) ||
  (/[\\/]/.test(resource) && !/^[\w+.-]+:\/\//.test(resource) && !/^(?:npm|pypi|cargo):/.test(resource));

function* notesOfResources(step: PlanStep, facts: Facts): Generator<PlanNote> {
  for (const resource of step.resources) {
    if (!isPath(resource)) continue;
    const expanded = resource.replace(/^~(?=$|[\\/])/, facts.home);
    const root = facts.roots[0] ?? '/';
    const path = isAbsolute(expanded, facts.platform)
      ? joinPath('/', expanded, facts.platform)
      : joinPath(root, expanded, facts.platform);
    const fixed = path.slice(0, path.search(/[*?[{]|$/));
    const isInside = [...facts.roots, ...facts.temporary].some((folder) => isWithin(fixed, folder, facts));
    if (!isInside) yield note('risk', step.id, `${resource} lies outside the workspace`);
    const { isSecret, persistence, isGuard } = sensitivityOf(path, facts);
    if (isGuard) yield note('refused', step.id, `${resource} belongs to the guard itself`);
    else if (isSecret) yield note('risk', step.id, `${resource} is a place of secrets`);
    else if (persistence !== null) yield note('risk', step.id, `${resource} makes something run later`);
  }
}

/** Steps that wait for themselves, one way round; empty when there is no cycle. */
function cycleOf(plan: Plan): readonly string[] {
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const done = new Set<string>();
  const visit = (id: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(id)) return [...trail.slice(trail.indexOf(id)), id];
    if (done.has(id)) return [];
    for (const before of steps.get(id)?.after ?? []) {
      const cycle = visit(before, [...trail, id]);
      if (cycle.length > 0) return cycle;
    }
    done.add(id);
    return [];
  };
  for (const { id } of plan.steps) {
    const cycle = visit(id, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

function* notesOfOrder(plan: Plan): Generator<PlanNote> {
  const ids = new Set<string>();
  for (const { id } of plan.steps) {
    if (ids.has(id)) yield note('refused', id, `two steps are called ${id}`);
    ids.add(id);
  }
  for (const { id, after } of plan.steps) {
    for (const before of after)
      if (!ids.has(before)) yield note('refused', id, `it waits for ${before}, which is no step of the plan`);
  }
  const cycle = cycleOf(plan);
  if (cycle.length > 0) yield note('refused', null, `steps wait for each other: ${cycle.join(' → ')}`);
}

function* notesOfKinds(step: PlanStep, scope: PlanScope): Generator<PlanNote> {
  for (const kind of step.kinds) {
    if (!isKind(kind)) yield note('refused', step.id, `${kind} is no kind of Lacuna`);
    else if (!scope.kinds.includes(kind)) yield note('refused', step.id, `${kind} is not permitted here`);
    else if (KINDS[kind].reversibility === 'no') yield note('risk', step.id, `${kind} cannot be undone`);
  }
}

/** What the plan will need, as far as it says. */
export function estimate(plan: Plan): PlanEstimate {
  const kinds = [...new Set(plan.steps.flatMap((step) => step.kinds))].filter((kind) => isKind(kind));
  const risk = kinds.reduce<Risk>((worst, kind) => {
    const own = KINDS[kind].defaultRisk;
    return RISKS.indexOf(own) > RISKS.indexOf(worst) ? own : worst;
  }, 'low');
  const lacunas = plan.steps.reduce((sum, step) => sum + Math.max(1, step.kinds.length), 0);
  const irreversible = plan.steps
    .filter((step) => step.kinds.some((kind) => isKind(kind) && KINDS[kind].reversibility === 'no'))
    .map((step) => step.id);
  return { lacunas, kinds, risk, irreversible };
}

/**
 * Checks a plan as a whole before anything of it is done: kinds, paths, order, and what it will need (product.md §7). The same
 * checks hold again for each changed plan. Linear in the plan, but for the order, which is linear in steps and waits.
 */
export function checkPlan(plan: Plan, scope: PlanScope): readonly PlanNote[] {
  const notes = [
    ...notesOfOrder(plan),
    ...plan.steps.flatMap((step) => [...notesOfKinds(step, scope), ...notesOfResources(step, scope.facts)]),
  ];
  const { lacunas } = estimate(plan);
  if (scope.lacunas !== null && lacunas > scope.lacunas) {
    notes.push(note('refused', null, `it needs at least ${lacunas} Lacunas, and ${scope.lacunas} are allowed`));
  }
  return notes;
}
