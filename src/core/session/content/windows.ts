/** Multipliers of the two lanes of the rolling hash: odd, so that they can be undone modulo 2^32. */
const BASE_A = 0x9e3779b1;
const BASE_B = 0x85ebca77;

function power(base: number, exponent: number): number {
  let result = 1;
  for (let i = 0; i < exponent; i++) result = Math.imul(result, base);
  return result;
}

/** Two 32-bit lanes as one safe integer. */
const joined = (a: number, b: number): number => {
  const mixed = Math.imul(a ^ (a >>> 15), 0x2c1b3c6d) >>> 0;
  return 4294967296 * ((b ^ (b >>> 13)) & 2097151) + mixed;
};

/**
 * Hash of every window of `width` UTF-16 units, in order; empty when the text is shorter. Rolling: linear in the text, whatever
 * the width. Source: Karp and Rabin, 1987.
 */
export function windowHashes(text: string, width: number): readonly number[] {
  if (text.length < width) return [];
  const dropA = power(BASE_A, width);
  const dropB = power(BASE_B, width);
  let a = 0;
  let b = 0;
  const hashes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i) + 1;
    a = (Math.imul(a, BASE_A) + unit) | 0;
    b = (Math.imul(b, BASE_B) + unit) | 0;
    if (i >= width) {
      const gone = text.charCodeAt(i - width) + 1;
      a = (a - Math.imul(gone, dropA)) | 0;
      b = (b - Math.imul(gone, dropB)) | 0;
    }
    if (i >= width - 1) hashes.push(joined(a, b));
  }
  return hashes;
}

/**
 * Picks the smallest hash of each run of `span` neighbours: any passage of `width + span - 1` units that two texts share gives
 * them a hash in common. Source: Schleimer, Wilkerson, Aiken, Winnowing, 2003.
 */
export function winnow(hashes: readonly number[], span: number): readonly number[] {
  if (hashes.length <= span) return hashes.length === 0 ? [] : [Math.min(...hashes)];
  const picked = new Set<number>();
  let smallest = -1;
  for (let end = span - 1; end < hashes.length; end++) {
    const start = end - span + 1;
    if (smallest < start) {
      smallest = start;
      for (let i = start + 1; i <= end; i++) if ((hashes[i] ?? 0) <= (hashes[smallest] ?? 0)) smallest = i;
    } else if ((hashes[end] ?? 0) <= (hashes[smallest] ?? 0)) {
      smallest = end;
    }
    picked.add(hashes[smallest] ?? 0);
  }
  return [...picked];
}
