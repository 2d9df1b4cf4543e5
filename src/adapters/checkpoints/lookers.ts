import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { FIELDS, type Answer, type KnownFiles, type Order } from './lookProtocol.js';
import type { SeenFile, SeenFolder } from './scan.js';

/** Fewer files than this are looked at faster than threads are asked. */
const WORTH_FILES = 2_000;
const MOST_THREADS = 4;

/** One thread, the folders that it compares, and how many files are in them. */
interface Looker {
  readonly worker: Worker;
  readonly folders: Map<string, ReadonlyMap<string, SeenFile>>;
  files: number;
}

/** Every folder of a seen tree with its files, by path. */
function* foldersOf(at: string, { files, folders }: SeenFolder): Generator<[string, ReadonlyMap<string, SeenFile>]> {
  yield [at, files];
  for (const [name, inner] of folders) yield* foldersOf(`${at}/${name}`, inner);
}

function numbersOf(folder: string, files: ReadonlyMap<string, SeenFile>): KnownFiles {
  const numbers = new Float64Array(files.size * FIELDS);
  let at = 0;
  for (const { mtimeMs, ctimeMs, sizeBytes, ino, mode } of files.values()) {
    numbers.set([mtimeMs, ctimeMs, sizeBytes, ino, mode], at);
    at += FIELDS;
  }
  return { folder, names: [...files.keys()], numbers };
}

/**
 * Threads that compare a workspace with what the last pass saw of it. Looking at twenty thousand files is nearly all that a warm
 * pass costs, and nearly all of that is waiting for the system: several threads wait side by side. They only say where nothing
 * has changed; whatever else they say, or that they died, costs time and nothing more.
 */
export class Lookers {
  readonly #script: string;
  readonly #count: number;
  #lookers: Looker[] = [];
  #hasFailed = false;

  /** `script`: the module that each thread runs, as JavaScript of this Node. */
  constructor(script: string, count = Math.min(MOST_THREADS, os.availableParallelism())) {
    this.#script = script;
    this.#count = count;
  }

  /** Tells the threads what the last pass saw. Returns at once; does nothing for a small workspace. */
  learn(seen: ReadonlyMap<string, SeenFolder>): void {
    const files = [...seen.values()].reduce((sum, { fileCount }) => sum + fileCount, 0);
    if (files < WORTH_FILES || this.#hasFailed) return;
    if (this.#lookers.length === 0) this.#start();
    const folders = new Map([...seen].flatMap(([root, folder]) => [...foldersOf(root, folder)]));
    const news = new Map(
      this.#lookers.map((looker) => [looker, { learn: [] as KnownFiles[], forget: [] as string[] }]),
    );
    for (const [looker, { forget, learn }] of news)
      for (const [folder, known] of looker.folders) {
        const now = folders.get(folder);
        folders.delete(folder);
        if (now === known) continue;
        looker.files -= known.size;
        if (now === undefined) {
          looker.folders.delete(folder);
          forget.push(folder);
        } else this.#give(looker, folder, now, learn);
      }
    for (const [folder, now] of folders) {
      const looker = this.#lookers.reduce((least, one) => (one.files < least.files ? one : least));
      this.#give(looker, folder, now, news.get(looker)?.learn ?? []);
    }
    for (const [{ worker }, { learn, forget }] of news)
      if (learn.length + forget.length > 0) worker.postMessage({ type: 'know', learn, forget } satisfies Order);
  }

  #give(looker: Looker, folder: string, files: ReadonlyMap<string, SeenFile>, learn: KnownFiles[]): void {
    looker.folders.set(folder, files);
    looker.files += files.size;
    learn.push(numbersOf(folder, files));
  }

  /** Folders whose files are all what they were, with these files; null when nobody can tell. */
  async untouched(racyFromMs: number): Promise<ReadonlyMap<string, ReadonlyMap<string, SeenFile>> | null> {
    if (this.#lookers.length === 0) return null;
    const answers = await Promise.all(this.#lookers.map(({ worker }) => ask(worker, racyFromMs)));
    if (answers.includes(null)) {
      this.#hasFailed = true;
      await this.dispose();
      return null;
    }
    const result = new Map(this.#lookers.flatMap(({ folders }) => [...folders]));
    for (const answer of answers) for (const folder of answer?.touched ?? []) result.delete(folder);
    return result;
  }

  #start(): void {
    this.#lookers = Array.from({ length: this.#count }, () => {
      const worker = new Worker(this.#script);
      worker.unref();
      // A thread that cannot work is found out when it is asked.
      worker.on('error', () => undefined);
      return { worker, folders: new Map<string, ReadonlyMap<string, SeenFile>>(), files: 0 };
    });
  }

  async dispose(): Promise<void> {
    const lookers = this.#lookers;
    this.#lookers = [];
    await Promise.all(lookers.map(({ worker }) => worker.terminate()));
  }
}

/** One thread's answer; null when it has died. */
function ask(worker: Worker, racyFromMs: number): Promise<Answer | null> {
  return new Promise((resolve) => {
    const end = (answer: Answer | null): void => {
      worker.off('message', end);
      worker.off('error', onDeath);
      worker.off('exit', onDeath);
      worker.unref();
      resolve(answer);
    };
    const onDeath = (): void => end(null);
    worker.on('message', end);
    worker.on('error', onDeath);
    worker.on('exit', onDeath);
    worker.ref();
    if (worker.threadId < 0) return onDeath(); // it ended before it was asked
    worker.postMessage({ type: 'check', racyFromMs } satisfies Order);
  });
}
