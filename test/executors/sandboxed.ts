import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { systemResolve } from '../../src/executors/http/resolve.js';
import { LinuxSandbox } from '../../src/executors/sandbox/linux.js';
import { Workspace } from './workspace.js';

/** Whether bubblewrap works here: it may be missing, or user namespaces may be switched off. */
export const hasBubblewrap = (): boolean =>
  process.platform === 'linux' &&
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { timeout: 10_000 }).status === 0;

/** A temporary workspace whose shell runs behind Linux walls, with a home folder of its own that holds a secret. */
export class SandboxedWorkspace extends Workspace {
  readonly sandbox: LinuxSandbox;
  readonly state: string;

  constructor() {
    const state = mkdtempSync(path.join(os.tmpdir(), 'lacuna-state-'));
    const sandbox = new LinuxSandbox({
      hidden: [state],
      quarantine: path.join(state, 'quarantine'),
      resolve: systemResolve,
    });
    super({ sandboxFor: () => sandbox });
    this.sandbox = sandbox;
    this.state = state;
  }

  async close(): Promise<void> {
    await this.sandbox.dispose();
    rmSync(this.state, { recursive: true, force: true });
    this.dispose();
  }
}
