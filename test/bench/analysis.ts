import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { lookAtFileSystem } from '../../src/adapters/facts.js';
import { TreeSitter } from '../../src/adapters/treeSitter.js';
import { analyse } from '../../src/core/effects/analyse.js';
import { freshTerminal } from '../../src/core/effects/effect.js';
import { parseProposal } from '../../src/core/lacuna/lacuna.js';
import { wasmFolder } from '../support/wasm.js';
import type { BenchRow } from './benchRow.js';
import { LINES } from './lines.js';
import { median } from './quantile.js';

const ROUNDS = 11;
const WARM_UP = 5;

/** Microseconds a line, over one pass through all lines. */
function pass(look: (line: string) => unknown): number {
  const start = performance.now();
  for (const line of LINES) look(line);
  return ((performance.now() - start) * 1_000) / LINES.length;
}

/** From a line to its effects, beside what another guard needs to say yes or no to the same line in the same folder. */
export async function bench(): Promise<readonly BenchRow[]> {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-bench-')));
  const syntax = new TreeSitter(wasmFolder);
  await syntax.load('bash');
  const ours = (command: string): unknown => {
    const proposal = parseProposal('ExecuteShell', { command });
    if (!proposal.ok) throw new Error(`${command} is no command`);
    // Facts are looked up anew for each line, as for each call of an agent.
    const facts = lookAtFileSystem({ roots: [folder], environment: 'unknown' });
    return analyse(proposal.value, { facts, syntax, terminal: freshTerminal(folder) });
  };
  // Offered to `import` alone, and scripts are run as CommonJS.
  const { checkCommand } = await import('cc-safety-net/api');
  const theirs = (command: string): unknown => checkCommand({ command, cwd: folder });
  const times = { ours: [] as number[], theirs: [] as number[] };
  try {
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      const [one, other] = [pass(ours), pass(theirs)];
      if (round < WARM_UP) continue;
      times.ours.push(one);
      times.theirs.push(other);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return [
    { name: `analysis, ${LINES.length} shell lines, warm: µs a line`, ratio: median(times.ours), budget: null },
    { name: 'analysis: × cc-safety-net', ratio: median(times.ours) / median(times.theirs), budget: null },
  ];
}
