import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { lookAtFileSystem } from '../../src/adapters/facts.js';
import { TreeSitter } from '../../src/adapters/treeSitter.js';
import { analyse } from '../../src/core/effects/analyse.js';
import { freshTerminal } from '../../src/core/effects/effect.js';
import { parseProposal } from '../../src/core/lacuna/lacuna.js';
import { wasmFolder } from '../support/wasm.js';
import type { BenchRow } from './benchRow.js';
import { quantile } from './quantile.js';

const MEBIBYTE = 1024 * 1024;
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');

/** Shell lines of a file of JSON Lines with a `command` each; lines of other shells are left out. */
function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as { readonly command?: unknown; readonly shell?: unknown })
    .flatMap(({ command, shell }) =>
      typeof command === 'string' && (shell === undefined || shell === 'bash') ? [command] : [],
    );
}

/** Microseconds of each line in one pass. */
function pass(lines: readonly string[], look: (line: string) => unknown): number[] {
  return lines.map((line) => {
    const start = performance.now();
    look(line);
    return (performance.now() - start) * 1_000;
  });
}

/**
 * The file that CORPUS names, line by line in one process, warm: time to effects beside another guard's time to an answer, and the
 * memory of `lacuna check` over it once and again. Without CORPUS there is nothing to measure.
 */
export async function bench(): Promise<readonly BenchRow[]> {
  const file = process.env['CORPUS'];
  if (file === undefined) return [];
  const lines = linesOf(file);
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-bench-')));
  try {
    const syntax = new TreeSitter(wasmFolder);
    await syntax.load('bash');
    const ours = (command: string): unknown => {
      const proposal = parseProposal('ExecuteShell', { command });
      if (!proposal.ok) return null;
      const facts = lookAtFileSystem({ roots: [folder], environment: 'unknown' });
      return analyse(proposal.value, { facts, syntax, terminal: freshTerminal(folder) });
    };
    const { checkCommand } = await import('cc-safety-net/api');
    const theirs = (command: string): unknown => checkCommand({ command, cwd: folder });
    pass(lines, ours);
    pass(lines.slice(0, 1_000), theirs);
    const [a, b] = [pass(lines, ours), pass(lines, theirs)];
    const memory = existsSync(cli) ? await memoryOver(lines, folder) : null;
    return [
      { name: `corpus, ${lines.length} lines: median µs to effects`, ratio: quantile(a, 0.5), budget: 300 },
      { name: 'corpus: 99 of 100 within µs', ratio: quantile(a, 0.99), budget: 3_000 },
      { name: 'corpus, cc-safety-net: median µs', ratio: quantile(b, 0.5), budget: null },
      { name: 'corpus, cc-safety-net: 99 of 100 within µs', ratio: quantile(b, 0.99), budget: null },
      ...(memory === null
        ? []
        : [
            { name: 'corpus: MiB of lacuna check after one pass', ratio: memory.first, budget: 150 },
            { name: 'corpus: MiB after a second pass', ratio: memory.second, budget: 150 },
            { name: 'corpus: MiB after a second pass: × the first', ratio: memory.second / memory.first, budget: 1.1 },
          ]),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Checker {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly answers: Interface;
}

/** Resident memory of one `lacuna check` after all lines, and after all lines again. */
async function memoryOver(
  lines: readonly string[],
  workspace: string,
): Promise<{ readonly first: number; readonly second: number }> {
  const child = spawn(process.execPath, [cli, 'check', '--review', 'off'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const checker: Checker = { child, answers: createInterface({ input: child.stdout }) };
  try {
    return { first: await feed(checker, lines, workspace), second: await feed(checker, lines, workspace) };
  } finally {
    child.kill();
  }
}

/** Sends every line, waits for every answer, and gives the resident memory then, in MiB. */
function feed({ child, answers }: Checker, lines: readonly string[], workspace: string): Promise<number> {
  return new Promise((resolve) => {
    let left = lines.length;
    const count = (): void => {
      left -= 1;
      if (left > 0) return;
      answers.off('line', count);
      const pages = Number(readFileSync(`/proc/${String(child.pid)}/statm`, 'utf8').split(' ')[1]);
      resolve((pages * 4_096) / MEBIBYTE);
    };
    answers.on('line', count);
    for (const command of lines) {
      const steps = [{ kind: 'ExecuteShell', params: { command } }];
      child.stdin.write(`${JSON.stringify({ id: 'x', request: '', workspace, steps })}\n`);
    }
  });
}
