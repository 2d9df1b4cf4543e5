/** One measured thing: how it compares with its yardstick, and how much it may. */
export interface BenchRow {
  readonly name: string;
  /** What was measured, in the unit of the budget: a factor, or milliseconds. */
  readonly ratio: number;
  readonly budget: number;
}
