import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CheckpointStore } from '../../src/adapters/checkpoints/store.js';
import { buildLookWorker } from '../support/lookWorker.js';
import type { BenchRow } from './benchRow.js';

const FILES = 20_000;
const FOLDERS = 400;
const CHANGED = 10;
const ROUNDS = 9;
/** Rounds that are not counted: threads start, and code becomes fast. */
const WARM_UP = 2;

/** A tree of small text files, no two alike, sizes as in a source tree (about 4 KiB on average). */
function plant(root: string): readonly string[] {
  const files: string[] = [];
  for (let index = 0; index < FILES; index += 1) {
    const folder = path.join(root, `d${String(index % 20)}`, `e${String(index % FOLDERS)}`);
    if (index < FOLDERS) mkdirSync(folder, { recursive: true });
    const file = path.join(folder, `f${String(index)}.ts`);
    const line = `export const value${String(index)} = ${String(index * 7919)}; // line of file ${String(index)}\n`;
    writeFileSync(file, line.repeat(10 + (index % 110)));
    files.push(file);
  }
  return files;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Infinity;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** `git add -A` of the same tree into a fresh index and a fresh object store: what a checkpoint is compared with. */
function addWithGit(root: string, folder: string): number {
  const git = path.join(folder, 'yardstick');
  rmSync(git, { recursive: true, force: true });
  execFileSync('git', ['init', '-q', '--bare', git]);
  const start = performance.now();
  execFileSync('git', ['--git-dir', git, '--work-tree', root, 'add', '-A'], { cwd: root, stdio: 'ignore' });
  return performance.now() - start;
}

/** Cost of checkpoints: the first one against git, later ones against a fixed time. `rounds`: how often the first is taken. */
export async function bench(rounds: number): Promise<readonly BenchRow[]> {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-bench-')));
  const root = path.join(folder, 'ws');
  try {
    mkdirSync(root);
    const files = plant(root);
    const git = median(Array.from({ length: rounds }, () => addWithGit(root, folder)));
    const lookWorker = buildLookWorker(folder);
    const clock = { nowMs: () => Date.now(), nowMicros: () => 0 };
    const open = (name: string): CheckpointStore =>
      new CheckpointStore({ folder: path.join(folder, name), roots: [root], clock, lookWorker });
    const cold: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const store = open(`cold${String(round)}`);
      cold.push(await timed(() => store.take('cold', null)));
      await store.close();
    }
    // A clone that was just made proves nothing by its times for two seconds; a tree that stands does.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const store = open('warm');
    await store.take('first', null);
    const warm: number[] = [];
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      for (let index = 0; index < CHANGED; index += 1)
        writeFileSync(
          files[((round + WARM_UP) * 997 + index * 1_999) % FILES] ?? '',
          `changed ${String(round)} ${String(index)}\n`,
        );
      const ms = await timed(() => store.take('warm', null));
      if (round >= 0) warm.push(ms);
    }
    await store.close();
    return [
      { name: 'checkpoint, cold: × git add -A, 20,000 files', ratio: median(cold) / git, budget: 1.5 },
      { name: 'checkpoint, warm: ms, 20,000 files, ten changed', ratio: median(warm), budget: 150 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
