import type { Op, Resource, Reversibility, Trait } from '../effect.js';

/** One thing that SQL does. */
export type SqlAction =
  | {
      readonly type: 'effect';
      readonly op: Op;
      readonly resource: Resource;
      readonly certainty: 'exact' | 'dynamic';
      readonly reversible: Reversibility;
      readonly traits: readonly Trait[];
      readonly note: string;
    }
  /** A file of the machine where the database (or for SQLite, the command) runs. */
  | { readonly type: 'file'; readonly op: 'read' | 'write'; readonly path: string; readonly note: string }
  /** A line for a shell: by the prompt, which is made for that, or by the database itself, which runs it in its own name. */
  | { readonly type: 'command'; readonly by: 'prompt' | 'server'; readonly text: string; readonly note: string };

/** An action of which only is known that something is done. */
export const unknownAction = (what: string): SqlAction => ({
  type: 'effect',
  op: 'unknown',
  resource: { type: 'unknown', what },
  certainty: 'dynamic',
  reversible: 'no',
  traits: [],
  note: '',
});
