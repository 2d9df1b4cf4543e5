import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { repository } from '../../scripts/host/place.js';
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

/** Judges a trace; microseconds of each step's decision. */
type Judge = (id: string, steps: readonly Step[]) => Promise<readonly number[]>;

/** Steps as `lacuna check` of the release judges them: run from source, every function would be named anew at each call. */
function judgeIn(workspace: string, state: string): { readonly judge: Judge; readonly close: () => void } {
  const out = path.join(repository, 'out/bench');
  execFileSync(process.execPath, ['esbuild.js', '--release', '--out', out], { cwd: repository, stdio: 'ignore' });
  const child = spawn(process.execPath, [path.join(out, 'cli.js'), 'check', '--sandbox', 'available'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, XDG_STATE_HOME: state, LOCALAPPDATA: state },
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const judge: Judge = async (id, steps) => {
    child.stdin.write(`${JSON.stringify({ id, workspace, steps })}\n`);
    const line = await answers.next();
    if (line.done === true) throw new Error('lacuna check has ended.');
    const said = JSON.parse(line.value) as TraceAnswer | { readonly error: string };
    if ('error' in said) throw new Error(`the steps to measure cannot be judged: ${said.error}`);
    return said.steps.map(({ micros }) => micros);
  };
  return { judge, close: () => child.kill() };
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
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-bench-')));
  const workspace = path.join(folder, 'workspace');
  const length = isAll ? 10_000 : 2_000;
  mkdirSync(path.join(workspace, 'src'), { recursive: true });
  writeFileSync(path.join(workspace, 'src/main.ts'), 'export const one = 1;\n');
  const { judge, close } = judgeIn(workspace, path.join(folder, 'state'));
  try {
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
    close();
    rmSync(folder, { recursive: true, force: true });
  }
}
