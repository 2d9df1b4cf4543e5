/** Compiled, never run: what must not compile, does not. */
import type { Cancel } from '../../src/core/cancel.js';
import type { Executor, Progress } from '../../src/core/gate/executor.js';
import { Permit, type World } from '../../src/core/gate/permit.js';
import type { Lacuna } from '../../src/core/lacuna/lacuna.js';

declare const shell: Executor<'ExecuteShell'>;
declare const run: Permit<'ExecuteShell'>;
declare const write: Permit<'WriteFile'>;
declare const open: Lacuna<'ExecuteShell'>;
declare const cancel: Cancel;
declare const progress: Progress;
declare const world: World;

void shell.fill(run, cancel, progress);
// @ts-expect-error An open lacuna is not a permit.
void shell.fill(open, cancel, progress);
// @ts-expect-error A permit to write is not a permit to run.
void shell.fill(write, cancel, progress);
// @ts-expect-error A copy is not a permit.
void shell.fill({ ...run }, cancel, progress);
// @ts-expect-error Only the gate mints.
void new Permit(open, run.decision, { subjects: [], digest: '' }, 0, world);
// @ts-expect-error The parameters live inside the permit.
void run.params;

// The whole visible surface: a field made public fails here.
const surface: Record<keyof Permit<'ExecuteShell'>, true> = {
  decision: true,
  expiresAtMs: true,
  revoke: true,
  spend: true,
};
void surface;
