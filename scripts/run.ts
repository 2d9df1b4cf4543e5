import { spawn } from 'node:child_process';
import { Trouble } from './say.js';

/** How a program that a script started has ended. */
export interface Ended {
  readonly code: number;
  /** Standard output and standard error as they came. */
  readonly output: string;
}

/** Where and how a script starts a program. `show` lets its output through to the person as it comes. */
export interface Start {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly show?: 'output';
}

/** Runs a program to its end. A program that cannot be started at all is a {@link Trouble}. */
export function run(program: string, args: readonly string[], start: Start = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: start.cwd,
      env: start.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // npm and code are command files on Windows, which only a shell can start.
      shell: process.platform === 'win32',
    });
    let output = '';
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ] as const) {
      from.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (start.show === 'output') to.write(chunk);
      });
    }
    child.on('error', (error) => reject(new Trouble(`${program} could not be started: ${error.message}`)));
    child.on('close', (code, signal) => resolve({ code: code ?? (signal ? 128 : 1), output }));
  });
}

/** Runs a program that has to succeed; else a {@link Trouble} with `failure` and the end of what it printed. */
export async function mustRun(
  program: string,
  args: readonly string[],
  failure: string,
  start: Start = {},
): Promise<string> {
  const { code, output } = await run(program, args, start);
  if (code === 0) return output;
  const tail = start.show === 'output' ? '' : `\n${output.trimEnd().split('\n').slice(-15).join('\n')}`;
  throw new Trouble(`${failure} (${program} ended with ${code})${tail}`);
}
