/** The value below which a share of the values lies; infinite when there are none, so that no budget holds by default. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Infinity;
}

/** The middle value. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);
