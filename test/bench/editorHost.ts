import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { repository } from '../../scripts/host/place.js';
import { runSuite } from '../../scripts/host/suite.js';
import { buildHostSuites } from '../../scripts/suites.js';
import type { BenchRow } from './benchRow.js';

/** MiB that have come. */
interface Growth {
  readonly resident: number;
  readonly heap: number;
  readonly external: number;
}

/** Milliseconds that the start of an extension takes. */
interface Start {
  readonly loadMs: number;
  readonly activateMs: number;
}

/** What the suite in the extension host has measured (wear.suite.ts). */
interface Cost {
  readonly own: Start;
  /** The editor's own Git extension in the same start: what is slow on a busy machine is slow there too. */
  readonly git: Start;
  /** Over the first hundred Lacunas: what is loaded once, and what each leaves. */
  readonly growth: Growth;
  /** Over two hundred more: what each leaves. */
  readonly later: Growth;
  /** The most that the host ever took, beyond what it had before the first Lacuna. */
  readonly peakMiB: number;
}

/** What the extension costs in a real extension host: before anyone uses it, and over a session. */
export async function bench(): Promise<readonly BenchRow[]> {
  execFileSync(process.execPath, ['esbuild.js', '--release'], { cwd: repository, stdio: 'ignore' });
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-bench-')));
  const report = path.join(folder, 'cost.json');
  try {
    const code = await runSuite({
      entry: await buildHostSuites(),
      workspace: folder,
      settings: {},
      env: { LACUNA_BENCH: report, LACUNA_GREP: 'cost of the extension' },
      timeoutMs: 180_000,
    });
    if (code !== 0 || !existsSync(report)) throw new Error('The extension host has measured nothing.');
    const { own, git, growth, later, peakMiB } = JSON.parse(readFileSync(report, 'utf8')) as Cost;
    const part = (name: string, ratio: number): BenchRow => ({ name: `  ${name}`, ratio, budget: null });
    return [
      { name: 'activation before first use, in the editor, ms', ratio: own.loadMs + own.activateMs, budget: 50 },
      part('of it reading the code', own.loadMs),
      part('beside it, the Git extension of the editor, ms', git.loadMs + git.activateMs),
      { name: 'growth of the extension host by 100 Lacunas, MiB', ratio: growth.resident, budget: 60 },
      part('of it objects', growth.heap),
      part('asked for by WASM and buffers, touched or not', growth.external),
      part('at its peak', peakMiB),
      { name: 'growth by each further 100 Lacunas, MiB', ratio: later.resident / 2, budget: 10 },
      part('of it objects', later.heap / 2),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
