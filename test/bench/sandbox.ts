import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { systemResolve } from '../../src/executors/http/resolve.js';
import { run } from '../../src/executors/process/run.js';
import { LinuxSandbox } from '../../src/executors/sandbox/linux.js';
import { hasBubblewrap } from '../executors/sandboxed.js';
import { noCancel, tightConfinement } from '../executors/permits.js';
import type { BenchRow } from './benchRow.js';

const ROUNDS = 31;
const BARE = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-all', '--die-with-parent', 'true'];

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Infinity;

const noLimits = {
  timeoutMs: null,
  memoryMiB: null,
  processes: null,
  fileSizeMiB: null,
  outputMiB: null,
  diskMiB: null,
};

/** Time from a start to the end of all, in milliseconds, by the same code for both sides. */
async function timed(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const start = performance.now();
  const hooks = { onOutput: () => undefined, onKill: () => Promise.resolve() };
  await run({ argv, cwd: '/', env, children: 'kept' }, noLimits, noCancel, hooks).ended;
  return performance.now() - start;
}

/** Cost of `true` behind the walls, wrapping and after-look included, against bubblewrap alone. Empty where there is none. */
export async function bench(): Promise<readonly BenchRow[]> {
  if (!hasBubblewrap()) return [];
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-bench-')));
  const root = path.join(folder, 'ws');
  mkdirSync(root);
  spawnSync('git', ['init', '-q'], { cwd: root });
  const sandbox = new LinuxSandbox({ hidden: [], quarantine: path.join(folder, 'q'), resolve: systemResolve });
  const env = { PATH: '/usr/bin:/bin' };
  const bare: number[] = [];
  const walled: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await timed(['bwrap', ...BARE], env));
      const start = performance.now();
      const argv = ['/usr/bin/bash', '--noprofile', '--norc', '-c', 'true'];
      const home = os.homedir();
      const enclosed = await sandbox.enclose({
        argv,
        cwd: root,
        env,
        confinement: tightConfinement,
        roots: [root],
        home,
      });
      if (!enclosed.ok) return [];
      const hooks = { onOutput: () => undefined, onKill: () => Promise.resolve() };
      const ended = await run(enclosed.value.launch, noLimits, noCancel, hooks).ended;
      await enclosed.value.finish(ended, '');
      walled.push(performance.now() - start);
    }
  } finally {
    await sandbox.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
  return [{ name: 'sandbox: true, × bare bwrap without network', ratio: median(walled) / median(bare), budget: 3 }];
}
