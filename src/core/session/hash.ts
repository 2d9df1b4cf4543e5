/** 32-bit hash of a text, well mixed. Not for secrets. Source: Appleby, MurmurHash3 finaliser; FNV-1a over UTF-16 units. */
export function hash32(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/**
 * 53-bit hash of a text, for telling contents apart without keeping them. A truncated hash has many preimages, which is wanted:
 * it recognises a text that is shown again and tells little to one who reads the saved state. Source: two lanes of
 * multiply-xor mixing as in MurmurHash3, joined to a safe integer.
 */
export function hash53(text: string, seed = 0): number {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

/** {@link hash53} in base 36: a short key for maps. */
export const key53 = (text: string, seed = 0): string => hash53(text, seed).toString(36);
