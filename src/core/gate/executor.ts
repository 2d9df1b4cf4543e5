import type { Cancel } from '../cancel.js';
import type { Kind } from '../lacuna/kinds.js';
import type { Outcome } from './outcome.js';
import type { Permit } from './permit.js';

/** Changes the world for one kind. It spends the permit first; without one it cannot even see the parameters. */
export interface Executor<K extends Kind> {
  fill(permit: Permit<K>, cancel: Cancel, progress: Progress): Promise<Outcome>;
}

/** Where an executor says what is going on while it works: streamed output, already masked. */
export interface Progress {
  output(text: string): void;
}

/** One executor per kind: a new kind without one does not compile. */
export type Executors = { readonly [K in Kind]: Executor<K> };
