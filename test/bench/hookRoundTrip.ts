import { spawn, spawnSync, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchRow } from './benchRow.js';
import { median } from './quantile.js';

const ROUNDS = 21;
const WARM_UP = 4;
const repository = fileURLToPath(new URL('../..', import.meta.url));

/** A hook call answered by a resident engine, against a Node that does nothing, taken in turn. */
export async function bench(): Promise<readonly BenchRow[]> {
  const out = path.join(repository, 'out/bench');
  execFileSync(process.execPath, ['esbuild.js', '--release', '--out', path.join(out, 'dist')], {
    cwd: repository,
    stdio: 'ignore',
  });
  cpSync(path.join(repository, 'plugin'), path.join(out, 'plugin'), { recursive: true });
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lac-')));
  const workspace = path.join(folder, 'w');
  mkdirSync(workspace);
  const env = {
    ...process.env,
    HOME: folder,
    XDG_STATE_HOME: path.join(folder, 's'),
    LOCALAPPDATA: path.join(folder, 's'),
  };
  // A process of its own, since we wait for the hook processes without a pause.
  const engine = spawn(
    process.execPath,
    ['--import', 'tsx', path.join(repository, 'test/bench/residentEngine.mts'), workspace],
    { cwd: repository, env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const hook = path.join(out, 'dist/hook.js');
  const call = (at: number): string =>
    JSON.stringify({
      session_id: 'bench',
      cwd: workspace,
      hook_event_name: 'PreToolUse',
      tool_name: 'Read',
      tool_input: { file_path: path.join(workspace, `file-${String(at)}.txt`) },
      tool_use_id: `t${String(at)}`,
    });
  const timed = (program: string, args: readonly string[], input: string, answer: string): number => {
    const start = performance.now();
    const ended = spawnSync(program, args, { input, env, cwd: workspace, encoding: 'utf8' });
    const took = performance.now() - start;
    if (ended.status !== 0 || !ended.stdout.includes(answer))
      throw new Error(`no answer: ${ended.stdout}${ended.stderr}`);
    return took;
  };
  const times = { bare: [] as number[], hook: [] as number[], script: [] as number[] };
  try {
    await new Promise<void>((resolve, reject) => {
      engine.stdout.once('data', () => resolve());
      engine.once('exit', () => reject(new Error('the engine ended')));
    });
    for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
      const bare = timed(process.execPath, ['-e', '0'], '', '');
      const one = timed(process.execPath, [hook, '--agent', 'claude'], call(2 * round), '"allow"');
      const script = timed(
        'sh',
        [path.join(out, 'plugin/hook.sh'), '--agent', 'claude'],
        call(2 * round + 1),
        '"allow"',
      );
      if (round < WARM_UP) continue;
      times.bare.push(bare);
      times.hook.push(one);
      times.script.push(script);
    }
  } finally {
    engine.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  const base = median(times.bare);
  return [
    { name: 'hook, answered by an engine: × node -e 0', ratio: median(times.hook) / base, budget: 1.5 },
    { name: 'the same with its start script: × node -e 0', ratio: median(times.script) / base, budget: null },
  ];
}
