/** One measured thing: how it compares with its yardstick, and how much it may. */
export interface BenchRow {
  readonly name: string;
  /** What was measured, in the unit of the budget: a factor, milliseconds or microseconds. The name says which. */
  readonly ratio: number;
  /** Null: shown for information, without a limit. */
  readonly budget: number | null;
}
