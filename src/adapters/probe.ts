import { spawn } from 'node:child_process';

/** How a hook process ended. */
export interface ProbeEnded {
  readonly code: number | null;
  readonly stdout: string;
}

/**
 * Runs a hook's command line as an agent's host does, by the shell, with an input that is only asked about. Nothing of what the
 * input names is done: that would be the host's part. Null when it did not end in time.
 */
export function runHook(
  command: string,
  input: object,
  { cwd, timeoutMs }: { readonly cwd: string; readonly timeoutMs: number },
): Promise<ProbeEnded | null> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, cwd, stdio: ['pipe', 'pipe', 'ignore'] });
    let stdout = '';
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      resolve(null);
    }, timeoutMs);
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stdin.on('error', () => undefined); // one that ends at once does not read
    child.on('error', () => resolve({ code: null, stdout }));
    child.on('close', (code) => {
      clearTimeout(late);
      resolve({ code, stdout });
    });
    child.stdin.end(JSON.stringify(input));
  });
}
