import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchmarkCases, benchmarkInput } from '../../src/adapters/review/benchmark.js';
import { sha256OfFile, starterModel } from '../../src/adapters/review/models.js';
import { ReviewerProcess } from '../../src/adapters/review/process.js';
import { TreeSitter } from '../../src/adapters/treeSitter.js';
import { canonicalForm } from '../../src/core/review/canonical.js';
import { reviewFacts } from '../../src/core/review/facts.js';
import { wasmFolder } from '../support/wasm.js';
import type { BenchRow } from './benchRow.js';
import { median } from './quantile.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const never = new AbortController().signal;
const STARTS = 5;

/** Prompts as they come at work: the canonical forms of the bundled cases. */
async function prompts(models: string): Promise<readonly string[]> {
  const syntax = new TreeSitter(wasmFolder);
  await syntax.load('bash');
  const inputs = [];
  for (const one of benchmarkCases(models)) inputs.push(await benchmarkInput(one, syntax));
  return inputs.map((input) => canonicalForm(input, reviewFacts(input)));
}

/** Resident memory of a process, MB as the budget counts them. */
const residentMB = (pid: number): number =>
  (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024) / 1e6;

/** The starter model in its process, as the release bundle runs it. `flagAt` 1: a verdict only; 0: always a reason too. */
function open(models: string, program: string, flagAt: 0 | 1): ReviewerProcess {
  const choice = starterModel(models);
  if (choice === null) throw new Error('The starter model is missing.');
  const deadlines = { loadMs: 60_000, verdictMs: 20_000, reasonMs: 20_000 };
  return new ReviewerProcess(
    { ...choice, thresholds: { flagAt, rejectAt: 1 }, deadlines },
    { program, nowMs: () => performance.now(), sha256: sha256OfFile },
  );
}

async function timed(one: ReviewerProcess, texts: readonly string[]): Promise<readonly number[]> {
  const times: number[] = [];
  for (const text of texts) {
    const thought = await one.think({ text }, never);
    if (thought.type === 'none' && thought.why !== 'nonsense') throw new Error(thought.message);
    if (thought.type === 'thought') times.push(thought.durationMs);
  }
  return times;
}

/** What the reviewer's process costs: its start, a verdict, a reason after it, and its memory when it has answered a hundred times. */
export async function bench(): Promise<readonly BenchRow[]> {
  const out = path.join(repository, 'out/bench');
  execFileSync(process.execPath, ['esbuild.js', '--release', '--out', out], { cwd: repository, stdio: 'ignore' });
  const [models, program] = [path.join(repository, 'models'), path.join(out, 'reviewer.js')];
  const texts = await prompts(models);
  const starts: number[] = [];
  const opened: ReviewerProcess[] = [];
  try {
    for (let round = 0; round < STARTS; round++) {
      const one = open(models, program, 1);
      opened.push(one);
      const start = performance.now();
      const trouble = await one.warm();
      if (trouble !== null) throw new Error(trouble.message);
      starts.push(performance.now() - start);
      one.dispose();
    }
    const [short, long] = [open(models, program, 1), open(models, program, 0)];
    opened.push(short, long);
    await timed(short, texts.slice(0, 5));
    await timed(long, texts.slice(0, 5));
    const verdict = median(await timed(short, texts));
    const both = median(await timed(long, texts));
    return [
      { name: 'reviewer: start of its process, ms', ratio: median(starts), budget: 2000 },
      { name: 'reviewer: a verdict of the starter model, ms', ratio: verdict, budget: 20 },
      { name: 'reviewer: a reason after the verdict, ms', ratio: Math.max(0, both - verdict), budget: 80 },
      { name: 'reviewer: memory of its process, MB', ratio: residentMB(long.pid ?? 0), budget: 200 },
    ];
  } finally {
    for (const one of opened) one.dispose();
  }
}
