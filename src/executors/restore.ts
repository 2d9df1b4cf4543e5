import {
  chmodSync,
  copyFileSync,
  constants,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Cancel } from '../core/cancel.js';
import {
  cannotRestore,
  type Change,
  type CheckpointInfo,
  type CheckpointSource,
  type EntryState,
  type LargeState,
  type RestorePreview,
} from '../core/checkpoint.js';
import type { Checkpoints } from '../core/ports.js';
import { err, ok, type Result } from '../core/result.js';
import { noJournal, type Journal } from '../core/unfinished.js';
import { explainSystemError, isSystemError } from './fill.js';
import { lookAt, openFolder, openOrMakeFolder, type Folder } from './files/folder.js';
import { Pending, readIn } from './files/replace.js';

/** What came of a restore. */
export interface Restored {
  /** Checkpoint of the state before it: restoring that takes it back. */
  readonly before: string;
  readonly restored: readonly string[];
  /** What could not be brought back, in sentences. */
  readonly skipped: readonly string[];
}

type Store = Checkpoints & CheckpointSource;

/** The newest checkpoint, or one that is taken now when the workspace differs from it. */
async function checkpointNow(store: Store, why: string): Promise<string> {
  const taken = await store.take(why, null);
  if (taken !== null) return taken;
  return (await store.list()).at(-1)?.id ?? '';
}

async function find(store: Store, id: string): Promise<Result<CheckpointInfo, string>> {
  const found = (await store.list()).find((one) => one.id === id);
  return found ? ok(found) : err(`There is no checkpoint ${id}.`);
}

/** What a restore would change now. Takes a checkpoint of the present state first, so that it can be compared with. */
export async function previewRestore(
  store: Store,
  id: string,
  paths: readonly string[],
): Promise<Result<RestorePreview, string>> {
  const checkpoint = await find(store, id);
  if (!checkpoint.ok) return checkpoint;
  const before = await checkpointNow(store, 'as it was when you looked back');
  const { changes, cannot } = await possible(store, await store.changes(before, id, paths));
  return ok({ checkpoint: checkpoint.value, changes, cannot });
}

const CHANGED_IN_PLACE = 'too large to be kept as a copy, and it was changed in place since';

/** Changes that can be made, and sentences about those that cannot. Reads large files that are kept by a second name. */
async function possible(
  store: Store,
  all: readonly Change[],
): Promise<{ readonly changes: readonly Change[]; readonly cannot: readonly string[] }> {
  const changes: Change[] = [];
  const cannot: string[] = [];
  for (const change of all) {
    const { to } = change;
    const isLost = to?.type === 'large' && to.kept === 'link' && (await store.large(to)) === null;
    const why = isLost ? `${change.path}: ${CHANGED_IN_PLACE}` : cannotRestore(change);
    if (why === null) changes.push(change);
    else cannot.push(why);
  }
  return { changes, cannot };
}

/** Longer paths first: what lies in a folder goes before the folder. */
const deepestFirst = (a: Change, b: Change): number => b.path.length - a.path.length;
const outermostFirst = (a: Change, b: Change): number => a.path.length - b.path.length;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const isFile = (state: EntryState | null): boolean => state?.type === 'file' || state?.type === 'large';

/** Brings single things back. Each step is whole or not done; each looks again at what it replaces. */
class Restorer {
  readonly #store: Store;
  readonly restored = new Set<string>();
  readonly skipped: string[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  /** Runs one step on the folder that holds a path, and notes what came of it. */
  async #step(
    change: Change,
    isMaking: boolean,
    act: (folder: Folder, name: string) => Promise<string | null>,
  ): Promise<void> {
    const holder = path.dirname(change.path);
    const opened = isMaking ? openOrMakeFolder(holder, []) : openFolder(holder);
    if (!opened.ok) {
      if (opened.error === 'link') this.skipped.push(`${change.path}: a part of its path is a link now`);
      return;
    }
    try {
      const trouble = await writable(opened.value, () => act(opened.value, path.basename(change.path)));
      if (trouble === null) this.restored.add(change.path);
      else this.skipped.push(`${change.path}: ${trouble}`);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      this.skipped.push(`${change.path}: ${explainSystemError(error)}`);
    } finally {
      opened.value.close();
    }
  }

  /** Takes away what was not there, if it is still what the checkpoint before this restore saw. */
  async remove(change: Change): Promise<void> {
    await this.#step(change, false, (folder, name) => {
      const now = lookAt(folder.at(name));
      if (now === null) return Promise.resolve(null);
      if (!isStill(folder, name, change.from)) return Promise.resolve('it has changed meanwhile');
      if (now.isDirectory()) rmdirSync(folder.at(name));
      else unlinkSync(folder.at(name));
      return Promise.resolve(null);
    });
  }

  async makeFolder(change: Change): Promise<void> {
    await this.#step(change, true, (folder, name) => {
      if (lookAt(folder.at(name)) === null) mkdirSync(folder.at(name), 0o700);
      return Promise.resolve(null);
    });
  }

  async setFolderMode(change: Change): Promise<void> {
    const { to } = change;
    if (to?.type !== 'folder') return;
    await this.#step(change, false, (folder, name) => {
      if (lookAt(folder.at(name))?.isDirectory() !== true) return Promise.resolve('it is no folder');
      chmodSync(folder.at(name), to.mode);
      return Promise.resolve(null);
    });
  }

  async putLink(change: Change): Promise<void> {
    const { to } = change;
    if (to?.type !== 'link') return;
    await this.#step(change, true, (folder, name) => {
      if (!isStill(folder, name, change.from)) return Promise.resolve('it has changed meanwhile');
      const beside = `.lacuna-${String(process.pid)}-${sha256(Buffer.from(change.path)).slice(0, 12)}.tmp`;
      symlinkSync(to.target, folder.at(beside));
      renameSync(folder.at(beside), folder.at(name));
      return Promise.resolve(null);
    });
  }

  async putFile(change: Change): Promise<void> {
    const { to } = change;
    if (to?.type === 'large') return this.#putLarge(change, to);
    if (to?.type !== 'file') return;
    const bytes = await this.#store.read(to.hash);
    await this.#step(change, true, (folder, name) => {
      if (bytes === null) return Promise.resolve('its content is damaged or gone in the store');
      if (!isStill(folder, name, change.from)) return Promise.resolve('it has changed meanwhile');
      const old = lookAt(folder.at(name));
      const pending = Pending.write(folder, name, Buffer.from(bytes), old?.isFile() === true ? old : null, to.mode);
      if (!pending.commit()) return Promise.resolve('it has changed meanwhile');
      chmodSync(folder.at(name), to.mode);
      return Promise.resolve(null);
    });
  }

  async #putLarge(change: Change, to: LargeState): Promise<void> {
    const { sample, mode } = to;
    const kept = await this.#store.large(to);
    await this.#step(change, true, (folder, name) => {
      if (kept === null) return Promise.resolve(CHANGED_IN_PLACE);
      if (lookAt(folder.at(name)) !== null && !isFile(change.from)) return Promise.resolve('something else is there');
      const beside = `.lacuna-${String(process.pid)}-${sample.slice(0, 12)}.tmp`;
      copyFileSync(kept, folder.at(beside), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      chmodSync(folder.at(beside), mode);
      renameSync(folder.at(beside), folder.at(name));
      return Promise.resolve(null);
    });
  }
}

/** Whether what stands there is what the checkpoint before the restore saw. Small files are compared by content. */
function isStill(folder: Folder, name: string, from: EntryState | null): boolean {
  const now = lookAt(folder.at(name));
  if (now === null || from === null) return now === null;
  switch (from.type) {
    case 'file': {
      const read = readIn(folder, name, from.sizeBytes + 1);
      return read.ok && sha256(read.value.bytes) === from.hash;
    }
    case 'large':
      return now.isFile() && now.size === from.sizeBytes && now.mtimeMs === from.mtimeMs;
    case 'link':
      return now.isSymbolicLink();
    case 'folder':
      return now.isDirectory();
    case 'repository':
    case 'omitted':
      return false;
  }
}

/** Runs an act in a folder that may be closed to its owner: opened for the act, and closed again. */
async function writable<T>(folder: Folder, act: () => Promise<T>): Promise<T> {
  const { mode } = lstatSync(folder.at('.'));
  if ((mode & 0o300) === 0o300) return act();
  chmodSync(folder.at('.'), (mode & 0o7777) | 0o300);
  try {
    return await act();
  } finally {
    chmodSync(folder.at('.'), mode & 0o7777);
  }
}

/** A change that keeps the content and differs in mode alone is one too; a change of type takes away before it puts. */
const changesType = ({ from, to }: Change): boolean =>
  from !== null && to !== null && from.type !== to.type && !(isFile(from) && isFile(to));

/**
 * Brings a checkpoint back: all of it, or some files and folders. Takes a checkpoint of the present state first. What a person
 * has changed since that checkpoint is left alone and named. Every file is replaced whole; a crash in the middle leaves each one
 * as it was or as it is to be, and the checkpoint before brings back the rest; the journal lets the next start tell of it. A
 * person's act: it needs no permit.
 */
export async function restore(
  store: Store,
  id: string,
  paths: readonly string[],
  cancel: Cancel,
  journal: Journal = noJournal,
): Promise<Result<Restored, string>> {
  const checkpoint = await find(store, id);
  if (!checkpoint.ok) return checkpoint;
  const before = await checkpointNow(store, `before going back to: ${checkpoint.value.why}`.slice(0, 300));
  const all = await store.changes(before, id, paths);
  const restorer = new Restorer(store);
  const { changes, cannot } = await possible(store, all);
  restorer.skipped.push(...cannot);

  const steps: (readonly [Change, (change: Change) => Promise<void>])[] = [];
  const plan = (chosen: readonly Change[], step: (change: Change) => Promise<void>): void => {
    for (const change of chosen) steps.push([change, step]);
  };
  // What stands in the way of another type goes first, with all in it. Whatever else goes, goes last: until then a file that was
  // moved is at both places, and a crash loses neither.
  const inTheWay = changes.filter(changesType).map(({ path: place }) => place);
  const isInTheWay = ({ path: place }: Change): boolean =>
    inTheWay.some((one) => place === one || place.startsWith(`${one}/`));
  const gone = changes.filter((change) => change.to === null || changesType(change)).toSorted(deepestFirst);
  plan(gone.filter(isInTheWay), (change) => restorer.remove(change));
  const folders = changes.filter(({ to }) => to?.type === 'folder').toSorted(outermostFirst);
  plan(
    folders.filter(({ from }) => from?.type !== 'folder'),
    (change) => restorer.makeFolder(change),
  );
  const put = changes.map((change) => (changesType(change) ? { ...change, from: null } : change));
  plan(
    put.filter(({ to }) => isFile(to)),
    (change) => restorer.putFile(change),
  );
  plan(
    put.filter(({ to }) => to?.type === 'link'),
    (change) => restorer.putLink(change),
  );
  plan(
    gone.filter((change) => !isInTheWay(change)),
    (change) => restorer.remove(change),
  );
  plan(folders.toReversed(), (change) => restorer.setFolderMode(change));

  const roots = checkpoint.value.roots.map((root) => root.path);
  const settle = journal.begin({ type: 'restore', roots, checkpointId: id, before, paths });
  for (const [change, step] of steps) {
    if (cancel.aborted) {
      restorer.skipped.push('Cancelled: the rest is as it was.');
      break;
    }
    await step(change);
  }
  settle();
  return ok({ before, restored: [...restorer.restored].sort(), skipped: restorer.skipped });
}
