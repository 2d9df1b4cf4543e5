import { hash32 } from './hash.js';

/** A key and its value, or several whose 32-bit hashes are equal. */
interface Leaf<V, K> {
  readonly hash: number;
  readonly pairs: readonly (readonly [key: K, value: V])[];
}
interface Branch<V, K> {
  /** Bit i is set when slot i is filled; filled slots stand packed in `slots`. */
  readonly bitmap: number;
  readonly slots: readonly Node<V, K>[];
}
type Node<V, K> = Leaf<V, K> | Branch<V, K>;

/** What a map can be keyed by. Numbers are hashes already: their two halves are joined. */
type Key = string | number;
const hashOf = (key: Key): number => (typeof key === 'string' ? hash32(key) : (key ^ Math.floor(key / 4294967296)) | 0);

const BITS = 5;
const MASK = 31;

const isLeaf = <V, K>(node: Node<V, K>): node is Leaf<V, K> => 'pairs' in node;

/** How many bits are set. Source: Warren, Hacker's Delight, 5-1. */
function population(word: number): number {
  let w = word - ((word >>> 1) & 0x55555555);
  w = (w & 0x33333333) + ((w >>> 2) & 0x33333333);
  return (((w + (w >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

function replaced<T>(items: readonly T[], at: number, item: T): T[] {
  const copy = items.slice();
  copy[at] = item;
  return copy;
}

function find<V, K extends Key>(root: Node<V, K> | null, hash: number, key: K): V | undefined {
  let node = root;
  for (let shift = 0; node !== null; shift += BITS) {
    if (isLeaf(node)) return node.hash === hash ? node.pairs.find((pair) => pair[0] === key)?.[1] : undefined;
    const bit = 1 << ((hash >>> shift) & MASK);
    if ((node.bitmap & bit) === 0) return undefined;
    node = node.slots[population(node.bitmap & (bit - 1))] ?? null;
  }
  return undefined;
}

function inserted<V, K extends Key>(
  node: Node<V, K> | null,
  shift: number,
  hash: number,
  key: K,
  value: V,
): Node<V, K> {
  if (node === null) return { hash, pairs: [[key, value]] };
  if (isLeaf(node)) {
    if (node.hash === hash) {
      const at = node.pairs.findIndex((pair) => pair[0] === key);
      return { hash, pairs: at < 0 ? [...node.pairs, [key, value]] : replaced(node.pairs, at, [key, value]) };
    }
    const bit = 1 << ((node.hash >>> shift) & MASK);
    return inserted<V, K>({ bitmap: bit, slots: [node] }, shift, hash, key, value);
  }
  const bit = 1 << ((hash >>> shift) & MASK);
  const at = population(node.bitmap & (bit - 1));
  if ((node.bitmap & bit) === 0) {
    const slots = node.slots.slice();
    slots.splice(at, 0, { hash, pairs: [[key, value]] });
    return { bitmap: node.bitmap | bit, slots };
  }
  const child = inserted(node.slots[at] ?? null, shift + BITS, hash, key, value);
  return { bitmap: node.bitmap, slots: replaced(node.slots, at, child) };
}

function removed<V, K extends Key>(node: Node<V, K>, shift: number, hash: number, key: K): Node<V, K> | null {
  if (isLeaf(node)) {
    const pairs = node.pairs.filter((pair) => pair[0] !== key);
    return pairs.length === 0 ? null : { hash: node.hash, pairs };
  }
  const bit = 1 << ((hash >>> shift) & MASK);
  const at = population(node.bitmap & (bit - 1));
  const old = node.slots[at];
  if ((node.bitmap & bit) === 0 || old === undefined) return node;
  const child = removed(old, shift + BITS, hash, key);
  if (child !== null) return { bitmap: node.bitmap, slots: replaced(node.slots, at, child) };
  const bitmap = node.bitmap & ~bit;
  return bitmap === 0 ? null : { bitmap, slots: node.slots.filter((_slot, index) => index !== at) };
}

function* pairsOf<V, K>(node: Node<V, K> | null): Generator<readonly [K, V]> {
  if (node === null) return;
  if (isLeaf(node)) yield* node.pairs;
  else for (const slot of node.slots) yield* pairsOf(slot);
}

/**
 * An immutable map from texts or numbers to values: `set` and `delete` give a new map that shares almost everything with the old one, so
 * each state of a session can be kept at the price of what changed. A hash array mapped trie: look-up and change cost at most
 * seven levels. Source: Bagwell, Ideal Hash Trees, 2001.
 */
export class PersistentMap<V, K extends Key = string> {
  readonly #root: Node<V, K> | null;
  readonly size: number;

  private constructor(root: Node<V, K> | null, size: number) {
    this.#root = root;
    this.size = size;
  }

  static empty<V, K extends Key = string>(): PersistentMap<V, K> {
    return new PersistentMap<V, K>(null, 0);
  }

  static from<V, K extends Key = string>(pairs: Iterable<readonly [K, V]>): PersistentMap<V, K> {
    let map = PersistentMap.empty<V, K>();
    for (const [key, value] of pairs) map = map.set(key, value);
    return map;
  }

  get(key: K): V | undefined {
    return find(this.#root, hashOf(key), key);
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  /** Adds or replaces. The same map when the value is already there. */
  set(key: K, value: V): PersistentMap<V, K> {
    const old = this.get(key);
    if (old === value && old !== undefined) return this;
    const root = inserted(this.#root, 0, hashOf(key), key, value);
    return new PersistentMap(root, this.size + (old === undefined ? 1 : 0));
  }

  delete(key: K): PersistentMap<V, K> {
    if (this.#root === null || !this.has(key)) return this;
    return new PersistentMap(removed(this.#root, 0, hashOf(key), key), this.size - 1);
  }

  /** All pairs, in an order that depends on the keys alone. Linear. */
  entries(): Generator<readonly [K, V]> {
    return pairsOf(this.#root);
  }

  /** As an array sorted by key: what is saved, and what tests compare. */
  toJSON(): (readonly [K, V])[] {
    return [...this.entries()].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  }
}

/** A set of 53-bit hashes. */
export type HashSet = PersistentMap<true, number>;
