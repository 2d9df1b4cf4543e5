import { z } from 'zod';
import type { Clock, Syntax } from '../ports.js';
import { freshTerminal, type Analysis, type Effect, type TerminalState } from '../effects/effect.js';
import type { Facts, Platform } from '../effects/facts.js';
import { isAbsolute, joinPath } from '../effects/paths.js';
import type { Risk } from '../lacuna/kindMetadata.js';
import { parseProposal, type Lacuna, type Proposal } from '../lacuna/lacuna.js';
import type { DecidedBy, Decision } from '../policy/decision.js';
import type { PolicyContext } from '../policy/context.js';
import { stricter, type Layer, type Mode, type Verdict } from '../policy/verdict.js';
import { err, ok, type Result } from '../result.js';
import type { Label } from '../session/label.js';
import type { Baseline } from '../session/baseline.js';
import type { DeclaredLabels } from '../session/labels.js';
import type { RiskThresholds, SessionLimits } from '../session/limits.js';
import { observe } from '../session/content/observe.js';
import { initialState, next, type SessionState } from '../session/state.js';
import { applyStep } from './applyStep.js';
import { decidedEvents } from './decidedEvents.js';
import { judge, type Circumstances, type Judged, type JudgePorts } from './judge.js';
import { OverlayFacts } from './overlay.js';

const stepSchema = z.strictObject({
  kind: z.string(),
  params: z.unknown(),
  actor: z.string().min(1).optional(),
  answer: z.enum(['approve', 'deny']).optional(),
  result: z.strictObject({ content: z.string().optional() }).optional(),
});

const traceSchema = z.strictObject({
  id: z.string(),
  request: z.string().default(''),
  workspace: z.string().min(1),
  cwd: z.string().min(1).optional(),
  home: z.string().min(1).optional(),
  platform: z.enum(['linux', 'darwin', 'win32']).optional(),
  steps: z.array(stepSchema),
});

/** One step of a trace, parsed. */
export interface TraceStep {
  readonly proposal: Proposal;
  readonly actor: string | null;
  /** What the person says when asked. */
  readonly answer: 'approve' | 'deny';
  /** What the step returned; null when the trace does not tell. */
  readonly content: string | null;
}

/** A line that `lacuna check` reads, parsed. Source: product.md §11. */
export interface Trace {
  readonly id: string;
  readonly request: string;
  readonly workspace: string;
  readonly cwd: string | null;
  readonly home: string | null;
  readonly platform: Platform | null;
  readonly steps: readonly TraceStep[];
}

/** What is answered for a line that cannot be read. `id` is null when the line has none. */
export interface TraceError {
  readonly id: string | null;
  readonly error: string;
}

/** What is said of one step. */
export interface StepAnswer {
  readonly verdict: Verdict;
  readonly risk: Risk;
  readonly decidedBy: DecidedBy;
  readonly rules: readonly { readonly id: string; readonly layer: Layer; readonly verdict: Verdict }[];
  readonly effects: readonly Pick<Effect, 'op' | 'resource' | 'certainty' | 'reversible' | 'traits'>[];
  /** Labels that the session carries before the step, and those of its resources. */
  readonly labels: readonly Label[];
  readonly findings: readonly string[];
  readonly mode: Mode;
  readonly reason: string;
  readonly advice: string;
  /** Present when policy repaired the step: what it would fill, and what it changed. */
  readonly repaired?: { readonly params: unknown; readonly explanation: string };
  readonly micros: number;
}

/** What is said of a line. `final` is the strictest verdict; `allow` when there are no steps. */
export interface TraceAnswer {
  readonly id: string;
  readonly final: Verdict;
  readonly steps: readonly StepAnswer[];
}

/** The world that a trace is judged in: made by the caller for its workspace, home and platform. */
export interface TraceWorld {
  readonly facts: Facts;
  readonly identity: (path: string) => string | null;
  readonly policyLabels: (path: string) => DeclaredLabels | null;
  readonly limits?: SessionLimits;
  readonly thresholds?: RiskThresholds;
  /** What is usual in the workspace. */
  readonly baseline?: Baseline | null; // [null]
  readonly mode: Mode;
  /** Requests of the person before that of the trace, oldest first. */
  readonly earlier?: readonly string[]; // [none]
  readonly circumstances: Circumstances;
  readonly decide: (proposal: Proposal, analysis: Analysis, context: PolicyContext) => Decision;
}

/** What judging traces needs from outside. */
export interface TracePorts {
  readonly clock: Clock;
  readonly syntax: Syntax;
  readonly analyse: JudgePorts['analyse'];
  readonly open: (trace: Trace) => TraceWorld;
}

function parsedSteps(steps: readonly z.infer<typeof stepSchema>[]): Result<readonly TraceStep[], string> {
  const parsed: TraceStep[] = [];
  for (const [index, step] of steps.entries()) {
    const proposal = parseProposal(step.kind, step.params);
    if (!proposal.ok) {
      const { error } = proposal;
      const what =
        error.type === 'unknown-kind' ? `unknown kind ${JSON.stringify(error.kind)}` : error.issues.join('; ');
      return err(`steps.${index}: ${what}`);
    }
    parsed.push({
      proposal: proposal.value,
      actor: step.actor ?? null,
      answer: step.answer ?? 'approve',
      content: step.result?.content ?? null,
    });
  }
  return ok(parsed);
}

const idOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' ? value.id : null;

/** Parses one line. Strict: a field that is not known is an error, in the line, in a step and in parameters. */
export function parseTrace(line: string): Result<Trace, TraceError> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return err({ id: null, error: `not JSON: ${error.message}` });
    throw error;
  }
  const parsed = traceSchema.safeParse(value);
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'line'}: ${issue.message}`);
    return err({ id: idOf(value), error: issues.join('; ') });
  }
  const { id, request, workspace, cwd, home, platform } = parsed.data;
  const steps = parsedSteps(parsed.data.steps);
  if (!steps.ok) return err({ id, error: steps.error });
  if (platform !== undefined && !isAbsolute(workspace, platform)) {
    return err({ id, error: `workspace: not an absolute path on ${platform}` });
  }
  return ok({
    id,
    request,
    workspace,
    cwd: cwd ?? null,
    home: home ?? null,
    platform: platform ?? null,
    steps: steps.value,
  });
}

/** Everything that changes from step to step. */
interface Walk {
  readonly state: SessionState;
  readonly terminal: TerminalState;
  readonly nowMs: number;
}

function lacunaOf(trace: Trace, index: number, step: TraceStep, state: SessionState): Lacuna {
  return Object.freeze({
    ...step.proposal,
    id: `${trace.id}/${index}`,
    sessionId: trace.id,
    parentId: null,
    depth: step.actor === null ? 0 : (state.rights.get(step.actor)?.depth ?? 1),
    origin: { agent: 'cli', subagent: step.actor, request: trace.request, requestId: null },
    description: '',
    planStep: null,
  });
}

const unique = <T>(items: readonly T[]): readonly T[] => [...new Set(items)];

function answerOf(judged: Judged, micros: number): StepAnswer {
  const { decision, assessment, analysis } = judged;
  const ordered = [...decision.rules].sort((a, b) => Number(a.lost !== null) - Number(b.lost !== null));
  const seen = new Set<string>();
  const rules = ordered.flatMap(({ id, layer, verdict }) => {
    const key = `${layer} ${id}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ id, layer, verdict }];
  });
  return {
    verdict: decision.verdict,
    risk: decision.risk,
    decidedBy: decision.decidedBy,
    rules,
    effects: analysis.effects.map(({ op, resource, certainty, reversible, traits }) => ({
      op,
      resource,
      certainty,
      reversible,
      traits,
    })),
    labels: unique([...assessment.labels, ...assessment.effectLabels.flat()]),
    findings: unique(assessment.findings.map(({ finding }) => finding)),
    mode: assessment.mode,
    reason: decision.reason,
    advice: decision.advice,
    ...(decision.repair === null
      ? {}
      : { repaired: { params: judged.lacuna.params, explanation: decision.repair.explanation } }),
    micros,
  };
}

/** Whether the step goes on to be filled, and who said so. */
function permission(
  verdict: Verdict,
  answer: TraceStep['answer'],
): { readonly isPermitted: boolean; readonly byPerson: boolean } {
  if (verdict === 'deny') return { isPermitted: false, byPerson: false };
  if (verdict === 'ask') return { isPermitted: answer === 'approve', byPerson: true };
  return { isPermitted: true, byPerson: false };
}

/** What the step returned: as the trace tells, else, for a file that is read, what is in it. */
function contentOf(judged: Judged, step: TraceStep, facts: Facts): string | null {
  if (step.content !== null) return step.content;
  const [effect] = judged.analysis.effects;
  const isRead = judged.lacuna.kind === 'ReadFile' && effect !== undefined && 'path' in effect.resource;
  return isRead ? facts.readText(effect.resource.path) : null;
}

/** A step of a trace as policy and state judged it, and what they judged it on. */
export interface JudgedStep {
  readonly judged: Judged;
  readonly state: SessionState;
  readonly nowMs: number;
}

/**
 * Judges the steps of a trace one after the other: yields each, and goes on with the decision that is sent back, which is the one
 * that came out or what a reviewer made of it. Returns the answer for the whole.
 */
function* judgedSteps(trace: Trace, ports: TracePorts): Generator<JudgedStep, TraceAnswer, Decision> {
  const world = ports.open(trace);
  const overlay = new OverlayFacts(world.facts);
  const root = overlay.roots[0] ?? '/';
  const startMs = ports.clock.nowMs();
  const cwd = trace.cwd === null ? root : joinPath(root, trace.cwd, overlay.platform);
  const requests = [...(world.earlier ?? []), trace.request];
  const requested = requests.reduce(
    (state, text) => next(state, { type: 'request', atMs: startMs, text }),
    initialState(trace.id, overlay.roots, world.mode, startMs),
  );
  let walk: Walk = { state: requested, terminal: freshTerminal(cwd), nowMs: startMs };
  let final: Verdict = 'allow';
  const answers: StepAnswer[] = [];
  for (const [index, step] of trace.steps.entries()) {
    const lacuna = lacunaOf(trace, index, step, walk.state);
    const beforeMicros = ports.clock.nowMicros();
    const nowMs = ports.clock.nowMs();
    const judged = judge(
      lacuna,
      walk.state,
      { facts: overlay, syntax: ports.syntax, terminal: walk.terminal },
      { ...world, facts: overlay, nowMs },
      world.circumstances,
      { analyse: ports.analyse, decide: world.decide },
    );
    const micros = Math.max(0, Math.round(ports.clock.nowMicros() - beforeMicros));
    const decision = yield { judged, state: walk.state, nowMs };
    answers.push(answerOf({ ...judged, decision }, micros));
    final = stricter(final, decision.verdict);
    walk = walked({ ...walk, nowMs }, { ...judged, decision }, step, trace.steps.slice(index + 1), overlay);
  }
  return { id: trace.id, final, steps: answers };
}

/**
 * Judges a trace: each step as if the earlier ones that were not refused had run, in one terminal. Executes nothing. Per step
 * linear in the step; the number of steps before does not matter.
 */
export function judgeTrace(trace: Trace, ports: TracePorts): TraceAnswer {
  const steps = judgedSteps(trace, ports);
  let step = steps.next();
  while (step.done !== true) step = steps.next(step.value.judged.decision);
  return step.value;
}

/** {@link judgeTrace} with a second opinion on each step: what `review` makes of its decision is what counts. */
export async function reviewTrace(
  trace: Trace,
  ports: TracePorts,
  review: (step: JudgedStep) => Promise<Decision>,
): Promise<TraceAnswer> {
  const steps = judgedSteps(trace, ports);
  let step = steps.next();
  while (step.done !== true) step = steps.next(await review(step.value));
  return step.value;
}

/** The name under which the rights of a Delegate are kept: the next sub-agent of the trace that has none yet. */
function nameOfNext(later: readonly TraceStep[], state: SessionState): string | null {
  return later.find(({ actor }) => actor !== null && !state.rights.has(actor))?.actor ?? null;
}

function walked(walk: Walk, judged: Judged, step: TraceStep, later: readonly TraceStep[], overlay: OverlayFacts): Walk {
  const { verdict, decidedBy } = judged.decision;
  const { isPermitted, byPerson } = permission(verdict, step.answer);
  const name = nameOfNext(later, walk.state);
  const lends = judged.assessment.lends;
  const lent = lends === null || name === null ? lends : { ...lends, name };
  const said = { verdict, decidedBy: byPerson ? ('person' as const) : decidedBy };
  const state = decidedEvents(judged, said, isPermitted, lent, walk.nowMs).reduce(next, walk.state);
  if (!isPermitted) return { ...walk, state };
  const text = contentOf(judged, step, overlay);
  const content = text === null ? null : observe(text, judged.assessment.impact.context);
  applyStep(judged.lacuna, judged.analysis, overlay);
  return {
    nowMs: walk.nowMs,
    state: next(state, { type: 'filled', atMs: walk.nowMs, lacunaId: judged.lacuna.id, outcome: 'filled', content }),
    terminal: judged.analysis.terminal,
  };
}
