import type { Cancel } from '../../src/core/cancel.js';
import type { Progress } from '../../src/core/gate/executor.js';
import { mint, type Permit, type World } from '../../src/core/gate/permit.js';
import type { Kind, ParamsOf } from '../../src/core/lacuna/kinds.js';
import type { Lacuna } from '../../src/core/lacuna/lacuna.js';
import type { Confinement, Decision, Obligations } from '../../src/core/policy/decision.js';

export const noObligations: Obligations = {
  checkpoint: false,
  credentials: [],
  maskColumns: [],
  retries: 0,
  limits: { timeoutSeconds: null, outputKiB: null, rows: null },
};

export const tightConfinement: Confinement = {
  backend: 'auto',
  hosts: [],
  writable: [],
  unreadable: [],
  unwritable: [],
  image: null,
  timeoutSeconds: 20,
  memoryMiB: 512,
  processes: 128,
  fileSizeMiB: 64,
};

/** An allow, or a sandbox when a confinement is given. */
export function decisionOf(confinement: Confinement | null, obligations: Obligations = noObligations): Decision {
  const verdict = confinement === null ? 'allow' : 'sandbox';
  return {
    verdict,
    policyVerdict: verdict,
    decidedBy: 'rule',
    risk: 'low',
    mode: 'balanced',
    rules: [],
    reason: 'for a test',
    advice: '',
    isClearable: false,
    confinement,
    repair: null,
    obligations,
  };
}

/** A Lacuna of one kind, as the command line would open it. */
export const lacunaOf = <K extends Kind>(kind: K, params: ParamsOf[K]): Lacuna<K> => {
  const lacuna: unknown = {
    kind,
    params,
    id: `l-${kind}`,
    sessionId: 's',
    parentId: null,
    depth: 0,
    origin: { agent: 'cli', subagent: null, request: '', requestId: null },
    description: '',
    planStep: null,
  };
  return lacuna as Lacuna<K>;
};

/** A world in which nothing ever changes. */
export const stillWorld: World = { nowMs: () => 0, digestNow: () => Promise.resolve('same') };

/** A fresh permit; bound to a still world when no other is given. */
export const permitFor = <K extends Kind>(
  kind: K,
  params: ParamsOf[K],
  options: {
    readonly confinement?: Confinement;
    readonly obligations?: Obligations;
    readonly world?: World;
    readonly binding?: { readonly subjects: readonly string[]; readonly digest: string };
    readonly expiresAtMs?: number;
  } = {},
): Permit<K> =>
  mint(
    lacunaOf(kind, params),
    decisionOf(options.confinement ?? null, options.obligations),
    options.binding ?? { subjects: [], digest: 'same' },
    options.expiresAtMs ?? 1,
    options.world ?? stillWorld,
  );

/** Nobody cancels. */
export const noCancel: Cancel = new AbortController().signal;

/** Collects what an executor streams. */
export function collector(): Progress & { readonly text: string } {
  const parts: string[] = [];
  return {
    output: (text) => {
      parts.push(text);
    },
    get text() {
      return parts.join('');
    },
  };
}
