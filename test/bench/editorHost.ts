import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { repository } from '../../scripts/host/place.js';
import { runSuite } from '../../scripts/host/suite.js';
import { buildHostSuites } from '../../scripts/suites.js';
import type { BenchRow } from './benchRow.js';

/** What the suite in the extension host has measured. */
interface Cost {
  readonly loadMs: number;
  readonly activateMs: number;
  readonly residentMiB: number;
  readonly heapMiB: number;
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
    const { loadMs, activateMs, residentMiB, heapMiB } = JSON.parse(readFileSync(report, 'utf8')) as Cost;
    return [
      { name: 'activation before first use, in the editor, ms', ratio: loadMs + activateMs, budget: 50 },
      { name: 'growth of the extension host by 100 Lacunas, MiB resident', ratio: residentMiB, budget: 60 },
      { name: 'growth of the extension host by 100 Lacunas, MiB heap', ratio: heapMiB, budget: null },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
