import type { AuditSink } from '../core/ports.js';
import type { Gate } from '../core/gate/gate.js';
import type { Ledger } from '../core/gate/ledger.js';

/** One session of an agent: the gate that its Lacunas go through and the book in which they stand. */
export interface Session {
  readonly id: string;
  readonly gate: Gate;
  /** The gate of our own tools: see the session that it is opened from. */
  readonly own: Gate;
  readonly ledger: Ledger;
  /** The session's audit; the ledger writes to it. */
  readonly audit: AuditSink;
}

/** Opens a session by its id: a new one, or one that was begun before, from its audit. */
export type OpenSession = (id: string) => Promise<Session>;

/**
 * The sessions of this window, each opened once. State is never shared between two of them. The active one is what
 * views show.
 */
export class Sessions {
  readonly #open: OpenSession;
  readonly #sessions = new Map<string, Promise<Session>>();
  readonly #listeners = new Set<() => void>();
  readonly #opened: Session[] = [];
  #active: Session | null = null;

  constructor(open: OpenSession) {
    this.#open = open;
  }

  /** The session with this id. One that cannot be opened rejects, and is tried again at the next call. */
  get(id: string): Promise<Session> {
    let opening = this.#sessions.get(id);
    if (opening === undefined) {
      opening = this.#open(id);
      this.#sessions.set(id, opening);
      opening.then(
        (session) => {
          this.#opened.push(session);
          session.ledger.onChange(() => this.#tell());
        },
        () => this.#sessions.delete(id),
      );
    }
    return opening;
  }

  /** The session with this id, and from now on the active one: an agent is at work in it, or a person picked it. */
  async use(id: string): Promise<Session> {
    const session = await this.get(id);
    if (this.#active !== session) {
      this.#active = session;
      this.#tell();
    }
    return session;
  }

  /** Sessions that are open, in the order in which they were. */
  get opened(): readonly Session[] {
    return this.#opened;
  }

  get active(): Session | null {
    return this.#active;
  }

  /** Calls back when the active session is another one or has changed, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
