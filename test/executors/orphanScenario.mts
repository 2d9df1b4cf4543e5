/** A process that runs a command and is killed from outside while it runs. Arguments: isolated or not, the command. */
import { noCancel } from './permits.js';
import { SandboxedWorkspace } from './sandboxed.js';
import { tightConfinement } from './permits.js';
import { Workspace } from './workspace.js';

const [how = '', command = '', background = ''] = process.argv.slice(2);
const isIsolated = how === 'isolated';
const ws = isIsolated ? new SandboxedWorkspace() : new Workspace();
setInterval(() => process.stdout.write(''), 1_000);
process.stdout.write(`${ws.outside}\n`);
await ws.fill(
  'ExecuteShell',
  { command, ...(background === 'background' ? { background: true } : {}) },
  { ...(isIsolated ? { confinement: tightConfinement } : {}), cancel: noCancel as AbortSignal },
);
