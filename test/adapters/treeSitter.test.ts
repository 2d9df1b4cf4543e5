import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** MiB that V8's own work took at most while a process of its own parsed this many lines. */
function peakMiB(lines: number): number {
  const file = path.join(import.meta.dirname, '../support/manyLines.ts');
  const said = execFileSync(process.execPath, ['--import=tsx', file, String(lines)], { encoding: 'utf8' });
  return Number(said);
}

describe('the parser', () => {
  it('does not send its grammar through the optimising compiler, which takes up to 670 MiB for it', () => {
    const peak = peakMiB(3_000);
    assert.ok(peak > 0 && peak < 30, `V8 took ${peak} MiB`);
  });
});
