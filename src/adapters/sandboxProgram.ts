import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Programs that the sandbox of each system is made of. Windows has none that works without set-up. */
const NEEDED: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ['bwrap', 'socat', 'rg'],
  darwin: ['sandbox-exec', 'rg'],
};

function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error) return false;
      throw error;
    }
  });
}

/** Whether the programs for a sandbox are installed. A quick look for the command line: whether they work is not tried. */
export function hasSandboxProgram(): boolean {
  const needed = NEEDED[process.platform];
  return needed !== undefined && needed.every(isOnPath);
}
