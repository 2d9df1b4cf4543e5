import { hash32 } from './hash.js';

/** A key and its value, or several whose 32-bit hashes are equal. */
interface Leaf<V> {
  readonly hash: number;
  readonly pairs: readonly (readonly [key: string, value: V])[];
}
interface Branch<V> {
  /** Bit i is set when slot i is filled; filled slots stand packed in `slots`. */
  readonly bitmap: number;
  readonly slots: readonly Node<V>[];
}
type Node<V> = Leaf<V> | Branch<V>;

const BITS = 5;
const MASK = 31;

const isLeaf = <V>(node: Node<V>): node is Leaf<V> => 'pairs' in node;

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

function find<V>(root: Node<V> | null, hash: number, key: string): V | undefined {
  let node = root;
  for (let shift = 0; node !== null; shift += BITS) {
    if (isLeaf(node)) return node.hash === hash ? node.pairs.find((pair) => pair[0] === key)?.[1] : undefined;
    const bit = 1 << ((hash >>> shift) & MASK);
    if ((node.bitmap & bit) === 0) return undefined;
    node = node.slots[population(node.bitmap & (bit - 1))] ?? null;
  }
  return undefined;
}

function inserted<V>(node: Node<V> | null, shift: number, hash: number, key: string, value: V): Node<V> {
  if (node === null) return { hash, pairs: [[key, value]] };
  if (isLeaf(node)) {
    if (node.hash === hash) {
      const at = node.pairs.findIndex((pair) => pair[0] === key);
      return { hash, pairs: at < 0 ? [...node.pairs, [key, value]] : replaced(node.pairs, at, [key, value]) };
    }
    const bit = 1 << ((node.hash >>> shift) & MASK);
    return inserted<V>({ bitmap: bit, slots: [node] }, shift, hash, key, value);
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

function removed<V>(node: Node<V>, shift: number, hash: number, key: string): Node<V> | null {
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

function* pairsOf<V>(node: Node<V> | null): Generator<readonly [string, V]> {
  if (node === null) return;
  if (isLeaf(node)) yield* node.pairs;
  else for (const slot of node.slots) yield* pairsOf(slot);
}

/**
 * An immutable map from text to values: `set` and `delete` give a new map that shares almost everything with the old one, so
 * each state of a session can be kept at the price of what changed. A hash array mapped trie: look-up and change cost at most
 * seven levels. Source: Bagwell, Ideal Hash Trees, 2001.
 */
export class PersistentMap<V> {
  readonly #root: Node<V> | null;
  readonly size: number;

  private constructor(root: Node<V> | null, size: number) {
    this.#root = root;
    this.size = size;
  }

  static empty<V>(): PersistentMap<V> {
    return new PersistentMap<V>(null, 0);
  }

  static from<V>(pairs: Iterable<readonly [string, V]>): PersistentMap<V> {
    let map = PersistentMap.empty<V>();
    for (const [key, value] of pairs) map = map.set(key, value);
    return map;
  }

  get(key: string): V | undefined {
    return find(this.#root, hash32(key), key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** Adds or replaces. The same map when the value is already there. */
  set(key: string, value: V): PersistentMap<V> {
    const old = this.get(key);
    if (old === value && old !== undefined) return this;
    const root = inserted(this.#root, 0, hash32(key), key, value);
    return new PersistentMap(root, this.size + (old === undefined ? 1 : 0));
  }

  delete(key: string): PersistentMap<V> {
    if (this.#root === null || !this.has(key)) return this;
    return new PersistentMap(removed(this.#root, 0, hash32(key), key), this.size - 1);
  }

  /** All pairs, in an order that depends on the keys alone. Linear. */
  entries(): Generator<readonly [string, V]> {
    return pairsOf(this.#root);
  }

  /** As an array sorted by key: what is saved, and what tests compare. */
  toJSON(): (readonly [string, V])[] {
    return [...this.entries()].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  }
}
