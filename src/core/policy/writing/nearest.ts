/** The word that was probably meant: the one with the fewest changes, if there are few for its length; null when none is near. */
export function nearest(word: string, words: readonly string[]): string | null {
  const folded = word.toLowerCase();
  let best: { readonly word: string; readonly distance: number } | null = null;
  for (const candidate of words) {
    const distance = changesBetween(folded, candidate.toLowerCase());
    if (best === null || distance < best.distance) best = { word: candidate, distance };
  }
  return best !== null && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.word : null;
}

/** Letters to put in, take out, exchange or swap with the next, at least. Source: optimal string alignment distance. */
function changesBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const above = rows[i - 1] ?? [];
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + cost);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, (rows[i - 2]?.[j - 2] ?? 0) + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
