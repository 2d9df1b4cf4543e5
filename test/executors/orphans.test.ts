import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { hasBubblewrap } from './sandboxed.js';

const scenario = path.join(import.meta.dirname, 'orphanScenario.mts');
const lines = (): readonly string[] =>
  execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' }).split('\n');
const isThere = (text: string): boolean =>
  lines().some((line) => line.includes(text) && !line.includes('orphanScenario'));
/** Whether the command itself runs: its text stands in the arguments of what starts it before that. */
const isRunning = (text: string): boolean => lines().some((line) => line.trim() === text);

async function until(holds: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(what);
}

describe('when the process that runs commands is killed with SIGKILL, nothing of them is left (@slow)', function () {
  this.timeout(60_000);
  const ways = [
    ['free', 'foreground'],
    ['free', 'background'],
    ...(hasBubblewrap() ? [['isolated', 'foreground'] as const, ['isolated', 'background'] as const] : []),
  ] as const;
  for (const [index, [how, where]] of ways.entries())
    it(`${how}, ${where}`, async () => {
      const mark = `9${String(index)}${String(process.pid)}.25`;
      const command = `(sleep ${mark} & sleep ${mark}) & sleep ${mark}; true`;
      const child = spawn(process.execPath, ['--import=tsx', scenario, how, command, where], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let folder = '';
      child.stdout.on('data', (chunk: Buffer) => (folder += chunk.toString()));
      try {
        await until(() => isRunning(`sleep ${mark}`), 'the command does not run');
        child.kill('SIGKILL');
        await until(() => !isThere(`sleep ${mark}`), 'something is left of it');
      } finally {
        child.kill('SIGKILL');
        if (folder.startsWith('/')) rmSync(folder.trim(), { recursive: true, force: true });
      }
    });
});
