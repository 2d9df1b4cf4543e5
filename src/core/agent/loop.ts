import { bug } from '../bug.js';
import type { Cancel } from '../cancel.js';
import type { Progress } from '../gate/executor.js';
import type { Outcome } from '../gate/outcome.js';
import { noOutput } from '../gate/outcome.js';
import { KINDS, type Kind, type ParamsOf } from '../lacuna/kinds.js';
import type { Lacuna } from '../lacuna/lacuna.js';
import type { Plan } from '../plan/plan.js';
import { subagentName } from '../session/delegate.js';
import type { AgentEvent, AgentPorts, Batch, Ending, Handled, Tally, Task } from './agent.js';
import { sentenceOf } from './agent.js';
import { answerFor, malformedAnswer } from './answer.js';
import { ask } from './ask.js';
import type { ToolCall } from './brain.js';
import { Budget } from './budget.js';
import { Conversation, type Kept } from './context.js';
import { Repeats } from './repeats.js';
import { subagentRules } from './rules.js';
import { subjectOf } from './subject.js';
import { agentTools, kindOfTool, PLAN_TOOL, readCall, readPlan, toolName, type ReadCall } from './tools.js';

/** `Omit` that keeps the members of a union apart. */
type Bare<T> = T extends unknown ? Omit<T, 'depth' | 'subagent'> : never;

/** Where a run stands in the tree of runs: the main agent's at the root, sub-agents below it. */
interface Place {
  readonly depth: number;
  readonly parentId: string | null;
  readonly planStep: string | null;
  readonly budget: Budget;
}

/**
 * Runs the loop of one request: the brain states a plan, proposes Lacunas, hears what came of each, and goes on until it
 * answers without a proposal or a limit is reached. It never throws what it expects; the ending says how it went.
 */
export async function runAgent(task: Task, ports: AgentPorts, cancel: Cancel): Promise<Ending> {
  await ports.record({ type: 'request', atMs: ports.clock.nowMs(), text: task.origin.request });
  const budget = Budget.of(task.limits, ports.workingMs());
  return new Run(task, ports, { depth: 0, parentId: null, planStep: null, budget }).toItsEnd(cancel);
}

/** A call that is ready to be proposed. */
interface Ready extends ReadCall {
  readonly call: ToolCall;
}

/** A Lacuna on its way: the group that it goes in, and how often the same was tried before. */
interface Sent {
  readonly lacuna: Lacuna;
  readonly batch: Batch | null;
  readonly attempt: number;
}

/** What a call came to, besides its answer. */
interface Settled {
  readonly kept: Kept;
  /** Set where the run must not go on. */
  readonly end: EndCause | null;
}
type EndCause = Ending extends infer E ? (E extends Ending ? Omit<E, 'tally' | 'text'> : never) : never;

class Run {
  readonly #task: Task;
  readonly #ports: AgentPorts;
  readonly #place: Place;
  readonly #conversation: Conversation;
  readonly #repeats = new Repeats();
  readonly #startedAtMs: number;
  readonly #marker: string;
  #plan: Plan | null = null;
  #text = '';
  #malformedInARow = 0;
  #unplanned = 0;
  #refusedPlans = 0;
  #replans = 0;
  /** Why another plan is needed before anything else is done; null while the one there is holds. */
  #drift: string | null = null;
  #batches = 0;
  #done = 0;
  #refused = 0;
  #failed = 0;

  constructor(task: Task, ports: AgentPorts, place: Place) {
    this.#task = task;
    this.#ports = ports;
    this.#place = place;
    this.#startedAtMs = ports.clock.nowMs();
    this.#marker = `DATA-${ports.ids.next().slice(0, 8)}`;
    const { brain } = ports;
    this.#conversation = new Conversation(brain.maxInputTokens * task.limits.contextShare, (text) =>
      brain.countTokens(text),
    );
    this.#conversation.pin({ role: 'rules', text: task.rules });
  }

  async toItsEnd(cancel: Cancel): Promise<Ending> {
    const { budget } = this.#place;
    const deadline = this.#ports.deadline(cancel, () => budget.remainingMs(this.#ports.workingMs()));
    try {
      await this.#begin();
      for (;;) {
        const end = await this.#turn(deadline.cancel);
        if (end !== null) return this.#ending(this.#isTimeUp(end, cancel) ? { type: 'limit', ...budget.timeUp } : end);
      }
    } finally {
      deadline.close();
    }
  }

  /** Earlier turns and the request: what a person wrote is looked at too before it leaves the machine. */
  async #begin(): Promise<void> {
    for (const message of this.#task.history)
      this.#conversation.pin('text' in message ? { ...message, text: await this.#forBrain(message.text) } : message);
    this.#conversation.pin({ role: 'person', text: await this.#forBrain(this.#task.request) });
  }

  /** A cancel that the person did not ask for was the deadline's. */
  #isTimeUp(end: EndCause, cancel: Cancel): boolean {
    return end.type === 'cancelled' && !cancel.aborted;
  }

  /** One question to the brain and everything it proposes in answer. Null when the run goes on. */
  async #turn(cancel: Cancel): Promise<EndCause | null> {
    const { budget } = this.#place;
    if (cancel.aborted) return { type: 'cancelled' };
    const hit = budget.hit(this.#ports.workingMs());
    if (hit !== null) return { type: 'limit', ...hit };
    budget.useTurn();
    const reply = await this.#ask(cancel);
    if (reply.type === 'failed')
      return reply.why === 'cancelled' || cancel.aborted ? { type: 'cancelled' } : { ...reply, type: 'brain-failed' };
    await this.#countTokens(reply.tokens);
    this.#text = reply.text.trim() === '' ? this.#text : reply.text;
    if (reply.calls.length === 0) return { type: 'answered' };
    const before = this.#plan;
    const performed = await this.#perform(reply.calls, cancel);
    // By a new plan the measure starts anew.
    const settled = this.#plan === before ? this.#withDrift(performed) : performed;
    this.#conversation.turn(
      { role: 'brain', text: reply.text, calls: reply.calls },
      settled.map(({ kept }) => kept),
    );
    if (cancel.aborted) return { type: 'cancelled' };
    return settled.find(({ end }) => end !== null)?.end ?? null;
  }

  /**
   * Looks, by the session's own measure, whether the work has left the plan. Then the brain hears it with the last answer, and has
   * to state another plan first. After a few of those it may go on as it does: each further step off the plan is the gate's to ask
   * about.
   */
  #withDrift(settled: readonly Settled[]): readonly Settled[] {
    const last = settled.at(-1);
    if (this.#plan === null || this.#place.depth > 0 || this.#drift !== null || last === undefined) return settled;
    const why = this.#replans < this.#task.limits.replans ? this.#ports.drift() : null;
    if (why === null) return settled;
    this.#drift = why;
    this.#replans += 1;
    this.#unplanned = 0;
    this.#tell({ type: 'drifted', why });
    const { kept } = last;
    const text = `${kept.text}\n\nTHE PLAN NO LONGER HOLDS: ${why}. Before anything else state with ${PLAN_TOOL} what you will do now, or answer the person if that is all.`;
    return [...settled.slice(0, -1), { ...last, kept: { ...kept, text } }];
  }

  #ask(cancel: Cancel): ReturnType<typeof ask> {
    const { brain } = this.#ports;
    const tools = agentTools(this.#task.kinds, this.#place.depth === 0 ? 'own-plan' : 'plan-of-parent');
    const hearer = {
      text: (text: string) => this.#tell({ type: 'text', text }),
      again: (why: Bare<AgentEvent & { type: 'asking-again' }>['why'], message: string) =>
        this.#tell({ type: 'asking-again', why, message }),
    };
    return ask(
      brain,
      { messages: this.#conversation.messages(), tools, choice: 'free' },
      this.#task.limits.brainRetries,
      hearer,
      cancel,
    );
  }

  /** Takes the calls of one answer in their order; neighbours that change nothing go side by side. */
  async #perform(calls: readonly ToolCall[], cancel: Cancel): Promise<readonly Settled[]> {
    const settled: Settled[] = [];
    const reads: Ready[] = [];
    const flush = async (): Promise<void> => {
      settled.push(...(await this.#sideBySide(reads.splice(0), cancel)));
    };
    for (const call of calls) {
      const ready = this.#isPlan(call) ? null : this.#read(call);
      if (ready !== null && 'kept' in ready) settled.push(ready);
      else if (ready !== null && isRead(ready.proposal.kind)) reads.push(ready);
      else {
        await flush();
        settled.push(ready === null ? await this.#takePlan(call) : await this.#unlessEnded(settled, ready, cancel));
      }
    }
    await flush();
    const order = new Map(calls.map(({ id }, index) => [id, index]));
    return settled.sort((a, b) => (order.get(a.kept.callId) ?? 0) - (order.get(b.kept.callId) ?? 0));
  }

  #isPlan(call: ToolCall): boolean {
    return call.name === PLAN_TOOL && this.#place.depth === 0;
  }

  /** Proposes one call, unless an earlier one of the same answer has ended the run. */
  async #unlessEnded(settled: readonly Settled[], ready: Ready, cancel: Cancel): Promise<Settled> {
    if (settled.some(({ end }) => end !== null))
      return this.#told(ready.call, 'NOT DONE: an earlier step of the same answer ended the run.');
    return this.#propose(ready, null, cancel);
  }

  /** Runs reads in groups of at most `sideBySide`. */
  async #sideBySide(reads: readonly Ready[], cancel: Cancel): Promise<readonly Settled[]> {
    const settled: Settled[] = [];
    const width = Math.max(1, this.#task.limits.sideBySide);
    const batch = reads.length > 1 ? { number: (this.#batches += 1), size: reads.length } : null;
    for (let at = 0; at < reads.length; at += width)
      settled.push(...(await this.#proposeTogether(reads.slice(at, at + width), batch, cancel)));
    return settled;
  }

  /** Takes reads through the gate as one group. */
  async #proposeTogether(reads: readonly Ready[], batch: Batch | null, cancel: Cancel): Promise<readonly Settled[]> {
    const opened = reads.map((ready) => ({ ready, lacuna: this.#open(ready, batch, cancel) }));
    const lacunas = opened.flatMap(({ lacuna }) => ('kept' in lacuna ? [] : [lacuna]));
    const handled = await this.#ports.door.together(lacunas, cancel, (lacuna) => this.#progressOf(lacuna));
    const answers = new Map(lacunas.map(({ id }, index) => [id, handled[index]]));
    return Promise.all(
      opened.map(async ({ ready, lacuna }) => {
        if ('kept' in lacuna) return lacuna;
        const answer = answers.get(lacuna.id) ?? bug('a read without an answer');
        return this.#take(ready, { lacuna, batch, attempt: 0 }, answer, cancel);
      }),
    );
  }

  /** Reads a call as a proposal; one that is none is settled at once. */
  #read(call: ToolCall): Ready | Settled {
    const kind = kindOfTool(call.name);
    if (kind === null || !this.#task.kinds.includes(kind)) return this.#unknown(call);
    if (!call.input.ok) return this.#malformed(call, ['the arguments are no JSON object'], kind);
    const read = readCall(kind, call.input.value);
    if (!read.ok) return this.#malformed(call, read.error.issues, kind);
    const placed = this.#ports.place(read.value.proposal);
    if (!placed.ok) return this.#malformed(call, [placed.error], kind);
    this.#malformedInARow = 0;
    if (this.#place.depth === 0 && (this.#plan === null || this.#drift !== null)) return this.#withoutPlan(call);
    return { ...read.value, proposal: placed.value, call };
  }

  #unknown(call: ToolCall): Settled {
    const names = this.#task.kinds.map(toolName).join(', ');
    return this.#malformed(
      call,
      [`${call.name}: there is no such function, or it is not lent to you. There are: ${names}`],
      null,
    );
  }

  #malformed(call: ToolCall, issues: readonly string[], kind: Kind | null): Settled {
    this.#malformedInARow += 1;
    this.#tell({ type: 'malformed', name: call.name, issues });
    const isLast = this.#malformedInARow >= this.#task.limits.malformedInARow;
    const hint =
      this.#malformedInARow > 1
        ? 'This is not the first time. Do something else, or answer the person in text.'
        : kind === null
          ? 'Use one of these, or answer the person in text.'
          : 'Correct it and propose it once more.';
    const end: EndCause = { type: 'stuck', why: 'malformed', about: `${call.name}: ${issues.join('; ')}` };
    return { ...this.#told(call, malformedAnswer(issues, hint)), end: isLast ? end : null };
  }

  #withoutPlan(call: ToolCall): Settled {
    this.#unplanned += 1;
    const end: EndCause = { type: 'stuck', why: 'no-plan', about: '' };
    const state = `State it with ${PLAN_TOOL}, then propose this again.`;
    const told = this.#told(
      call,
      this.#drift === null
        ? `NOT DONE: there is no plan yet. ${state} You can change the plan later.`
        : `NOT DONE: ${this.#drift}, so another plan is needed first. ${state}`,
    );
    return { ...told, end: this.#unplanned > this.#task.limits.malformedInARow * 2 ? end : null };
  }

  async #takePlan(call: ToolCall): Promise<Settled> {
    if (!call.input.ok) return this.#malformed(call, ['the arguments are no JSON object'], null);
    const read = readPlan(call.input.value);
    if (!read.ok) return this.#malformed(call, read.error.issues, null);
    this.#malformedInARow = 0;
    const notes = this.#ports.checkPlan(read.value, this.#task);
    this.#tell({ type: 'plan', plan: read.value, notes, isFirst: this.#plan === null });
    const said = notes.map(({ step, message }) => `\n- ${step === null ? '' : `step ${step}: `}${message}`).join('');
    if (notes.some(({ weight }) => weight === 'refused')) {
      this.#refusedPlans += 1;
      const end: EndCause = { type: 'stuck', why: 'plan-refused', about: said };
      const told = this.#told(call, `PLAN REFUSED:${said}\nState a plan without this.`);
      return { ...told, end: this.#refusedPlans >= this.#task.limits.malformedInARow ? end : null };
    }
    this.#plan = read.value;
    this.#drift = null;
    this.#conversation.setPlan(JSON.stringify(read.value));
    await this.#ports.record({ type: 'plan', atMs: this.#ports.clock.nowMs(), plan: read.value });
    return this.#told(call, notes.length === 0 ? 'PLAN TAKEN.' : `PLAN TAKEN. Mind these risks:${said}`);
  }

  /** Takes one proposal through the gate. */
  async #propose(ready: Ready, batch: Batch | null, cancel: Cancel, attempt = 0): Promise<Settled> {
    const lacuna = this.#open(ready, batch, cancel);
    if ('kept' in lacuna) return lacuna;
    return this.#take(ready, { lacuna, batch, attempt }, await this.#throughTheGate(lacuna, cancel), cancel);
  }

  /** Makes a Lacuna of a proposal and tells of it, unless it is one too many: then it is settled at once. */
  #open(ready: Ready, batch: Batch | null, cancel: Cancel): Lacuna | Settled {
    const { call, proposal } = ready;
    const repeats = this.#repeats.times(proposal);
    if (repeats >= this.#task.limits.repeats) {
      this.#repeats.skip(proposal);
      const about = `${proposal.kind}: ${subjectOf(proposal)}`;
      const told = this.#told(
        call,
        `NOT DONE: you asked for exactly this ${repeats} times, nothing has changed since, and the answer stays the same. Do something else, or answer the person.`,
      );
      return {
        ...told,
        end: repeats >= this.#task.limits.repeats + 2 ? { type: 'stuck', why: 'repeats', about } : null,
      };
    }
    if (cancel.aborted) return this.#told(call, 'CANCELLED.');
    if (!this.#place.budget.hasLacuna())
      return this.#told(call, 'NOT DONE: the limit on the number of proposals is reached.');
    this.#place.budget.useLacuna();
    const lacuna = this.#lacuna(ready);
    this.#tell({ type: 'proposed', lacuna, batch });
    return lacuna;
  }

  /** Takes in what came of a Lacuna, and tries it once more where policy says so. */
  async #take(ready: Ready, { lacuna, batch, attempt }: Sent, handled: Handled, cancel: Cancel): Promise<Settled> {
    this.#tell({ type: 'settled', proposed: lacuna, batch, handled });
    if (this.#mayRetry(handled, attempt, cancel)) return this.#propose(ready, batch, cancel, attempt + 1);
    return this.#settle(ready, handled);
  }

  /** Policy says how often a failed filling may be tried again; each try is a Lacuna of its own and is judged anew. */
  #mayRetry({ decision, outcome }: Handled, attempt: number, cancel: Cancel): boolean {
    const hasFailed = (outcome.type === 'failed' && outcome.damage.length === 0) || outcome.type === 'timed-out';
    return hasFailed && attempt < decision.obligations.retries && !cancel.aborted && this.#place.budget.hasLacuna();
  }

  #lacuna({ proposal, why, step }: ReadCall): Lacuna {
    const { sessionId, origin } = this.#task;
    const isStep = this.#plan?.steps.some(({ id }) => id === step) ?? false;
    return Object.freeze({
      ...proposal,
      id: this.#ports.ids.next(),
      sessionId,
      parentId: this.#place.parentId,
      depth: this.#place.depth,
      origin,
      description: why,
      planStep: isStep ? step : this.#place.planStep,
    });
  }

  async #throughTheGate(lacuna: Lacuna, cancel: Cancel): Promise<Handled> {
    const pass = (): Promise<Handled> => this.#ports.door.handle(lacuna, cancel, this.#progressOf(lacuna));
    if (lacuna.kind !== 'Delegate') return pass();
    return this.#ports.subagents.during(lacuna.id, (...lent) => this.#delegate(...lent), pass);
  }

  #progressOf(lacuna: Lacuna): Progress {
    return { output: (text) => this.#tell({ type: 'output', lacuna, text }) };
  }

  async #settle({ call, proposal }: Ready, handled: Handled): Promise<Settled> {
    const { outcome } = handled;
    if (outcome.type === 'filled' || outcome.type === 'partly') this.#done += 1;
    else if (outcome.type === 'refused') this.#refused += 1;
    else this.#failed += 1;
    const characters = Math.min(this.#task.limits.resultCharacters, this.#ports.brain.maxInputTokens);
    const text = answerFor(proposal, handled, { marker: this.#marker, characters });
    if (!isRead(proposal.kind) && outcome.type !== 'refused') this.#repeats.forgetOthers(proposal);
    this.#repeats.note(proposal, text);
    const summary = `${proposal.kind} ${subjectOf(proposal)}: ${text.slice(0, 160).split('\n')[0] ?? ''}`;
    const isGrave = outcome.type === 'failed' && outcome.damage.length > 0;
    const end: EndCause | null = isGrave ? { type: 'grave', message: outcome.message } : null;
    return { kept: { callId: call.id, text: await this.#forBrain(text), summary }, end };
  }

  /** Runs a sub-agent with what is lent to it. Its last words are the output: data for the parent, not instructions. */
  async #delegate(lacuna: Lacuna<'Delegate'>, params: ParamsOf['Delegate'], cancel: Cancel): Promise<Outcome> {
    const depth = this.#place.depth + 1;
    if (depth > this.#task.limits.depth)
      return { type: 'unavailable', message: `Sub-agents may be ${this.#task.limits.depth} deep, not deeper.` };
    this.#tell({ type: 'delegated', lacuna });
    const task: Task = {
      ...this.#task,
      // The name by which the session knows what was lent to it.
      origin: { ...this.#task.origin, subagent: subagentName(this.#task.origin.subagent, lacuna.id) },
      rules: subagentRules(params, depth),
      history: [],
      request: params.goal,
      kinds: this.#task.kinds.filter((kind) => params.kinds.includes(kind)),
    };
    const budget = this.#place.budget.share(params.budget, this.#ports.workingMs());
    const place: Place = { depth, parentId: lacuna.id, planStep: lacuna.planStep, budget };
    const ending = await new Run(task, this.#ports, place).toItsEnd(cancel);
    return outcomeOfSubagent(ending);
  }

  #told(call: ToolCall, text: string): Settled {
    return { kept: { callId: call.id, text, summary: `${call.name}: ${text.split('\n')[0] ?? ''}` }, end: null };
  }

  async #countTokens(count: number): Promise<void> {
    this.#place.budget.useTokens(count);
    const { subagent } = this.#task.origin;
    await this.#ports.record({ type: 'tokens', atMs: this.#ports.clock.nowMs(), subagent, count });
  }

  async #forBrain(text: string): Promise<string> {
    return this.#ports.brain.isRemote ? this.#ports.screen(text) : text;
  }

  #tell(event: Bare<AgentEvent>): void {
    this.#ports.listen({ ...event, depth: this.#place.depth, subagent: this.#task.origin.subagent });
  }

  #ending(end: EndCause): Ending {
    const used = this.#place.budget.used;
    const tally: Tally = {
      proposed: used.lacunas,
      done: this.#done,
      refused: this.#refused,
      failed: this.#failed,
      turns: used.turns,
      tokens: used.tokens,
      durationMs: this.#ports.clock.nowMs() - this.#startedAtMs,
    };
    return { ...end, tally, text: this.#text };
  }
}

/** Whether a kind only looks. Such proposals may go side by side. */
const isRead = (kind: Kind): boolean => KINDS[kind].sideEffects === 'none' && kind !== 'Delegate';

/** What a parent hears of its sub-agent. A sub-agent that ended badly has failed, and says why. */
function outcomeOfSubagent(ending: Ending): Outcome {
  const { durationMs } = ending.tally;
  const output = { ...noOutput, text: ending.text, isUntrusted: true };
  if (ending.type === 'answered') return { type: 'filled', output, changed: [], durationMs, status: null };
  const message = sentenceOf(ending);
  if (ending.type === 'cancelled') return { type: 'cancelled', message, durationMs };
  if (ending.type === 'limit' && ending.limit === 'time') return { type: 'timed-out', message, output, durationMs };
  return { type: 'failed', message, output, causedBySandbox: null, damage: [], durationMs };
}
