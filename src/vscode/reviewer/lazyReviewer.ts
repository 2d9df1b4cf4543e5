import * as vscode from 'vscode';
import type { Cancel } from '../../core/cancel.js';
import type { Reviewer, ReviewInput } from '../../core/ports.js';
import type { Review } from '../../core/review/review.js';
import type { Health } from '../health.js';
import { settings } from '../settings.js';
import type { Store } from '../store.js';
import type { WindowReviewer } from './windowReviewer.js';

const { t } = vscode.l10n;

const MOST_SEEN = 64;

/** The reviewer as the rest of the extension knows it: its code is loaded with the first proposal. */
export class LazyReviewer implements Reviewer {
  readonly #parts: readonly [Health, Store, vscode.LogOutputChannel];
  readonly #listeners = new Set<() => void>();
  #opening: Promise<WindowReviewer> | null = null;
  #opened: WindowReviewer | null = null;
  /** What the latest proposals looked like to the reviewer, by their ids. */
  readonly #seen = new Map<string, ReviewInput>();

  constructor(health: Health, store: Store, log: vscode.LogOutputChannel) {
    this.#parts = [health, store, log];
  }

  /** How it is, in a sentence. */
  get sentence(): string {
    if (this.#opened !== null) return this.#opened.sentence;
    return settings.reviewer.model() === 'off'
      ? t('The reviewer is off.')
      : t('The reviewer rests until it is needed.');
  }

  /** Calls back when the sentence may be another one, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What the reviewer saw of one of the latest proposals; null when it is forgotten. */
  seen(lacunaId: string): ReviewInput | null {
    return this.#seen.get(lacunaId) ?? null;
  }

  async review(input: ReviewInput, cancel: Cancel): Promise<Review> {
    this.#seen.set(input.lacuna.id, input);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST_SEEN && oldest !== undefined) this.#seen.delete(oldest);
    try {
      this.#opening ??= this.#open();
      return await (await this.#opening).review(input, cancel);
    } catch (error) {
      this.#opening = null; // tried again at the next proposal
      const [health, , log] = this.#parts;
      log.error('reviewer', error);
      const message = t('The reviewer cannot be opened: {0}', error instanceof Error ? error.message : String(error));
      health.tell('reviewer', `${message} ${t('Install Lacuna again.')}`);
      return { type: 'none', why: 'down', message };
    }
  }

  async #open(): Promise<WindowReviewer> {
    const { openWindowReviewer } = await import('./windowReviewer.js');
    const opened = openWindowReviewer(...this.#parts);
    this.#opened = opened;
    opened.onChange(() => {
      for (const listener of this.#listeners) listener();
    });
    return opened;
  }
}
