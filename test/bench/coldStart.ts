import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchRow } from './benchRow.js';
import { median } from './quantile.js';

const ROUNDS = 11;
/** The first starts of a build write down what V8 has compiled; all later ones read it. */
const WARM_UP = 3;
const repository = fileURLToPath(new URL('../..', import.meta.url));

/** One program as a user's machine starts it: cold, with its input at hand. What it says must hold `answer`. */
interface Start {
  readonly args: readonly string[];
  readonly input: string;
  readonly answer: string;
  readonly exitCode: number;
}

/** Milliseconds from start to end. A wrong answer is no measurement. */
function timed({ args, input, answer, exitCode }: Start, env: NodeJS.ProcessEnv, cwd: string): number {
  const start = performance.now();
  const ended = spawnSync(process.execPath, args, { input, env, cwd, encoding: 'utf8' });
  const took = performance.now() - start;
  if (ended.status !== exitCode || !ended.stdout.includes(answer))
    throw new Error(`${args.join(' ')} did not answer as it should: ${ended.stdout}${ended.stderr}`);
  return took;
}

/** Cold starts of the release bundles against a Node that does nothing, taken in turn so that a busy machine slows all alike. */
export function bench(): Promise<readonly BenchRow[]> {
  const out = path.join(repository, 'out/bench');
  execFileSync(process.execPath, ['esbuild.js', '--release', '--out', out], { cwd: repository, stdio: 'ignore' });
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-bench-')));
  // An empty state folder: no window announces an engine there, so the hook judges by itself.
  const env = { ...process.env, XDG_STATE_HOME: path.join(folder, 'state'), LOCALAPPDATA: path.join(folder, 'state') };
  const trace = { id: 'cold', workspace: folder, steps: [{ kind: 'ExecuteShell', params: { command: 'ls -la' } }] };
  const call = {
    session_id: 'cold',
    transcript_path: '',
    cwd: folder,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'rm -rf /' },
  };
  const bare: Start = { args: ['-e', '0'], input: '', answer: '', exitCode: 0 };
  const check: Start = {
    args: [path.join(out, 'cli.js'), 'check'],
    input: JSON.stringify(trace),
    answer: '"allow"',
    exitCode: 0,
  };
  const hook: Start = {
    args: [path.join(out, 'hook.js'), '--agent', 'claude'],
    input: JSON.stringify(call),
    answer: '"deny"',
    exitCode: 2,
  };
  const times = { bare: [] as number[], check: [] as number[], hook: [] as number[] };
  try {
    const first = { bare: timed(bare, env, folder), check: timed(check, env, folder), hook: timed(hook, env, folder) };
    for (let round = 0; round < WARM_UP; round += 1) for (const start of [check, hook]) timed(start, env, folder);
    for (let round = 0; round < ROUNDS; round += 1) {
      times.bare.push(timed(bare, env, folder));
      times.check.push(timed(check, env, folder));
      times.hook.push(timed(hook, env, folder));
    }
    const base = median(times.bare);
    return Promise.resolve([
      { name: 'lacuna check, cold, one trace: × node -e 0', ratio: median(times.check) / base, budget: 3 },
      { name: 'hook, cold, no engine: × node -e 0', ratio: median(times.hook) / base, budget: 3 },
      { name: 'lacuna check, first start of a build: × node -e 0', ratio: first.check / first.bare, budget: null },
      { name: 'hook, first start of a build: × node -e 0', ratio: first.hook / first.bare, budget: null },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
