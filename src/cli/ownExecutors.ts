import path from 'node:path';
import { JournalFolder } from '../adapters/journal.js';
import { detectSandboxes } from '../adapters/sandbox/detect.js';
import { journalFolder } from '../adapters/stateFolder.js';
import type { Executors } from '../core/gate/executor.js';
import type { FactsSource } from '../core/ports.js';
import { hasSandbox } from '../core/sandboxReport.js';
import { createExecutors } from '../executors/all.js';
import { maskFoundSecrets } from '../executors/output.js';
import { createSandboxes } from '../executors/sandbox/choose.js';
import { finishWhatWasLeft } from '../executors/unfinished.js';

/** What fills, and whether it can isolate. */
export interface OwnExecutors {
  readonly executors: Executors;
  readonly isIsolating: boolean;
  /** Lets go of sandboxes that are kept warm. */
  readonly dispose: () => Promise<void>;
}

/** Executors of this process, with the sandbox that the machine has. Loaded only by verbs that fill. `state`: hidden from commands. */
export async function openExecutors(facts: FactsSource, state: string): Promise<OwnExecutors> {
  const report = await detectSandboxes('native');
  const quarantine = path.join(state, 'quarantine');
  const sandboxes = createSandboxes({ report, hidden: [state], quarantine, image: null });
  const journal = new JournalFolder(journalFolder(state));
  finishWhatWasLeft(journal);
  const executors = createExecutors({
    facts,
    mask: maskFoundSecrets,
    journal,
    sandboxFor: (confinement) => sandboxes.sandboxFor(confinement),
  });
  return { executors, isIsolating: hasSandbox(report), dispose: () => sandboxes.dispose() };
}
