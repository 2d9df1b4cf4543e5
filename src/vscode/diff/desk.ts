import type { Cancel } from '../../core/cancel.js';
import { chooseRest, isDecided, openReview, type Change, type Choice, type Review } from './change.js';

/** What came of a change that was laid on the desk. */
export type Answer =
  | { readonly type: 'reviewed'; readonly review: Review; readonly applied: Applied | null }
  /** The file has changed meanwhile: what the person looked at is not what would be written over. */
  | { readonly type: 'outdated' }
  | { readonly type: 'cancelled' };

/** What came of writing the accepted parts; of a failure everything was put back that `damage` does not name. */
export type Applied =
  | { readonly type: 'written'; readonly notes: readonly string[] }
  | { readonly type: 'outdated' }
  | { readonly type: 'failed'; readonly message: string; readonly damage: readonly string[] };

/** Writes what was accepted of several changes: all of it or nothing. */
export type Apply<Ticket> = (
  accepted: readonly { readonly review: Review; readonly ticket: Ticket }[],
) => Promise<Applied>;

/** A change on the desk, with what its executor needs again for writing it. */
interface Item<Ticket> {
  review: Review;
  readonly ticket: Ticket;
  readonly resolve: (answer: Answer) => void;
  /** For a bug while writing: it belongs to whoever called the executor, not to the click that set it off. */
  readonly reject: (error: unknown) => void;
}

/**
 * Where proposed changes lie until a person has answered. Changes of one session that lie here together are answered one by
 * one and written together once all of them are answered: so a change of many files is whole or not at all.
 * It knows neither the editor nor the disk.
 */
export class Desk<Ticket> {
  readonly #apply: Apply<Ticket>;
  readonly #items = new Map<string, Item<Ticket>>();
  readonly #listeners = new Set<() => void>();
  readonly #writing = new Set<string>();
  /** Paths whose review ended because the file had changed; the next review of one says so. */
  readonly #outdated = new Set<string>();

  constructor(apply: Apply<Ticket>) {
    this.#apply = apply;
  }

  /** Changes that wait for an answer, oldest first. */
  get reviews(): readonly Review[] {
    return [...this.#items.values()].map((item) => item.review);
  }

  review(id: string): Review | null {
    return this.#items.get(id)?.review ?? null;
  }

  ticket(id: string): Ticket | null {
    return this.#items.get(id)?.ticket ?? null;
  }

  /** Calls back after each change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Lays a change on the desk. Resolves once it is answered and written, outdated, or cancelled. */
  async lay(change: Change, ticket: Ticket, cancel: Cancel): Promise<Answer> {
    if (cancel.aborted) return { type: 'cancelled' };
    const onAbort = (): void => {
      if (!this.#writing.has(change.sessionId)) this.#take(change.id)?.resolve({ type: 'cancelled' });
    };
    cancel.addEventListener('abort', onAbort, { once: true });
    try {
      return await new Promise<Answer>((resolve, reject) => {
        const review = openReview(change, this.#outdated.delete(change.path));
        this.#items.set(change.id, { review, ticket, resolve, reject });
        this.#tell();
      });
    } finally {
      cancel.removeEventListener('abort', onAbort);
      this.#settle(change.sessionId);
    }
  }

  /** Records an answer to part of a change. Unknown ids are of changes that are gone: nothing happens. */
  update(id: string, change: (review: Review) => Review): void {
    const item = this.#items.get(id);
    if (item === undefined || this.#writing.has(item.review.change.sessionId)) return;
    item.review = change(item.review);
    this.#tell();
  }

  /** Gives one answer to everything of a session that has none yet. */
  updateRest(sessionId: string, choice: Choice): void {
    for (const { review } of this.#of(sessionId)) this.update(review.change.id, (old) => chooseRest(old, choice));
  }

  /** Whether every change of a session is answered, so that {@link finish} may be called. */
  isAnswered(sessionId: string): boolean {
    const items = this.#of(sessionId);
    return items.length > 0 && items.every((item) => isDecided(item.review));
  }

  /** Writes what was accepted in a session, all or nothing, and answers every proposer. Does nothing while answers are missing. */
  async finish(sessionId: string): Promise<void> {
    if (!this.isAnswered(sessionId) || this.#writing.has(sessionId)) return;
    const items = this.#of(sessionId);
    const accepted = items.filter((item) => item.review.choices.includes('accepted'));
    this.#writing.add(sessionId);
    try {
      const applied = accepted.length === 0 ? null : await this.#apply(accepted);
      for (const item of items) {
        const own = accepted.includes(item) ? applied : null;
        if (own?.type === 'outdated') this.#outdated.add(item.review.change.path);
        item.resolve(own?.type === 'outdated' ? own : { type: 'reviewed', review: item.review, applied: own });
      }
    } catch (error) {
      for (const item of items) item.reject(error);
    } finally {
      for (const item of items) this.#items.delete(item.review.change.id);
      this.#writing.delete(sessionId);
      this.#tell();
    }
  }

  /** Takes a change off the desk whose file is no longer as it was shown. */
  outdate(id: string): void {
    const item = this.#items.get(id);
    if (item === undefined || this.#writing.has(item.review.change.sessionId)) return;
    this.#outdated.add(item.review.change.path);
    this.#take(id)?.resolve({ type: 'outdated' });
  }

  #take(id: string): Item<Ticket> | undefined {
    const item = this.#items.get(id);
    this.#items.delete(id);
    this.#tell();
    return item;
  }

  /** A change that left the desk may have been the last one without an answer. */
  #settle(sessionId: string): void {
    if (this.isAnswered(sessionId)) void this.finish(sessionId);
  }

  #of(sessionId: string): Item<Ticket>[] {
    return [...this.#items.values()].filter((item) => item.review.change.sessionId === sessionId);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The desk as views and commands see it: what lies there and the answers to it, not the laying and the writing. */
export type Reviews = Omit<Desk<unknown>, 'lay' | 'ticket'>;
