import { spawn } from 'node:child_process';

const TIMEOUT_MS = 180_000;

/** Runs a client to its end, or until it has taken too long. Resolves with all that it printed. */
export function endedClient(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const late = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(late);
      resolve(output);
    });
  });
}
