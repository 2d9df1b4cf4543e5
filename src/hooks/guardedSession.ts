import type { Cancel } from '../core/cancel.js';
import type { Considered, Gate } from '../core/gate/gate.js';
import type { Ledger } from '../core/gate/ledger.js';
import type { Lacuna } from '../core/lacuna/lacuna.js';
import type { Outcome } from '../core/gate/outcome.js';
import { maskSecrets } from '../core/effects/secrets.js';
import type { Platform } from '../core/effects/facts.js';
import { strictness } from '../core/policy/verdict.js';
import type { Clock } from '../core/ports.js';
import { anchored } from './anchor.js';
import type { HookAgent, HookAnswer, HookEvent, ToolCall } from './hookEvent.js';
import { NEEDS_PERSON } from './replies.js';

/** Longest output that is looked at after a call, in UTF-16 units: what comes after is cut off. */
const MAX_OUTPUT = 256 * 1024;

const silent: HookAnswer = { verdict: 'none', reason: '', updatedInput: null };

/** Calls that were let through and not yet reported back, oldest first; more are forgotten. */
const MAX_UNDER_WAY = 200;

/** Knows calls of tools that are guarded by themselves, as Lacuna's own in the editor are. */
export interface GuardedTools {
  /** Whether the tool is one of them. */
  readonly isGuarded: (tool: string) => boolean;
  /** Says in which session such a call is about to be made, so that its own gate works in that one. */
  readonly announce: (call: ToolCall, sessionId: string) => void;
}

/** Where nothing is guarded by itself. */
export const NO_GUARDED_TOOLS: GuardedTools = { isGuarded: () => false, announce: () => undefined };

type ToolEvent = Extract<HookEvent, { type: 'before-tool' | 'after-tool' }>;
/** Lets the call go on: permitted, or left to the host's own dialog. */
type Open = Exclude<Considered, { outcome: object }>;

/**
 * One session of another agent behind our gate. The agent's host does the filling: before each call the gate is asked, after it
 * the result is taken in. A result that belongs to no permitted call raises an alarm: something ran without a verdict.
 */
export class GuardedSession {
  readonly #agent: HookAgent;
  readonly #gate: Gate;
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  /** Key of a call → the Lacunas that were permitted for it. */
  readonly #underWay = new Map<string, readonly Open[]>();
  readonly #platform: Platform;
  readonly #guarded: GuardedTools;
  readonly #approved: (call: ToolCall) => void;
  /** Key of a call → the answer it got, for a host that asks about one call twice: by two files of hooks, say. */
  readonly #answers = new Map<string, Promise<HookAnswer>>();
  #request = '';

  constructor(
    agent: HookAgent,
    session: { readonly gate: Gate; readonly ledger: Ledger },
    {
      clock,
      platform,
      guarded,
      approved,
    }: {
      readonly clock: Clock;
      readonly platform: Platform;
      readonly guarded: GuardedTools;
      readonly approved: (call: ToolCall) => void;
    },
  ) {
    this.#approved = approved;
    this.#guarded = guarded;
    this.#agent = agent;
    this.#gate = session.gate;
    this.#ledger = session.ledger;
    this.#clock = clock;
    this.#platform = platform;
    this.#request = session.ledger.state.requests.at(-1) ?? '';
  }

  /** Answers one event. Never throws for what the agent sent; a fault of our own is for the caller's form of "no". */
  async answer(event: HookEvent, cancel: Cancel): Promise<HookAnswer> {
    switch (event.type) {
      case 'before-tool':
        return await this.#beforeOnce(event, cancel);
      case 'after-tool':
        await this.#after(event);
        return silent;
      case 'prompt':
        this.#request = event.text;
        await this.#ledger.event({ type: 'request', atMs: this.#clock.nowMs(), text: maskSecrets(event.text) });
        return silent;
      case 'session-end':
        await this.#ledger.event({ type: 'ended', atMs: this.#clock.nowMs() });
        return silent;
      case 'session-start':
      case 'subagent-start':
      case 'subagent-stop':
      case 'other':
        return silent;
    }
  }

  /** A call has one verdict, however often the host asks. */
  #beforeOnce(event: Extract<HookEvent, { type: 'before-tool' }>, cancel: Cancel): Promise<HookAnswer> {
    if (this.#guarded.isGuarded(event.call.tool)) {
      this.#guarded.announce(event.call, this.#ledger.sessionId);
      return Promise.resolve(silent);
    }
    if (event.callId === null) return this.#before(event, cancel);
    const key = `${keyOf(event)}\0${JSON.stringify([event.call.tool, event.call.input])}`;
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = this.#before(event, cancel);
    keep(this.#answers, key, answer);
    answer.catch(() => this.#answers.delete(key));
    return answer;
  }

  async #before(event: Extract<HookEvent, { type: 'before-tool' }>, cancel: Cancel): Promise<HookAnswer> {
    const judged: Judged[] = [];
    for (const proposal of event.call.proposals) {
      const lacuna = this.#gate.open({
        proposal: anchored(proposal, event.cwd, this.#platform),
        origin: { agent: this.#agent, subagent: event.subagent, request: this.#request, requestId: event.callId },
        parentId: null,
        depth: event.subagent === null ? 0 : 1,
        description: '',
        planStep: null,
      });
      judged.push({ proposed: lacuna, considered: await this.#gate.consider(lacuna, cancel) });
    }
    const considered = judged.map((one) => one.considered);
    const refused = considered.find((one) => isRefused(one));
    if (refused !== undefined) {
      await this.#takeBack(considered, 'Another part of the same call was refused.');
      return { verdict: 'deny', reason: reasonFor(refused), updatedInput: null };
    }
    const permitted = considered.filter((one): one is Open => !isRefused(one));
    const answer = permissionFor(event.call, judged);
    if (answer.verdict === 'deny') await this.#takeBack(considered, 'It may be done in another form only.');
    else keep(this.#underWay, keyOf(asItRuns(event, answer)), permitted);
    if (answer.verdict === 'allow' && judged.every(isByPerson)) this.#approved(event.call);
    return answer;
  }

  /** Parts of a call that was refused as a whole: nothing of them is done. */
  async #takeBack(considered: readonly Considered[], message: string): Promise<void> {
    for (const one of considered) {
      if (isRefused(one)) continue;
      one.permit?.revoke();
      await this.#gate.settle(one.lacuna, {
        type: 'cancelled',
        message,
        durationMs: 0,
      });
    }
  }

  async #after(event: Extract<HookEvent, { type: 'after-tool' }>): Promise<void> {
    if (this.#guarded.isGuarded(event.call.tool)) return;
    const key = keyOf(event);
    const known = this.#underWay.get(key);
    const permitted = known ?? this.#earlier(event);
    this.#underWay.delete(key);
    if (permitted.length === 0) {
      await this.#ledger.write({
        type: 'alarm',
        what: 'a call without a verdict',
        details: `${this.#agent} reports a result of ${event.call.tool}, which did not come through the gate`,
      });
      return;
    }
    // VS Code drops a changed input that it finds unfit, and goes on with the first one; in its report stands what it ran.
    if (this.#agent === 'vscode' && known?.some(({ lacuna }) => ranUnchanged(event, lacuna)) === true)
      await this.#ledger.write({
        type: 'alarm',
        what: 'a command that was to be changed ran as it was',
        details: `${this.#agent} ran a command in its first form, which the guard had changed`,
      });
    const outcome = outcomeOf(event);
    for (const { lacuna, permit } of permitted) {
      permit?.revoke();
      await this.#gate.settle(lacuna, outcome);
    }
  }

  /** The Lacunas of a call that was let through before this session was opened again: by another process, or another window. */
  #earlier(event: Extract<HookEvent, { type: 'after-tool' }>): readonly Pick<Open, 'lacuna' | 'permit'>[] {
    const proposed = event.call.proposals.map((proposal) => {
      const { kind, params } = anchored(proposal, event.cwd, this.#platform);
      return JSON.stringify([kind, params]);
    });
    return this.#ledger.entries
      .filter(({ lacuna, decision, outcome }) => {
        if (outcome !== null || decision === null || decision.verdict === 'deny') return false;
        if (lacuna.origin.subagent !== event.subagent) return false;
        const { kind, params } = decision.repair?.after ?? lacuna; // what the host was handed
        return event.callId === null
          ? proposed.includes(JSON.stringify([kind, params]))
          : lacuna.origin.requestId === event.callId;
      })
      .map(({ lacuna }) => ({ lacuna, permit: null }));
  }
}

/** What an agent wanted, and what came of it at the gate: another Lacuna where policy repaired it or a person changed it. */
interface Judged {
  readonly proposed: Lacuna;
  readonly considered: Considered;
}

/**
 * The answer to a call of which nothing was refused. What policy or a person has changed may be done in its changed form only: the
 * host is handed that form where it can be said in the tool's own parameters, else the agent is told to propose it so.
 */
function permissionFor(call: ToolCall, judged: readonly Judged[]): HookAnswer {
  const considered = judged.map((one) => one.considered);
  const strictest = [...considered].sort(
    (a, b) => strictness(b.decision.policyVerdict) - strictness(a.decision.policyVerdict),
  )[0];
  if (strictest === undefined) return silent;
  const verdict = considered.some(({ permit }) => permit === null) ? 'ask' : 'allow';
  const changed = judged.filter(isChanged);
  const [only] = changed;
  if (only === undefined)
    return considered.every(isOfTheHost) ? silent : { verdict, reason: reasonFor(strictest), updatedInput: null };
  const reason = [reasonFor(strictest), ...changed.map(changeWords)].join(' ');
  const updatedInput = judged.length === 1 ? changedInput(call, only) : null;
  return updatedInput === null
    ? { verdict: 'deny', reason: `${reason} Propose it in that form.`, updatedInput }
    : { verdict, reason, updatedInput };
}

/**
 * Whether policy has no objection to a tool of the host itself. "Allow" would skip what the host may ask by itself: a plan that is
 * to be accepted, a question to the person.
 */
const isOfTheHost = ({ lacuna, decision, permit }: Considered): boolean =>
  permit !== null && lacuna.kind === 'CallTool' && lacuna.params.server === undefined && decision.decidedBy === 'rule';

/** Whether a person has allowed just what was proposed. */
const isByPerson = (one: Judged): boolean =>
  one.considered.permit !== null && one.considered.decision.decidedBy === 'person' && !isChanged(one);

const isChanged = ({ proposed, considered: { lacuna } }: Judged): boolean =>
  JSON.stringify([proposed.kind, proposed.params]) !== JSON.stringify([lacuna.kind, lacuna.params]);

/** The parameters of the tool with the change in them; null where more than a command is changed: tools name the rest in many ways. */
function changedInput({ input }: ToolCall, { proposed, considered: { lacuna } }: Judged): HookAnswer['updatedInput'] {
  if (proposed.kind !== 'ExecuteShell' || lacuna.kind !== 'ExecuteShell') return null;
  const { command } = lacuna.params;
  const isOnlyThat = JSON.stringify({ ...proposed.params, command }) === JSON.stringify({ ...lacuna.params, command });
  return isOnlyThat && typeof input['command'] === 'string' ? { ...input, command } : null;
}

/** For the person and the agent: nothing is rewritten silently. */
function changeWords({ proposed, considered: { lacuna, decision } }: Judged): string {
  const said = (one: Lacuna): string =>
    one.kind === 'ExecuteShell' &&
    JSON.stringify({ ...one.params, command: '' }) === JSON.stringify({ ...proposed.params, command: '' })
      ? one.params.command
      : JSON.stringify(one.params);
  const who = decision.repair === null ? 'A person changed it' : `Policy changed it (${decision.repair.explanation})`;
  return `${who}. Before: ${said(proposed)} After: ${said(lacuna)}`;
}

/** Whether the host reports that a command which was changed ran as the agent had written it. */
const ranUnchanged = ({ call }: ToolEvent, lacuna: Lacuna): boolean =>
  lacuna.kind === 'ExecuteShell' &&
  call.proposals.some(({ kind, params }) => kind === 'ExecuteShell' && params.command !== lacuna.params.command);

/** Puts an entry into a map that forgets its oldest. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  const oldest = map.keys().next().value;
  if (map.size > MAX_UNDER_WAY && oldest !== undefined) map.delete(oldest);
}

const isRefused = (one: Considered): one is Extract<Considered, { outcome: object }> =>
  'outcome' in one && one.outcome !== null;

function reasonFor(considered: Considered): string {
  const { reason, advice } = considered.decision;
  const isUnasked =
    isRefused(considered) && considered.outcome.type === 'refused' && considered.outcome.by === 'no-person';
  return [reason, advice, isUnasked ? NEEDS_PERSON : ''].filter((part) => part !== '').join(' ');
}

/** What ties a result to its call: the agent's own identifier, else the tool with its parameters. */
const keyOf = (event: ToolEvent): string =>
  `${event.subagent ?? ''}\0${event.callId ?? JSON.stringify([event.call.tool, event.call.input])}`;

/** A call with the input that its host was handed: a host without identifiers of calls names it so when it reports back. */
const asItRuns = <E extends ToolEvent>(event: E, { updatedInput }: HookAnswer): E =>
  updatedInput === null ? event : { ...event, call: { ...event.call, input: updatedInput } };

function outcomeOf(event: Extract<HookEvent, { type: 'after-tool' }>): Outcome {
  const output = {
    text: event.output.slice(0, MAX_OUTPUT),
    droppedBytes: Math.max(0, event.output.length - MAX_OUTPUT),
    maskedSecrets: 0,
    isUntrusted: false,
  };
  return event.hasFailed
    ? {
        type: 'failed',
        message: 'The agent reports a failure.',
        output,
        causedBySandbox: null,
        damage: [],
        durationMs: 0,
      }
    : { type: 'filled', output, changed: [], durationMs: 0, status: null };
}
