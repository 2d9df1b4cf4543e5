import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AuditFolder } from '../../src/adapters/auditFile.js';
import { createBindings } from '../../src/adapters/bindings.js';
import { lookAtFileSystem } from '../../src/adapters/facts.js';
import { fileIdentity } from '../../src/adapters/fileIdentity.js';
import { policyFiles } from '../../src/adapters/policyFiles.js';
import { clock, hasher, ids } from '../../src/adapters/system.js';
import { installedWasm, TreeSitter } from '../../src/adapters/treeSitter.js';
import type { Engine } from '../../src/core/gate/openSession.js';
import { keepsNothing } from './keptPolicies.js';
import { PolicyStore } from '../../src/core/policy/store.js';
import type { Approver } from '../../src/core/ports.js';
import { createExecutors } from '../../src/executors/all.js';
import { maskFoundSecrets } from '../../src/executors/output.js';

const syntax = new TreeSitter(installedWasm(path.resolve(import.meta.dirname, '../..')));

/** A real engine over a temporary workspace; only the person is made up. */
export interface LiveEngine {
  readonly root: string;
  readonly home: string;
  readonly state: string;
  readonly audits: AuditFolder;
  readonly engine: Engine;
  put(name: string, text: string): void;
  remove(): void;
}

/** Opens one. The grammar of bash is loaded once for all. */
export async function liveEngine(approver: Approver): Promise<LiveEngine> {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-live-')));
  const place = { root: path.join(base, 'work'), home: path.join(base, 'home'), state: path.join(base, 'state') };
  for (const folder of Object.values(place)) mkdirSync(folder);
  return { ...(await engineAt(place, approver)), remove: () => rmSync(base, { recursive: true, force: true }) };
}

/** An engine for folders that are there already. */
export async function engineAt(
  { root, home, state }: Pick<LiveEngine, 'root' | 'home' | 'state'>,
  approver: Approver,
): Promise<Omit<LiveEngine, 'remove'>> {
  await syntax.load('bash');
  const audits = new AuditFolder(path.join(state, 'audit'), { hasher, clock });
  const look = () => lookAtFileSystem({ roots: [root], home });
  const engine: Engine = {
    clock,
    ids,
    syntax,
    look,
    identity: fileIdentity,
    policy: new PolicyStore(policyFiles, keepsNothing, true),
    circumstances: () => ({ user: null, time: null, isHeadless: false, isTrusted: true, hasSandbox: false }),
    sandbox: () => null,
    bindings: createBindings({ look }, clock),
    reviewer: { review: () => Promise.resolve({ type: 'none', why: 'off', message: '' }) },
    approver,
    checkpoints: { take: () => Promise.resolve(null) },
    executors: createExecutors({ facts: { look }, mask: maskFoundSecrets }),
    audit: (sessionId) => audits.open(sessionId),
    usual: () => null,
    proposeRule: () => null,
    addRule: () => Promise.reject(new Error('not here')),
  };
  return {
    root,
    home,
    state,
    audits,
    engine,
    put: (name, text) => {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), text);
    },
  };
}
