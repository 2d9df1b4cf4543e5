import path from 'node:path';
import { AuditFolder } from '../adapters/auditFile.js';
import { createBindings } from '../adapters/bindings.js';
import { CheckpointStore, storeFolder } from '../adapters/checkpoints/store.js';
import { lookAtFileSystem } from '../adapters/facts.js';
import { fileIdentity } from '../adapters/fileIdentity.js';
import { policyFiles, standardSources } from '../adapters/policyFiles.js';
import { localTime, userName } from '../adapters/person.js';
import { detectSandboxes } from '../adapters/sandbox/detect.js';
import { JournalFolder } from '../adapters/journal.js';
import { journalFolder, stateFolder } from '../adapters/stateFolder.js';
import { clock, hasher, ids } from '../adapters/system.js';
import { TreeSitter } from '../adapters/treeSitter.js';
import type { Circumstances } from '../core/check/judge.js';
import type { Facts } from '../core/effects/facts.js';
import type { Engine } from '../core/gate/openSession.js';
import { DEFAULT_CONFINEMENT } from '../core/policy/confine.js';
import { problemLine } from '../core/policy/problem.js';
import { PolicyStore } from '../core/policy/store.js';
import type { Approver, Reviewer } from '../core/ports.js';
import { hasSandbox, type SandboxReport } from '../core/sandboxReport.js';
import { createExecutors } from '../executors/all.js';
import { maskFoundSecrets } from '../executors/output.js';
import { createSandboxes } from '../executors/sandbox/choose.js';
import { finishWhatWasLeft } from '../executors/unfinished.js';
import { wasmFolder } from './wasm.js';

/** Where and for whom the command line works. */
export interface EngineOptions {
  readonly workspace: string;
  readonly approver: Approver;
  readonly isHeadless: boolean;
  /** Where audit, state and checkpoints are kept. */
  readonly state?: string; // [the user's]
  readonly warn: (text: string) => void;
  /** Who runs what is allowed: this program, which can isolate it, or the agent's host, which this program cannot. */
  readonly filledBy?: 'lacuna' | 'host'; // [lacuna]
}

/** No reviewer: what it would say is left open, and nothing is cleared. */
const noReviewer: Reviewer = {
  review: () => Promise.resolve({ type: 'none', why: 'off', message: 'The reviewer is off.' }),
};

/** An engine that keeps things warm, and lets go of them at its end. */
export interface OpenEngine extends Engine {
  readonly close: () => Promise<void>;
}

/** The command line's composition root: every port, put together for one workspace. */
export async function openEngine(options: EngineOptions): Promise<OpenEngine> {
  const look = (): Facts => lookAtFileSystem({ roots: [options.workspace] });
  const facts = { look };
  const policy = new PolicyStore(policyFiles, true);
  await policy.load(standardSources(look().roots));
  for (const problem of policy.problems) options.warn(`${problemLine(problem)}\n`);
  const syntax = new TreeSitter(wasmFolder());
  await syntax.load('bash', ...(process.platform === 'win32' ? (['powershell'] as const) : []));
  const state = options.state ?? stateFolder();
  const audits = new AuditFolder(path.join(state, 'audit'), { hasher, clock });
  const report: SandboxReport = options.filledBy === 'host' ? { backends: [] } : await detectSandboxes('native');
  const quarantine = path.join(state, 'quarantine');
  const sandboxes = createSandboxes({ report, hidden: [state], quarantine, image: null });
  const journal = new JournalFolder(journalFolder(state));
  finishWhatWasLeft(journal);
  const { roots } = look();
  const checkpoints = new CheckpointStore({ folder: storeFolder(state, roots), roots, clock });
  const circumstances: Circumstances = {
    user: userName(),
    time: null,
    isHeadless: options.isHeadless,
    isTrusted: true,
    hasSandbox: hasSandbox(report),
  };
  return {
    clock,
    ids,
    syntax,
    look,
    identity: fileIdentity,
    policy,
    circumstances: () => ({ ...circumstances, time: localTime(new Date(clock.nowMs())) }),
    sandbox: () => (hasSandbox(report) ? DEFAULT_CONFINEMENT : null),
    bindings: createBindings(facts, clock),
    reviewer: noReviewer,
    approver: options.approver,
    checkpoints,
    executors: createExecutors({
      facts,
      mask: maskFoundSecrets,
      journal,
      sandboxFor: (confinement) => sandboxes.sandboxFor(confinement),
    }),
    audit: (sessionId) => audits.open(sessionId),
    proposeRule: () => null,
    addRule: () => Promise.reject(new Error('Rules are written in the editor only.')),
    close: async () => {
      await sandboxes.dispose();
      await checkpoints.close();
    },
  };
}
