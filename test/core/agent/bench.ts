import type { AgentEvent, AgentPorts, Ending, Handled, Task } from '../../../src/core/agent/agent.js';
import type { PlanNote } from '../../../src/core/plan/check.js';
import type { Brain, BrainPart, BrainRequest, ToolCall } from '../../../src/core/agent/brain.js';
import { DEFAULT_LIMITS, type AgentLimits } from '../../../src/core/agent/limits.js';
import { runAgent } from '../../../src/core/agent/loop.js';
import { Subagents } from '../../../src/core/agent/subagents.js';
import { PLAN_TOOL, toolName } from '../../../src/core/agent/tools.js';
import type { Cancel } from '../../../src/core/cancel.js';
import { noOutput, type Outcome } from '../../../src/core/gate/outcome.js';
import { KIND_NAMES, type Kind } from '../../../src/core/lacuna/kinds.js';
import type { Lacuna } from '../../../src/core/lacuna/lacuna.js';
import type { Decision } from '../../../src/core/policy/decision.js';
import type { SessionEvent } from '../../../src/core/session/event.js';
import { ok } from '../../../src/core/result.js';

/** One answer of the scripted brain: text, calls, or a failure. A function looks at the request first. */
export type Turn = readonly BrainPart[] | ((request: BrainRequest) => readonly BrainPart[]);

let calls = 0;
export const call = (name: string, input: Record<string, unknown>): BrainPart => {
  const made: ToolCall = { id: `c${(calls += 1)}`, name, input: { ok: true, value: input } };
  return { type: 'call', call: made };
};
export const propose = (kind: Kind, params: Record<string, unknown>): BrainPart => call(toolName(kind), params);
export const say = (text: string): BrainPart => ({ type: 'text', text });
export const plan = (...steps: string[]): BrainPart =>
  call(PLAN_TOOL, { goal: 'the goal', steps: steps.map((task, index) => ({ id: `s${index + 1}`, task })) });
export const failed = (why: Extract<BrainPart, { type: 'failed' }>['why']): BrainPart => ({
  type: 'failed',
  why,
  message: `failed: ${why}`,
});

export const filled = (text = '', more: Partial<Extract<Outcome, { type: 'filled' }>> = {}): Outcome => ({
  type: 'filled',
  output: { ...noOutput, text, isUntrusted: true },
  changed: [],
  durationMs: 1,
  status: null,
  ...more,
});

/** A plain yes of a rule. */
export const ALLOWED: Decision = {
  verdict: 'allow',
  policyVerdict: 'allow',
  decidedBy: 'rule',
  risk: 'low',
  mode: 'balanced',
  rules: [],
  reason: 'A rule allows it.',
  advice: '',
  isClearable: false,
  confinement: null,
  repair: null,
  obligations: {
    checkpoint: false,
    credentials: [],
    maskColumns: [],
    retries: 0,
    limits: { timeoutSeconds: null, outputKiB: null, rows: null },
  },
};

/** What the world answers; a function may look at the Lacuna, wait, or run the sub-agent. */
export type World = (lacuna: Lacuna, cancel: Cancel, bench: Bench) => Outcome | Promise<Outcome>;

/** A loop on a bench: a scripted brain, a world of its own, and everything that was seen and said. */
export class Bench {
  readonly requests: BrainRequest[] = [];
  readonly events: AgentEvent[] = [];
  readonly records: SessionEvent[] = [];
  readonly lacunas: Lacuna[] = [];
  readonly subagents = new Subagents();
  readonly controller = new AbortController();
  nowMs = 1_000;
  /** How long a person was asked. */
  askedMs = 0;
  notes: readonly PlanNote[] = [];
  /** The session's measure of drift; absent: the work keeps to its plan. */
  drift: ((bench: Bench) => string | null) | null = null;
  decision: Decision = ALLOWED;
  deadlines: { ms: number; abort: () => void }[] = [];
  #turn = 0;
  #id = 0;

  constructor(
    private readonly turns: readonly Turn[],
    private readonly world: World = () => filled(),
    private readonly options: {
      readonly limits?: Partial<AgentLimits>;
      readonly maxInputTokens?: number;
      readonly kinds?: readonly Kind[];
      readonly isRemote?: boolean;
    } = {},
  ) {}

  run(): Promise<Ending> {
    const task: Task = {
      sessionId: 'session',
      origin: { agent: 'lacuna', subagent: null, request: 'do it', requestId: 'r1' },
      rules: 'the rules',
      history: [],
      request: 'do it',
      kinds: this.options.kinds ?? KIND_NAMES,
      limits: { ...DEFAULT_LIMITS, ...this.options.limits },
    };
    return runAgent(task, this.#ports(), this.controller.signal);
  }

  /** Text of all answers that the brain was given in its last request. */
  answers(request = this.requests.at(-1)): readonly string[] {
    return (request?.messages ?? []).flatMap((m) => (m.role === 'answers' ? m.answers.map(({ text }) => text) : []));
  }

  of<T extends AgentEvent['type']>(type: T): readonly (AgentEvent & { type: T })[] {
    return this.events.filter((event): event is AgentEvent & { type: T } => event.type === type);
  }

  #ports(): AgentPorts {
    return {
      brain: this.#brain(),
      door: {
        handle: async (lacuna, cancel): Promise<Handled> => this.#handle(lacuna, cancel),
        together: (lacunas, cancel) => Promise.all(lacunas.map(async (lacuna) => this.#handle(lacuna, cancel))),
      },
      clock: { nowMs: () => this.nowMs },
      workingMs: () => this.nowMs - this.askedMs,
      ids: { next: () => `id${String((this.#id += 1)).padStart(8, '0')}` },
      subagents: this.subagents,
      place: ok,
      checkPlan: () => this.notes,
      deadline: (outer, remainingMs) => {
        const inner = new AbortController();
        const abort = (): void => inner.abort();
        if (outer.aborted) abort();
        outer.addEventListener('abort', abort);
        this.deadlines.push({ ms: remainingMs(), abort });
        return { cancel: inner.signal, close: () => outer.removeEventListener('abort', abort) };
      },
      drift: () => this.drift?.(this) ?? null,
      record: async (event) => void this.records.push(event),
      screen: async (text) => text.replaceAll('hunter2', '***'),
      listen: (event) => void this.events.push(event),
    };
  }

  async #handle(lacuna: Lacuna, cancel: Cancel): Promise<Handled> {
    this.lacunas.push(lacuna);
    return { lacuna, decision: this.decision, outcome: await this.world(lacuna, cancel, this) };
  }

  #brain(): Brain {
    const next = (request: BrainRequest): readonly BrainPart[] => {
      this.requests.push(request);
      const turn = this.turns[Math.min(this.#turn, this.turns.length - 1)] ?? [];
      this.#turn += 1;
      return typeof turn === 'function' ? turn(request) : turn;
    };
    return {
      name: 'Scripted',
      isRemote: this.options.isRemote ?? false,
      maxInputTokens: this.options.maxInputTokens ?? 100_000,
      countTokens: (text) => Math.ceil(text.length / 4),
      respond: async function* (request) {
        yield* next(request);
      },
    };
  }
}
