/** An act of several steps. While it is noted and not ended, a dead process means that it stopped in the middle. */
export type LongAct =
  /**
   * A folder that was put aside under another name and is being deleted there. The numbers tell it from another of that name: a file
   * system gives an inode again that became free, so when it was born counts too.
   */
  | {
      readonly type: 'delete';
      readonly path: string;
      readonly device: number;
      readonly inode: number;
      readonly bornMs: number;
    }
  /** A checkpoint that is being brought back. `before` is the checkpoint that takes it back; no paths stand for all. */
  | {
      readonly type: 'restore';
      readonly roots: readonly string[];
      readonly checkpointId: string;
      readonly before: string;
      readonly paths: readonly string[];
    };

/** An act that a process began and, since it died, did not end. */
export interface Unfinished {
  readonly act: LongAct;
  readonly atMs: number;
  /** Strikes it out: it was finished, taken back, or a person leaves it so. */
  readonly settle: () => void;
}

/** Notes of acts that must not be forgotten when the process dies in the middle. */
export interface Journal {
  /** Notes an act before its first step. The returned function strikes it out after the last. */
  begin(act: LongAct): () => void;
  /** What processes that are dead by now left unfinished, oldest first. */
  left(): readonly Unfinished[];
}

/** For callers whose acts nobody has to hear of after a crash. */
export const noJournal: Journal = { begin: () => () => undefined, left: () => [] };
