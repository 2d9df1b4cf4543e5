import path from 'node:path';
import { AuditFolder } from '../adapters/auditFile.js';
import { Baselines } from '../adapters/baselines.js';
import { createBindings } from '../adapters/bindings.js';
import { CheckpointStore, storeFolder } from '../adapters/checkpoints/store.js';
import { lookAtFileSystem } from '../adapters/facts.js';
import { fileIdentity } from '../adapters/fileIdentity.js';
import { KeptPolicyFolder } from '../adapters/keptPolicies.js';
import { policyFiles, standardSources } from '../adapters/policyFiles.js';
import { localTime, userName } from '../adapters/person.js';
import { stateFolder } from '../adapters/stateFolder.js';
import { clock, hasher, ids } from '../adapters/system.js';
import { TreeSitter } from '../adapters/treeSitter.js';
import type { Circumstances } from '../core/check/judge.js';
import type { Facts } from '../core/effects/facts.js';
import type { Engine } from '../core/gate/openSession.js';
import { DEFAULT_CONFINEMENT } from '../core/policy/confine.js';
import { troubleLines } from '../core/policy/lastGood.js';
import { PolicyStore } from '../core/policy/store.js';
import type { Approver } from '../core/ports.js';
import { filledByHost } from '../hooks/filledByHost.js';
import type { OwnExecutors } from './ownExecutors.js';
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

/** Nothing is filled here, so nothing is isolated either. */
const BY_HOST: OwnExecutors = { executors: filledByHost, isIsolating: false, dispose: () => Promise.resolve() };

/** An engine that keeps things warm, and lets go of them at its end. */
export interface OpenEngine extends Engine {
  readonly close: () => Promise<void>;
}

/** The command line's composition root: every port, put together for one workspace. */
export async function openEngine(options: EngineOptions): Promise<OpenEngine> {
  const look = (): Facts => lookAtFileSystem({ roots: [options.workspace] });
  const facts = { look };
  const state = options.state ?? stateFolder();
  const policy = new PolicyStore(policyFiles, new KeptPolicyFolder(state, { hasher, clock }), true);
  await policy.load(standardSources(look().roots));
  for (const line of policy.loaded.flatMap(troubleLines)) options.warn(`${line}\n`);
  const audits = new AuditFolder(path.join(state, 'audit'), { hasher, clock });
  const baselines = new Baselines(path.join(state, 'baselines'), audits, { hasher, clock });
  const { executors, isIsolating, dispose } =
    options.filledBy === 'host' ? BY_HOST : await (await import('./ownExecutors.js')).openExecutors(facts, state);
  // Where the agent's host waits for each single call, a process for it would cost more than it says.
  const { openReviewer } = await import('../adapters/review/open.js');
  const reviewing = openReviewer(__dirname, { type: options.filledBy === 'host' ? 'linear' : 'starter' }, 'smart');
  const { roots } = look();
  const checkpoints = new CheckpointStore({ folder: storeFolder(state, roots), roots, clock });
  const circumstances: Circumstances = {
    user: userName(),
    time: null,
    isHeadless: options.isHeadless,
    isTrusted: true,
    hasSandbox: isIsolating,
  };
  return {
    clock,
    ids,
    syntax: new TreeSitter(wasmFolder()),
    look,
    identity: fileIdentity,
    policy,
    circumstances: () => ({ ...circumstances, time: localTime(new Date(clock.nowMs())) }),
    sandbox: () => (isIsolating ? DEFAULT_CONFINEMENT : null),
    bindings: createBindings(facts, clock),
    reviewer: reviewing.reviewer,
    approver: options.approver,
    checkpoints,
    executors,
    audit: (sessionId) => audits.open(sessionId),
    usual: (folders, sessionId) => baselines.usual(folders, sessionId),
    proposeRule: () => null,
    addRule: () => Promise.reject(new Error('Rules are written in the editor only.')),
    close: async () => {
      reviewing.dispose();
      await dispose();
      await checkpoints.close();
    },
  };
}
