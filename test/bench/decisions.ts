import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { answerer, settingsOf } from '../../src/cli/check.js';
import { parseArguments, type Io } from '../../src/cli/io.js';
import type { TraceAnswer } from '../../src/core/check/trace.js';
import type { BenchRow } from './benchRow.js';
import { LINES } from './lines.js';
import { median, quantile } from './quantile.js';

const ROUNDS = 25;
const WARM_UP = 8;
/** Steps at either end of a session whose cost is compared. */
const WINDOW = 200;

/** A step of a trace. */
interface Step {
  readonly kind: string;
  readonly params: object;
}

const shell = (command: string): Step => ({ kind: 'ExecuteShell', params: { command } });

/** Other kinds than shell lines, about as an agent mixes them. */
const OTHERS: readonly Step[] = [
  { kind: 'ReadFile', params: { path: 'src/main.ts' } },
  { kind: 'ReadFile', params: { path: '.env' } },
  { kind: 'ReadFile', params: { path: '../elsewhere/notes.md' } },
  { kind: 'ListFiles', params: { path: 'src' } },
  { kind: 'WriteFile', params: { path: 'src/new.ts', content: 'export const one = 1;\n' } },
  { kind: 'WriteFile', params: { path: '.github/workflows/build.yml', content: 'on: push\n' } },
  { kind: 'EditFile', params: { path: 'src/main.ts', edits: [{ oldText: 'one', newText: 'two' }] } },
  { kind: 'DeleteFile', params: { path: 'src/main.ts' } },
  { kind: 'MoveFile', params: { from: 'src/main.ts', to: 'src/app.ts' } },
  { kind: 'HttpRequest', params: { method: 'GET', url: 'https://example.org/a.json' } },
];

const quiet: Io = {
  out: () => undefined,
  error: (text) => void process.stderr.write(text),
  async *lines() {
    yield* await Promise.resolve([]);
  },
  isInteractive: false,
};

type Judge = (id: string, steps: readonly Step[]) => Promise<readonly number[]>;

/** Microseconds of each step's decision, by the code behind `lacuna check`, with the policy that users start with. */
function judgeIn(workspace: string): Judge {
  const answer = answerer(settingsOf(parseArguments(['--sandbox', 'available'], { sandbox: 'value' })), quiet);
  return async (id, steps) => {
    const said = (await answer(JSON.stringify({ id, workspace, steps }))) as TraceAnswer | { readonly error: string };
    if ('error' in said) throw new Error(`the steps to measure cannot be judged: ${said.error}`);
    return said.steps.map(({ micros }) => micros);
  };
}

/** Each step in a session of its own, so that none is judged by what the others did. */
async function mixedSet(judge: Judge): Promise<readonly number[]> {
  const mixed = [...LINES.map(shell), ...OTHERS];
  const micros: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const [index, step] of mixed.entries()) {
      const [cost = 0] = await judge(`mixed-${round}-${index}`, [step]);
      if (round >= WARM_UP) micros.push(cost);
    }
  }
  return micros;
}

/** Ordinary work that leaves something behind at each step: files read, files written, lines run. */
function ordinarySession(length: number): readonly Step[] {
  return Array.from({ length }, (_, index): Step => {
    const file = `src/part${index}.ts`;
    if (index % 4 === 0) return { kind: 'ReadFile', params: { path: file } };
    if (index % 4 === 1) return { kind: 'WriteFile', params: { path: file, content: `export const n = ${index};\n` } };
    return shell(index % 4 === 2 ? `git diff --stat ${file}` : `grep -n "value${index}" ${file}`);
  });
}

/** Cost late in a long session over cost early in it. Short sessions come first, so that both ends run compiled code. */
async function growth(judge: Judge, length: number): Promise<number> {
  for (let round = 0; round < 5; round += 1) await judge(`short-${round}`, ordinarySession(WINDOW));
  const micros = await judge('long', ordinarySession(length));
  return median(micros.slice(-WINDOW)) / median(micros.slice(10, 10 + WINDOW));
}

/** Time of decisions with everything warm, and what a long session adds to it. */
export async function bench({ isAll }: { readonly isAll: boolean }): Promise<readonly BenchRow[]> {
  const workspace = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-bench-')));
  const length = isAll ? 10_000 : 2_000;
  try {
    mkdirSync(path.join(workspace, 'src'));
    writeFileSync(path.join(workspace, 'src/main.ts'), 'export const one = 1;\n');
    const judge = judgeIn(workspace);
    const micros = await mixedSet(judge);
    return [
      { name: 'decision, mixed set, warm: median, µs', ratio: median(micros), budget: 1_000 },
      { name: 'decision, mixed set, warm: p99, µs', ratio: quantile(micros, 0.99), budget: null },
      {
        name: `decision at step ${length.toLocaleString('en')}: × step 10`,
        ratio: await growth(judge, length),
        budget: 1.5,
      },
    ];
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}
