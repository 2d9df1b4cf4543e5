import { describeProposal } from '../audit/describe.js';
import { bug } from '../bug.js';
import type { Cancel } from '../cancel.js';
import { saveTerminal } from '../effects/savedTerminal.js';
import type { Analysis, Effect, Trait } from '../effects/effect.js';
import type { Facts } from '../effects/facts.js';
import { KINDS, type Kind } from '../lacuna/kinds.js';
import { parseProposal, type Lacuna, type Proposal } from '../lacuna/lacuna.js';
import type { Confinement, Decision } from '../policy/decision.js';
import { reasonOnceAnswered } from '../policy/reason.js';
import { stricter } from '../policy/verdict.js';
import type { Approval, Approver, Bindings, Checkpoints, Clock, Ids, Reviewer, ReviewInput } from '../ports.js';
import { applyReview } from '../review/applyReview.js';
import type { Review } from '../review/review.js';
import { observe } from '../session/content/observe.js';
import type { SessionEvent } from '../session/event.js';
import { ORDINARY, type Labels } from '../session/labels.js';
import type { Executors, Progress } from './executor.js';
import { Group } from './group.js';
import type { Ledger } from './ledger.js';
import type { Outcome, Refusal } from './outcome.js';
import { mint, type Binding, type Permit } from './permit.js';
import { Slots } from './slots.js';
import { standingKey } from './standing.js';
import { offerWider } from './offerWider.js';
import { describeWider, Opened } from './wider.js';

/** What policy and state say of one Lacuna, before reviewer and person. */
export interface Judged {
  /** The Lacuna that was judged: repaired, when policy repaired it. */
  readonly lacuna: Lacuna;
  readonly analysis: Analysis;
  readonly decision: Decision;
  /** What led here, for people: request, plan step, what was read, labels gained, risk. */
  readonly chain: readonly string[];
  /** What the reviewer sees of it. */
  readonly reviewed: ReviewInput;
  /** Isolation a command could run in when its ask is cleared or approved with isolation; null without a sandbox. */
  readonly sandbox: Confinement | null;
  /** Labels of what the agent sees once it is filled, before the content is looked at. */
  readonly context: Labels;
  /** What the decision means for later steps. */
  readonly events: (decision: Decision, isPermitted: boolean, atMs: number) => readonly SessionEvent[];
}

/** Everything the gate needs. Ports only: the gate has no world of its own. */
export interface GatePorts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly look: () => Facts;
  /** Analyses, assesses and decides, with the policy and the state of this moment. */
  readonly judge: (lacuna: Lacuna) => Promise<Judged>;
  readonly bindings: Bindings;
  readonly reviewer: Reviewer;
  readonly approver: Approver;
  readonly checkpoints: Checkpoints;
  readonly executors: Executors;
  /** Whether a command leaves the agent's terminal where it went, for the next one. */
  readonly movesTerminal: boolean;
  /** Writes the rule that a person said "always" to, as YAML; rejects when it cannot be read or written. */
  readonly addRule: (rule: string) => Promise<void>;
  /** The exact rule that "always" would write; null when always is not offered. */
  readonly proposeRule: (lacuna: Lacuna, analysis: Analysis, decision: Decision) => string | null;
}

/** What an agent hands in: the proposal and where it stands. */
export interface Proposed {
  readonly proposal: Proposal;
  readonly origin: Lacuna['origin'];
  readonly parentId: string | null;
  readonly depth: number;
  readonly description: string;
  readonly planStep: string | null;
}

/** The answer to a Lacuna: a permit to fill it, or an outcome that says why there is none. */
export type Considered<K extends Kind = Kind> =
  | { readonly lacuna: Lacuna; readonly decision: Decision; readonly permit: Permit<K> }
  | { readonly lacuna: Lacuna; readonly decision: Decision; readonly permit: null; readonly outcome: Outcome }
  /** The question was left to the agent's own host, which asks and fills: there is nothing for us to permit. */
  | { readonly lacuna: Lacuna; readonly decision: Decision; readonly permit: null; readonly outcome: null };

/** What came of a Lacuna. `lacuna` differs from the one handed in where policy repaired it or the person changed it. */
export interface Passed {
  readonly lacuna: Lacuna;
  readonly decision: Decision;
  readonly outcome: Outcome;
}

/** How long a permit holds. Long enough for a person to go through a diff, which is shown after it is spent. */
const PERMIT_MS = 60_000;
/** How often a wish is judged again because its subjects have changed before it could be filled. */
const MAX_RENEWALS = 3;
/** How many fillings of a session go on at once: those that only look, and those that act. A slow one of these does not hold up those. */
const MOST_READS = 8;
const MOST_ACTS = 8;
/** Kinds that may lie before a person while they are filled. */
const WAITING_FOR_REVIEW: ReadonlySet<Kind> = new Set<Kind>(['WriteFile', 'EditFile', 'DeleteFile', 'MoveFile']);

/**
 * The one gate. Everything that an agent wants done comes through {@link handle}, or, where the agent's own host does the
 * filling, through {@link consider} and {@link settle}. INVARIANT: nothing else mints permits.
 */
export class Gate {
  readonly #ports: GatePorts;
  readonly #standing = new Set<string>();
  /** Walls that people opened. */
  readonly #opened = new Opened();
  /** Groups whose members are being judged, by member. */
  readonly #groups = new Map<string, Group>();
  readonly #readSlots = new Slots(MOST_READS);
  readonly #actSlots = new Slots(MOST_ACTS);
  /** Labels of what each Lacuna under way will return, by its id. */
  readonly #contexts = new Map<string, Labels>();

  constructor(ports: GatePorts) {
    this.#ports = ports;
  }

  /** Gives a proposal its identity. It is not judged yet. */
  open(proposed: Proposed): Lacuna {
    const { proposal, ...rest } = proposed;
    return Object.freeze({ ...proposal, ...rest, id: this.#ports.ids.next(), sessionId: this.#ports.ledger.sessionId });
  }

  /** Considers and, when it may be, fills. Never throws: a fault of our own is "no verdict", and nothing is filled. */
  async handle(proposed: Proposed, cancel: Cancel, progress: Progress): Promise<Outcome> {
    return (await this.pass(this.open(proposed), cancel, progress)).outcome;
  }

  /**
   * {@link pass} for reads that were proposed together: one group in the audit, with one decision, and one question where any of them
   * is asked about.
   * Answers are in the order of the Lacunas.
   */
  async passTogether(
    lacunas: readonly Lacuna[],
    cancel: Cancel,
    progressOf: (lacuna: Lacuna) => Progress,
  ): Promise<readonly Passed[]> {
    const ids = lacunas.map(({ id }) => id);
    if (ids.length > 1) {
      const { approver, ledger } = this.#ports;
      const groupId = this.#ports.ids.next();
      const group = new Group(ids, {
        groupId,
        approver,
        describe: ({ lacuna, decision }) => `${describeProposal(lacuna)}: ${decision.reason.split('\n')[0] ?? ''}`,
        write: (body) => ledger.write(body),
      });
      await ledger.write({ type: 'group', groupId, lacunas });
      for (const id of ids) this.#groups.set(id, group);
    }
    try {
      return await Promise.all(lacunas.map((lacuna) => this.pass(lacuna, cancel, progressOf(lacuna))));
    } finally {
      for (const id of ids) this.#groups.delete(id);
    }
  }

  /** {@link handle} for a Lacuna that was opened before; says also what was decided, and on what it was decided in the end. */
  async pass(lacuna: Lacuna, cancel: Cancel, progress: Progress): Promise<Passed> {
    return this.#pass(lacuna, MAX_RENEWALS, cancel, progress);
  }

  async #pass(lacuna: Lacuna, renewals: number, cancel: Cancel, progress: Progress): Promise<Passed> {
    const considered = await this.consider(lacuna, cancel);
    this.#groups.get(lacuna.id)?.judged(lacuna.id);
    if (considered.permit === null) {
      this.#opened.settle(lacuna.id);
      return { ...considered, outcome: considered.outcome ?? leftToNobody(considered.decision) };
    }
    const filled = await this.#fill(considered.lacuna, considered.permit, cancel, progress);
    const offer = await offerWider(considered.lacuna, considered.decision, filled, this.#opened, this.#ports, cancel);
    const { outcome, again: wider } = offer;
    await this.settle(considered.lacuna, outcome);
    if (wider !== null) return this.#pass(wider, renewals, cancel, progress);
    const isOutdated = outcome.type === 'void' && (outcome.why === 'changed' || outcome.why === 'expired');
    if (!isOutdated || renewals === 0) return { lacuna: considered.lacuna, decision: considered.decision, outcome };
    // The world has changed between decision and act, or the act had to wait too long for its turn: the same wish is a new Lacuna, judged from the start in the new world.
    const again = Object.freeze({ ...lacuna, id: this.#ports.ids.next(), parentId: lacuna.id });
    return this.#pass(again, renewals - 1, cancel, progress);
  }

  /** Decides on a Lacuna and mints its permit when the answer lets it be filled. */
  async consider(lacuna: Lacuna, cancel: Cancel): Promise<Considered> {
    const { ledger, clock } = this.#ports;
    const start = clock.nowMicros();
    try {
      // Those of a group stand in the group's own line.
      if (!this.#groups.has(lacuna.id)) await ledger.write({ type: 'proposed', lacuna });
      const judged = await this.#ports.judge(lacuna);
      this.#contexts.set(lacuna.id, judged.context);
      await this.#recordAnalysis(lacuna, judged.analysis);
      // Before anyone is asked: what changes while they think voids the permit. A deny is the last word, and needs none.
      const isDenied = judged.decision.verdict === 'deny';
      const binding = isDenied ? null : await this.#ports.bindings.bind(judged.lacuna, judged.analysis);
      const review = await this.#review(judged, cancel);
      const reviewed = applyReview(judged.decision, review, {
        kind: lacuna.kind,
        sandbox: judged.sandbox,
        isHeadless: false,
      });
      const answer = await this.#answer({ ...judged, decision: reviewed }, review, cancel);
      if ('changed' in answer) {
        this.#groups.get(lacuna.id)?.judged(lacuna.id);
        return await this.consider(answer.changed, cancel);
      }
      const { refusal } = answer;
      const decision = this.#opened.apply(answer.decision, lacuna.id);
      const micros = Math.round(clock.nowMicros() - start);
      await this.#recordDecision(lacuna.id, decision, micros, judged.events(decision, refusal === null, clock.nowMs()));
      if (refusal !== null) return await this.#refuse(judged.lacuna, decision, refusal);
      if (decision.verdict === 'ask') return { lacuna: judged.lacuna, decision, permit: null, outcome: null };
      await this.#checkpoint(judged, decision);
      const permit = this.#mint(judged.lacuna, decision, binding ?? bug('A denied Lacuna is never filled.'));
      return { lacuna: judged.lacuna, decision, permit };
    } catch (error) {
      return await this.#noVerdict(lacuna, error);
    }
  }

  /** Takes in what came of a Lacuna, whoever filled it, and hands the outcome on. */
  async settle(lacuna: Lacuna, outcome: Outcome): Promise<Outcome> {
    const { ledger, clock } = this.#ports;
    const context = this.#contexts.get(lacuna.id) ?? ORDINARY;
    this.#contexts.delete(lacuna.id);
    const text = outputOf(outcome);
    await ledger.write({ type: 'outcome', lacunaId: lacuna.id, outcome });
    await ledger.event({
      type: 'filled',
      atMs: clock.nowMs(),
      lacunaId: lacuna.id,
      outcome: outcome.type,
      content: text === '' ? null : observe(text, context),
    });
    return outcome;
  }

  /** Forgets what people allowed "for this session". */
  forgetStanding(): void {
    this.#standing.clear();
    this.#opened.forget();
  }

  async #recordAnalysis(lacuna: Lacuna, analysis: Analysis): Promise<void> {
    const isMoved = lacuna.kind === 'ExecuteShell' && this.#ports.movesTerminal;
    const terminal = isMoved ? saveTerminal(analysis.terminal) : null;
    const { effects, commands, flows } = analysis;
    const analysed = { type: 'analysed', lacunaId: lacuna.id, effects, commands, flows, terminal } as const;
    const group = this.#groups.get(lacuna.id);
    if (group === undefined) await this.#ports.ledger.write(analysed);
    else group.hold(analysed);
  }

  /** Writes down what was found out of one of a group where it can no longer wait for its decision. */
  async #releaseAnalysis(lacunaId: string): Promise<void> {
    const analysed = this.#groups.get(lacunaId)?.release(lacunaId) ?? null;
    if (analysed !== null) await this.#ports.ledger.write(analysed);
  }

  async #recordDecision(
    lacunaId: string,
    decision: Decision,
    micros: number,
    events: readonly SessionEvent[],
  ): Promise<void> {
    const group = this.#groups.get(lacunaId);
    if (group !== undefined) return await group.decide({ lacunaId, decision, micros, events });
    await this.#ports.ledger.write({ type: 'decided', lacunaId, decision, micros });
    for (const event of events) await this.#ports.ledger.event(event);
  }

  async #review(judged: Judged, cancel: Cancel): Promise<Review> {
    const { lacuna, decision, reviewed } = judged;
    if (decision.verdict === 'deny') return { type: 'skipped', why: 'A deny is not reviewed.' };
    this.#ports.ledger.progress(lacuna.id, 'reviewing');
    const review = await this.#ports.reviewer.review(reviewed, cancel);
    if (review.type !== 'skipped') await this.#ports.ledger.write({ type: 'reviewed', lacunaId: lacuna.id, review });
    return review;
  }

  /** The last word: the decision as it is, or, for an ask, what a person says. */
  async #answer(judged: Judged, review: Review, cancel: Cancel): Promise<Answer> {
    const { decision } = judged;
    if (decision.verdict === 'deny') return { decision, refusal: refusalBy(decision) };
    if (decision.verdict !== 'ask') return { decision, refusal: null };
    const opened = this.#opened.of(judged.lacuna.id);
    if (opened !== null) {
      const what = opened.map(describeWider).join(', ');
      const isolated = this.#opened.apply(decision, judged.lacuna.id);
      return { decision: approved(isolated, `A person let it ${what}, and run again.`), refusal: null };
    }
    const key = standingKey(judged.lacuna, judged.analysis);
    if (key !== null && this.#standing.has(key))
      return { decision: approved(decision, 'Allowed earlier for this session.'), refusal: null };
    const approval = await this.#ask(judged, review, cancel);
    switch (approval.type) {
      case 'no':
        return {
          decision: {
            ...decision,
            verdict: 'deny',
            decidedBy: 'person',
            reason: approval.reason || reasonOnceAnswered(decision.reason),
          },
          refusal: 'person',
        };
      case 'nobody':
        return { decision: { ...decision, verdict: 'deny' }, refusal: 'no-person' };
      case 'left-to-host':
        return { decision: { ...decision, decidedBy: 'person' }, refusal: null };
      case 'changed':
        return this.#changed(judged.lacuna, approval.params, decision);
      case 'once':
      case 'session':
      case 'always':
        return await this.#accept(judged, approval, key);
    }
  }

  async #ask(judged: Judged, review: Review, cancel: Cancel): Promise<Approval> {
    const { lacuna, analysis, decision, chain } = judged;
    const { ledger, proposeRule } = this.#ports;
    const approver = this.#groups.get(lacuna.id) ?? this.#ports.approver;
    await this.#releaseAnalysis(lacuna.id);
    ledger.progress(lacuna.id, 'asking');
    await ledger.write({ type: 'asked', lacunaId: lacuna.id, question: decision.reason });
    const alwaysRule = proposeRule(lacuna, analysis, decision);
    return await approver.ask({ lacuna, analysis, decision, review, chain, alwaysRule }, cancel);
  }

  /** A yes holds for what was shown. While the person thought, the session may have gone on: policy has to say again. */
  async #accept(judged: Judged, approval: Approved, key: string | null): Promise<Answer> {
    const { decision } = await this.#ports.judge(judged.lacuna);
    if (decision.verdict === 'deny') return { decision, refusal: refusalBy(decision) };
    if (approval.type === 'session' && key !== null) this.#standing.add(key);
    if (approval.type === 'always') await this.#ports.addRule(approval.rule);
    return { decision: approved(judged.decision, reasonOnceAnswered(judged.decision.reason)), refusal: null };
  }

  /** The person changed the proposal: it starts again, as a child of the one that was asked about. */
  #changed(lacuna: Lacuna, params: unknown, decision: Decision): Answer {
    const parsed = parseProposal(lacuna.kind, params);
    if (parsed.ok)
      return {
        changed: Object.freeze({ ...lacuna, ...parsed.value, id: this.#ports.ids.next(), parentId: lacuna.id }),
      };
    const reason = parsed.error.type === 'invalid-params' ? parsed.error.issues.join('; ') : parsed.error.kind;
    return {
      decision: { ...decision, verdict: 'deny', decidedBy: 'person', reason: `The change cannot be read: ${reason}` },
      refusal: 'person',
    };
  }

  async #checkpoint(judged: Judged, decision: Decision): Promise<void> {
    const changesFiles = judged.analysis.effects.some(mayChangeFiles);
    if (!changesFiles && !decision.obligations.checkpoint) return;
    const why = `before ${describeProposal(judged.lacuna)}`;
    const checkpointId = await this.#ports.checkpoints.take(why, judged.lacuna.id);
    if (checkpointId !== null)
      await this.#ports.ledger.write({ type: 'checkpoint', lacunaId: judged.lacuna.id, checkpointId, why });
  }

  #mint(lacuna: Lacuna, decision: Decision, binding: Binding): Permit<Kind> {
    return mint(lacuna, decision, binding, this.#ports.clock.nowMs() + PERMIT_MS, this.#ports.bindings);
  }

  async #fill(lacuna: Lacuna, permit: Permit<Kind>, cancel: Cancel, progress: Progress): Promise<Outcome> {
    if (cancel.aborted) {
      permit.revoke();
      return { type: 'cancelled', message: 'Cancelled before anything was done.', durationMs: 0 };
    }
    this.#ports.ledger.progress(lacuna.id, 'filling');
    const start = this.#ports.clock.nowMs();
    try {
      const fill = (): Promise<Outcome> => this.#executor(lacuna.kind).fill(permit, cancel, progress);
      return await (this.#slotsFor(lacuna.kind)?.run(fill) ?? fill());
    } catch (error) {
      const durationMs = this.#ports.clock.nowMs() - start;
      const message = `The executor broke: ${messageOf(error)}. Look at what it may have done before going on.`;
      await this.#ports.ledger.write({ type: 'failure', lacunaId: lacuna.id, what: message });
      return {
        type: 'failed',
        message,
        output: { text: '', droppedBytes: 0, maskedSecrets: 0, isUntrusted: false },
        causedBySandbox: null,
        damage: ['unknown'],
        durationMs,
      };
    }
  }

  /** Room for a kind; null for those that wait for a person or for others: they would keep the room from those they wait for. */
  #slotsFor(kind: Kind): Slots | null {
    if (kind === 'Delegate') return null;
    if (KINDS[kind].sideEffects === 'none') return this.#readSlots;
    return WAITING_FOR_REVIEW.has(kind) ? null : this.#actSlots;
  }

  /** The executor of a kind. The permit is of the same kind, since both come from one Lacuna. */
  #executor(kind: Kind): { fill(permit: Permit<Kind>, cancel: Cancel, progress: Progress): Promise<Outcome> } {
    return this.#ports.executors[kind];
  }

  async #refuse(lacuna: Lacuna, decision: Decision, by: Refusal): Promise<Considered> {
    const outcome: Outcome = { type: 'refused', by, message: decision.reason, advice: decision.advice };
    await this.settle(lacuna, outcome);
    return { lacuna, decision, permit: null, outcome };
  }

  /** A fault of our own: recorded as far as that still works, told to the agent, and never an allow. */
  async #noVerdict(lacuna: Lacuna, error: unknown): Promise<Considered> {
    const what = messageOf(error);
    const outcome: Outcome = {
      type: 'refused',
      by: 'no-verdict',
      message: `Lacuna could not decide: ${what}`,
      advice: 'Nothing was done. Tell the person; do not try it another way.',
    };
    try {
      await this.#releaseAnalysis(lacuna.id);
      await this.#ports.ledger.write({ type: 'failure', lacunaId: lacuna.id, what });
      await this.#ports.ledger.write({ type: 'outcome', lacunaId: lacuna.id, outcome });
    } catch (second) {
      // The audit itself is what fails: the person sees it in the message, and nothing was filled.
      return {
        lacuna,
        decision: failed(`${what}; ${messageOf(second)}`),
        permit: null,
        outcome: { ...outcome, message: `${outcome.message}; ${messageOf(second)}` },
      };
    }
    return { lacuna, decision: failed(what), permit: null, outcome };
  }
}

type Answer = { readonly decision: Decision; readonly refusal: Refusal | null } | { readonly changed: Lacuna };

type Approved = Extract<Approval, { readonly type: 'once' | 'session' | 'always' }>;

/** Ops after which files may differ, and kinds of running whose effects on files cannot be seen before. */
const CHANGING: ReadonlySet<Effect['op']> = new Set([
  'write',
  'delete',
  'move',
  'install',
  'persist',
  'history',
  'unknown',
]);
const BLIND: ReadonlySet<Trait> = new Set(['unreviewed', 'own-code', 'remote-code', 'edit']);

const mayChangeFiles = (effect: Effect): boolean =>
  CHANGING.has(effect.op) || effect.traits.some((trait) => BLIND.has(trait));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Where we do the filling ourselves, a question that was left to the host was put to nobody. */
const leftToNobody = (decision: Decision): Outcome => ({
  type: 'refused',
  by: 'no-person',
  message: decision.reason,
  advice: decision.advice,
});

/** What came back, as the agent sees it; empty when nothing did. */
const outputOf = (outcome: Outcome): string => ('output' in outcome ? outcome.output.text : '');

/** A person's yes, in the isolation that the decision already had. */
const approved = (decision: Decision, reason: string): Decision => ({
  ...decision,
  verdict: decision.confinement === null ? stricter('allow', decision.repair === null ? 'allow' : 'modify') : 'sandbox',
  decidedBy: 'person',
  reason,
});

function refusalBy(decision: Decision): Refusal {
  switch (decision.decidedBy) {
    case 'state':
      return 'state';
    case 'reviewer':
      return 'reviewer';
    case 'person':
      return 'person';
    case 'failure':
      return 'no-verdict';
    case 'protection':
    case 'rule':
    case 'default':
      return 'rule';
  }
}

const failed = (what: string): Decision => ({
  verdict: 'deny',
  policyVerdict: 'deny',
  decidedBy: 'failure',
  risk: 'critical',
  mode: 'lockdown',
  rules: [],
  reason: `No verdict: ${what}`,
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
});
