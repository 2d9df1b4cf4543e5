import type { Analysis, Effect } from '../../src/core/effects/effect.js';
import { freshTerminal } from '../../src/core/effects/effect.js';
import type { Confinement, Decision } from '../../src/core/policy/decision.js';

/** A decision of policy alone, with what a test wants different. */
export const decisionOf = (change: Partial<Decision>): Decision => ({
  verdict: 'allow',
  policyVerdict: change.verdict ?? 'allow',
  decidedBy: 'rule',
  risk: 'low',
  mode: 'balanced',
  rules: [],
  reason: 'a rule says so',
  advice: '',
  isClearable: false,
  confinement: null,
  repair: null,
  obligations: {
    checkpoint: false,
    credentials: [],
    maskColumns: [],
    retries: 0,
    limits: { timeoutSeconds: null, outputKiB: null, rows: null },
  },
  ...change,
});

/** Isolation without anything granted. */
export const closed: Confinement = {
  backend: 'auto',
  hosts: [],
  writable: [],
  unreadable: [],
  unwritable: [],
  image: null,
  timeoutSeconds: 60,
  memoryMiB: 1024,
  processes: 64,
  fileSizeMiB: 256,
};

/** An effect on a workspace file, with what a test wants different. */
export const effectOf = (change: Partial<Effect>): Effect => ({
  op: 'write',
  resource: { type: 'path', path: '/ws/a', place: 'workspace', git: 'tracked' },
  certainty: 'exact',
  reversible: 'checkpoint',
  traits: [],
  command: null,
  note: '',
  ...change,
});

/** An analysis with some effects and nothing else. */
export const analysisOf = (...effects: readonly Effect[]): Analysis => ({
  effects,
  commands: [],
  flows: [],
  terminal: freshTerminal('/ws'),
});
