import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import {
  isSameState,
  isSelected,
  type Change,
  type CheckpointInfo,
  type CheckpointSource,
  type EntryState,
  type LargeState,
} from '../../core/checkpoint.js';
import type { Checkpoints, Clock } from '../../core/ports.js';
import { isSystemError, sha256, writeWhole } from './disk.js';
import { headOf } from './head.js';
import { LargeStore } from './large.js';
import { withFileLock } from '../fileLock.js';
import { ObjectStore } from './objects.js';
import { Lookers } from './lookers.js';
import { racyFrom, Scan, SCAN_LIMITS, type ScanLimits, type SeenFolder } from './scan.js';
import { loadSeen, saveSeen } from './seenCache.js';
import { decodeTree, stateOfRow, type TreeRow } from './tree.js';

/** Where checkpoints are kept, of what, and how much. */
export interface CheckpointOptions {
  /** The store's own folder, outside of every workspace. One for each set of workspace folders ({@link storeFolder}). */
  readonly folder: string;
  /** Workspace folders, canonical. */
  readonly roots: readonly string[];
  readonly clock: Clock;
  readonly limits?: ScanLimits; // [SCAN_LIMITS]
  /** The module that threads run which look at a large workspace (`lookWorker`). A process that lives long has use for them. */
  readonly lookWorker?: string | null; // [null: no threads]
  /** Large files up to this size are copied where they cannot be cloned. */
  readonly copyBytes?: number; // [64 MiB]
  /** Old checkpoints go when the store is larger than this. */
  readonly capBytes?: number; // [2 GiB]
  /** Checkpoints older than this go. */
  readonly maxAgeMs?: number; // [30 days]
}

/** The folder of a store below Lacuna's state, by the workspace folders that it is about. */
export const storeFolder = (state: string, roots: readonly string[]): string =>
  path.join(state, 'checkpoints', createHash('sha256').update(roots.toSorted().join('\0')).digest('hex').slice(0, 24));

const CAP_BYTES = 2 * 1024 ** 3;
const MAX_AGE_MS = 30 * 24 * 60 * 60_000;
const LOCK_MS = 60_000;
const NAME = /^\d{8}-[0-9a-z]+\.json$/;

const manifest = z.strictObject({
  v: z.literal(1),
  id: z.string(),
  seq: z.int().positive(),
  atMs: z.number(),
  why: z.string(),
  lacunaId: z.string().nullable(),
  roots: z.array(z.strictObject({ path: z.string(), tree: z.string().nullable(), head: z.string().nullable() })),
  files: z.int(),
  sizeBytes: z.number(),
});
type Manifest = z.infer<typeof manifest>;

const infoOf = ({ id, seq, atMs, why, lacunaId, roots, files, sizeBytes }: Manifest): CheckpointInfo => ({
  id,
  seq,
  atMs,
  why,
  lacunaId,
  roots: roots.map(({ path: root, head }) => ({ path: root, head })),
  files,
  sizeBytes,
});

/**
 * Checkpoints of a workspace in a store of their own: content-addressed, incremental, independent of git. A checkpoint is there
 * when its manifest is, and its manifest is written last; a crash at any point leaves the store as it was before.
 */
export class CheckpointStore implements Checkpoints, CheckpointSource {
  readonly #options: CheckpointOptions;
  readonly #objects: ObjectStore;
  readonly #large: LargeStore;
  readonly #lookers: Lookers | null;
  #seen: Map<string, SeenFolder>;
  #isSeenSaved = true;
  #queue: Promise<unknown> = Promise.resolve();
  #takenSincePruning = Infinity;
  #largeSincePruning = 0;
  #trouble: string | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(options: CheckpointOptions) {
    this.#options = options;
    mkdirSync(this.#manifests, { recursive: true, mode: 0o700 });
    this.#objects = new ObjectStore(path.join(options.folder, 'objects'));
    this.#large = new LargeStore(path.join(options.folder, 'large'), options.copyBytes);
    this.#lookers = (options.lookWorker ?? null) === null ? null : new Lookers(options.lookWorker ?? '');
    this.#seen = loadSeen(this.#cache);
    this.#lookers?.learn(this.#seen);
  }

  get #manifests(): string {
    return path.join(this.#options.folder, 'checkpoints');
  }

  get #cache(): string {
    return path.join(this.#options.folder, 'seen.json');
  }

  /** One after another in this process, and alone among processes. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(() => withFileLock(path.join(this.#options.folder, 'lock'), work, LOCK_MS));
    this.#queue = turn.catch(() => undefined); // whoever called sees the error; the next turn does not
    return turn;
  }

  take(why: string, lacunaId: string | null): Promise<string | null> {
    return this.#alone(() => this.#take(why, lacunaId));
  }

  async #take(why: string, lacunaId: string | null): Promise<string | null> {
    this.#objects.refresh();
    const startedAtMs = this.#options.clock.nowMs();
    const batch = this.#objects.begin();
    const untouched = (await this.#lookers?.untouched(racyFrom(startedAtMs))) ?? null;
    const scan = new Scan(batch, this.#options.limits ?? SCAN_LIMITS, this.#large, startedAtMs, untouched);
    const seen = new Map<string, SeenFolder>();
    for (const root of this.#options.roots) {
      const folder = await scan.root(root, this.#known(root));
      if (folder !== null) seen.set(root, folder);
    }
    await batch.commit();
    this.#seen = seen;
    this.#isSeenSaved = false;
    this.#lookers?.learn(seen);
    const newest = this.#manifestNames().at(-1);
    const last = newest === undefined ? null : this.#readManifest(newest);
    const roots = this.#options.roots.map((root) => ({
      path: root,
      tree: seen.get(root)?.hash ?? null,
      head: headOf(root),
    }));
    if (last !== null && roots.every(({ path: root, tree }) => treeOf(last, root) === tree)) return null;
    const counts = [...seen.values()];
    const written: Manifest = {
      v: 1,
      id: `${startedAtMs.toString(36)}${randomBytes(2).toString('hex')}`,
      seq: (last?.seq ?? 0) + 1,
      atMs: startedAtMs,
      why,
      lacunaId,
      roots,
      files: counts.reduce((sum, { fileCount }) => sum + fileCount, 0),
      sizeBytes: counts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    };
    this.#writeManifest(written);
    for (const listener of this.#listeners) listener();
    this.#pruneLater();
    return written.id;
  }

  /** Calls back when a checkpoint was taken here, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * What was seen of a root, if all that it names is still in the store: that is so while a checkpoint has that very tree, since
   * only what no checkpoint needs is ever dropped.
   */
  #known(root: string): SeenFolder | null {
    const known = this.#seen.get(root) ?? null;
    if (known === null || !this.#objects.has(known.hash)) return null;
    const isKept = (name: string): boolean => {
      const one = this.#readManifest(name);
      return one !== null && treeOf(one, root) === known.hash;
    };
    return this.#manifestNames().toReversed().some(isKept) ? known : null;
  }

  #writeManifest(written: Manifest): void {
    const body = JSON.stringify(written);
    const name = `${String(written.seq).padStart(8, '0')}-${written.id}.json`;
    writeWhole(path.join(this.#manifests, name), Buffer.from(`${sha256(Buffer.from(body))}\n${body}\n`));
  }

  #manifestNames(): readonly string[] {
    return readdirSync(this.#manifests)
      .filter((name) => NAME.test(name))
      .sort();
  }

  /** A manifest, if it is whole: the checksum in its first line fits. */
  #readManifest(name: string): Manifest | null {
    try {
      const text = readFileSync(path.join(this.#manifests, name), 'utf8').trimEnd();
      const cut = text.indexOf('\n');
      const body = text.slice(cut + 1);
      if (sha256(Buffer.from(body)) !== text.slice(0, cut)) return null;
      const parsed = manifest.safeParse(JSON.parse(body));
      return parsed.success ? parsed.data : null;
    } catch (error) {
      if (isSystemError(error) || error instanceof SyntaxError) return null;
      throw error;
    }
  }

  #all(): readonly Manifest[] {
    return this.#manifestNames().flatMap((name) => this.#readManifest(name) ?? []);
  }

  list(): Promise<readonly CheckpointInfo[]> {
    return Promise.resolve(this.#all().map(infoOf));
  }

  changes(fromId: string, toId: string, paths: readonly string[]): Promise<readonly Change[]> {
    this.#objects.refresh();
    const all = this.#all();
    const from = all.find(({ id }) => id === fromId);
    const to = all.find(({ id }) => id === toId);
    if (!from || !to) return Promise.reject(new Error(`There is no checkpoint ${from ? toId : fromId}.`));
    const changes: Change[] = [];
    for (const { path: root, tree } of to.roots)
      this.#compare(root, treeOf(from, root), tree, (change) => {
        if (isSelected(change.path, paths)) changes.push(change);
      });
    return Promise.resolve(changes);
  }

  /** Walks two trees at once; equal hashes are passed over whole. */
  #compare(folder: string, from: string | null, to: string | null, tell: (change: Change) => void): void {
    if (from === to) return;
    const before = this.#rows(from);
    const after = this.#rows(to);
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const a = before.get(name);
      const b = after.get(name);
      const file = `${folder}/${name}`;
      const states: [EntryState | null, EntryState | null] = [a ? stateOfRow(a) : null, b ? stateOfRow(b) : null];
      if (!isSameState(...states)) tell({ path: file, from: states[0], to: states[1] });
      this.#compare(file, subtree(a), subtree(b), tell);
    }
  }

  #rows(tree: string | null): ReadonlyMap<string, TreeRow> {
    if (tree === null) return new Map();
    const bytes = this.#objects.read(tree);
    const rows = bytes === null ? null : decodeTree(bytes);
    if (rows === null) throw new Error('A part of this checkpoint is damaged or gone.');
    return new Map(rows.map((row) => [row[1], row]));
  }

  read(hash: string): Promise<Uint8Array | null> {
    return Promise.resolve(this.#objects.read(hash));
  }

  large({ sample, sizeBytes, mtimeMs }: LargeState): Promise<string | null> {
    return this.#large.find(sample, sizeBytes, mtimeMs);
  }

  /** Everything that is wrong with the store, in sentences; empty when it is whole. Reads all of it. */
  verify(): Promise<readonly string[]> {
    return this.#alone(() => {
      this.#objects.refresh();
      const problems = this.#objects.verify().map((hash) => `object ${hash} is damaged`);
      for (const name of this.#manifestNames()) {
        const one = this.#readManifest(name);
        if (one === null) problems.push(`checkpoint ${name} is damaged`);
        else
          for (const { tree } of one.roots)
            problems.push(...this.#missing(tree).map((hash) => `${name} lacks ${hash}`));
      }
      return Promise.resolve(problems);
    });
  }

  #missing(tree: string | null): readonly string[] {
    const wanted = new Set<string>();
    this.#mark(tree, wanted, new Set());
    return [...wanted].filter((hash) => !this.#objects.has(hash));
  }

  /** Adds all objects of a tree to a set, and large samples to another. */
  #mark(tree: string | null, wanted: Set<string>, samples: Set<string>): void {
    if (tree === null || wanted.has(tree)) return;
    wanted.add(tree);
    const bytes = this.#objects.read(tree);
    for (const row of (bytes === null ? null : decodeTree(bytes)) ?? []) {
      if (row[0] === 'f') wanted.add(row[4]);
      else if (row[0] === 'L') samples.add(row[5]);
      else if (row[0] === 'd') this.#mark(row[3], wanted, samples);
    }
  }

  /** Looks at size and age now and then, and after many large files, once the checkpoint is there. */
  #pruneLater(): void {
    const { capBytes = CAP_BYTES } = this.#options;
    this.#takenSincePruning += 1;
    this.#largeSincePruning += this.#large.takeAddedBytes();
    if (this.#takenSincePruning < 50 && this.#largeSincePruning < capBytes / 8) return;
    this.#takenSincePruning = 0;
    this.#largeSincePruning = 0;
    this.prune().then(
      () => {
        this.#trouble = null;
      },
      (error: unknown) => {
        this.#trouble = error instanceof Error ? error.message : String(error);
      },
    );
  }

  /** Why old checkpoints could not be dropped the last time; null when they could. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** Drops checkpoints that are too old or more than the cap has room for; the newest always stays. */
  prune(): Promise<void> {
    return this.#alone(async () => {
      const { clock, capBytes = CAP_BYTES, maxAgeMs = MAX_AGE_MS } = this.#options;
      this.#objects.sweep(clock.nowMs());
      const dropped = this.#dropWhere((one) => clock.nowMs() - one.atMs > maxAgeMs);
      if (dropped) await this.#collect();
      for (let size = this.#sizeBytes(); size > capBytes; size = this.#sizeBytes()) {
        const all = this.#all();
        const doomed = new Set(all.slice(0, Math.ceil((all.length - 1) / 4)).map(({ id }) => id));
        if (doomed.size === 0 || !this.#dropWhere(({ id }) => doomed.has(id))) return;
        await this.#collect();
      }
    });
  }

  #sizeBytes(): number {
    return this.#objects.sizeBytes() + this.#large.sizeBytes();
  }

  #dropWhere(isDoomed: (one: Manifest) => boolean): boolean {
    const doomed = this.#all().slice(0, -1).filter(isDoomed);
    for (const { seq, id } of doomed)
      rmSync(path.join(this.#manifests, `${String(seq).padStart(8, '0')}-${id}.json`), { force: true });
    return doomed.length > 0;
  }

  /** Drops objects that no checkpoint needs. What was seen names objects too: it goes first. */
  async #collect(): Promise<void> {
    this.#seen = new Map();
    rmSync(this.#cache, { force: true });
    const wanted = new Set<string>();
    const samples = new Set<string>();
    for (const { roots } of this.#all()) for (const { tree } of roots) this.#mark(tree, wanted, samples);
    await this.#objects.keepOnly(wanted);
    this.#large.keepOnly(samples);
  }

  /** Waits for what is under way and writes down what was seen, for the next process. */
  async close(): Promise<void> {
    await this.#queue;
    await this.#lookers?.dispose();
    if (!this.#isSeenSaved) saveSeen(this.#cache, this.#seen);
    this.#isSeenSaved = true;
  }
}

const treeOf = ({ roots }: Manifest, root: string): string | null =>
  roots.find((one) => one.path === root)?.tree ?? null;
const subtree = (row: TreeRow | undefined): string | null => (row?.[0] === 'd' ? row[3] : null);
