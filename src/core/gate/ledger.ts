import { bodiesOf } from '../audit/bodies.js';
import type { AuditBody } from '../audit/record.js';
import type { Analysis, TerminalState } from '../effects/effect.js';
import { restoreTerminal, type SavedTerminal } from '../effects/savedTerminal.js';
import type { Lacuna } from '../lacuna/lacuna.js';
import type { Decision } from '../policy/decision.js';
import type { AuditSink } from '../ports.js';
import type { Review } from '../review/review.js';
import type { SessionEvent } from '../session/event.js';
import { next, type SessionState } from '../session/state.js';
import type { Outcome } from './outcome.js';

/** How far a Lacuna has come. `unfinished`: the process ended before its outcome was known. */
export type Progression = 'analysing' | 'reviewing' | 'asking' | 'filling' | 'done' | 'unfinished';

/** One Lacuna of the session with all that is known of it so far: what views show. */
export interface Entry {
  readonly lacuna: Lacuna;
  readonly startedAtMs: number;
  /** The reads that it was proposed together with; null for one proposed alone. */
  readonly groupId: string | null;
  readonly progression: Progression;
  readonly analysis: Pick<Analysis, 'effects' | 'commands'> | null;
  readonly review: Review | null;
  readonly decision: Decision | null;
  readonly outcome: Outcome | null;
}

/** Something that was done without a verdict, or that touched the guard itself. */
export interface Alarm {
  readonly atMs: number;
  readonly what: string;
  readonly details: string;
}

/** Most Lacunas that are kept for showing; older ones are in the audit. */
const MAX_ENTRIES = 1_000;
const MAX_ALARMS = 100;

/**
 * The book of one session: its state, its entries for showing, and the audit that both can be had again from. Everything
 * goes through {@link write}: first to the audit, then into the state, so that nothing is known that is not recorded.
 */
export class Ledger {
  readonly sessionId: string;
  readonly #sink: AuditSink;
  readonly #nowMs: () => number;
  readonly #listeners = new Set<() => void>();
  readonly #entries = new Map<string, Entry>();
  /** Terminal after each shell line under way, until it is known whether the line may run. */
  readonly #terminals = new Map<string, SavedTerminal>();
  readonly #alarms: Alarm[] = [];
  #terminal: SavedTerminal | null = null;
  #state: SessionState;

  constructor(initial: SessionState, sink: AuditSink, nowMs: () => number) {
    this.sessionId = initial.sessionId;
    this.#state = initial;
    this.#sink = sink;
    this.#nowMs = nowMs;
  }

  /** What earlier steps mean for the next one. */
  get state(): SessionState {
    return this.#state;
  }

  /** The terminal as the last permitted line left it, for agents whose terminal lasts; null before the first. */
  get terminal(): TerminalState | null {
    return this.#terminal === null ? null : restoreTerminal(this.#terminal);
  }

  /** Lacunas of the session, oldest first. */
  get entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** Alarms of the session, oldest first, at most a hundred: older ones are in the audit. */
  get alarms(): readonly Alarm[] {
    return this.#alarms;
  }

  entry(lacunaId: string): Entry | null {
    return this.#entries.get(lacunaId) ?? null;
  }

  /** Calls back after each change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Records and takes in. Rejects when the audit cannot be written: then nothing may be filled either. */
  async write(body: AuditBody): Promise<void> {
    const written = this.#sink.append(body);
    this.#takeIn(body, this.#nowMs());
    this.#tell();
    await written;
  }

  /** Records an event of the fold. */
  event(event: SessionEvent): Promise<void> {
    return this.write({ type: 'session', event });
  }

  /** Marks how far a Lacuna has come, for those who watch. Not recorded: the records say it better. */
  progress(lacunaId: string, progression: Progression): void {
    this.#change(lacunaId, { progression });
    this.#tell();
  }

  /**
   * Rebuilds state and entries from the audit of a session that was interrupted. Steps without an outcome show as unfinished.
   */
  static async reopen(initial: SessionState, sink: AuditSink, nowMs: () => number): Promise<Ledger> {
    const ledger = new Ledger(initial, sink, nowMs);
    for (const record of await sink.read()) ledger.#takeIn(record, record.atMs);
    for (const entry of ledger.#entries.values())
      if (entry.progression !== 'done') ledger.#change(entry.lacuna.id, { progression: 'unfinished' });
    return ledger;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  #change(lacunaId: string, change: Partial<Entry>): void {
    const entry = this.#entries.get(lacunaId);
    if (entry !== undefined) this.#entries.set(lacunaId, { ...entry, ...change });
  }

  #takeIn(record: AuditBody, atMs: number): void {
    const groupId = record.type === 'group' ? record.groupId : null;
    for (const body of bodiesOf(record)) this.#takeInOne(body, atMs, groupId);
  }

  #takeInOne(body: AuditBody, atMs: number, groupId: string | null): void {
    switch (body.type) {
      case 'session':
        this.#state = next(this.#state, body.event);
        if (body.event.type === 'decided') this.#moveTerminal(body.event.lacunaId, body.event.isPermitted);
        return;
      case 'proposed':
        this.#begin(body.lacuna, atMs, groupId);
        return;
      case 'analysed':
        this.#change(body.lacunaId, { analysis: { effects: body.effects, commands: body.commands } });
        if (body.terminal !== null) this.#terminals.set(body.lacunaId, body.terminal);
        return;
      case 'reviewed':
        this.#change(body.lacunaId, { review: body.review });
        return;
      case 'decided':
        this.#change(body.lacunaId, { decision: body.decision });
        return;
      case 'outcome':
        this.#change(body.lacunaId, { outcome: body.outcome, progression: 'done' });
        return;
      case 'alarm':
        this.#alarms.push({ atMs, what: body.what, details: body.details });
        if (this.#alarms.length > MAX_ALARMS) this.#alarms.shift();
        return;
      case 'group': // taken apart before
      case 'group-decided':
      case 'asked':
      case 'checkpoint':
      case 'restored':
      case 'failure':
      case 'feedback':
        return; // of the audit alone: neither state nor entries depend on them
    }
  }

  #moveTerminal(lacunaId: string, isPermitted: boolean): void {
    if (isPermitted) this.#terminal = this.#terminals.get(lacunaId) ?? this.#terminal;
    this.#terminals.delete(lacunaId);
  }

  #begin(lacuna: Lacuna, startedAtMs: number, groupId: string | null): void {
    const entry: Entry = {
      lacuna,
      startedAtMs,
      groupId,
      progression: 'analysing',
      analysis: null,
      review: null,
      decision: null,
      outcome: null,
    };
    this.#entries.set(lacuna.id, entry);
    if (this.#entries.size > MAX_ENTRIES) {
      const oldest = [...this.#entries.values()].find((candidate) => candidate.progression === 'done');
      if (oldest !== undefined) this.#entries.delete(oldest.lacuna.id);
    }
  }
}
