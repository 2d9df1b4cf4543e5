import path from 'node:path';
import { TreeSitter, installedWasm } from '../../src/adapters/treeSitter.js';
import {
  judgeTrace,
  type Trace,
  type TraceAnswer,
  type TracePorts,
  type TraceStep,
  type TraceWorld,
} from '../../src/core/check/trace.js';
import { analyse } from '../../src/core/effects/analyse.js';
import type { Facts } from '../../src/core/effects/facts.js';
import { parseProposal } from '../../src/core/lacuna/lacuna.js';
import { compilePolicy } from '../../src/core/policy/compile.js';
import { decide } from '../../src/core/policy/decide.js';
import { defaultLayers } from '../../src/core/policy/load.js';
import { factsOf, type World } from './facts.js';

const syntax = new TreeSitter(installedWasm(path.resolve(import.meta.dirname, '../..')));
const policy = compilePolicy(defaultLayers());

/** A step as cases write it: a shell line as text, or a kind with its params and what came of it. */
export type DraftStep =
  | string
  | {
      readonly kind: string;
      readonly params: unknown;
      readonly actor?: string;
      readonly answer?: 'approve' | 'deny';
      readonly content?: string;
    };

/** Parses a step; a case with a wrong one is a fault of the test. */
export function stepOf(draft: DraftStep): TraceStep {
  const step = typeof draft === 'string' ? { kind: 'ExecuteShell', params: { command: draft } } : draft;
  const proposal = parseProposal(step.kind, step.params);
  if (!proposal.ok) throw new Error(JSON.stringify(proposal.error));
  return {
    proposal: proposal.value,
    actor: step.actor ?? null,
    answer: step.answer ?? 'approve',
    content: step.content ?? null,
  };
}

/** Loads the grammars; to be awaited once before {@link judgeSteps}. */
export const loadGrammars = (): Promise<void> => syntax.load('bash');

/** Judges steps in a made-up world with the real parser, the real analysis and the built-in packs; with a sandbox at hand. */
export function judgeSteps(
  steps: readonly DraftStep[],
  options: {
    readonly request?: string;
    readonly world?: World;
    readonly facts?: Facts;
    readonly change?: Partial<TraceWorld>;
  } = {},
): TraceAnswer {
  const facts = options.facts ?? factsOf(options.world);
  const trace: Trace = {
    id: 'case',
    request: options.request ?? '',
    workspace: facts.roots[0] ?? '/',
    cwd: null,
    home: null,
    platform: null,
    steps: steps.map(stepOf),
  };
  let micros = 0;
  const ports: TracePorts = {
    clock: { nowMs: () => 1_000_000, nowMicros: () => (micros += 10) },
    syntax,
    analyse,
    open: () => ({
      facts,
      identity: () => null,
      policyLabels: () => null,
      mode: 'balanced',
      circumstances: { user: null, time: null, isHeadless: false, isTrusted: true, hasSandbox: true },
      decide: (proposal, analysis, context) => decide(policy, proposal, analysis, context),
      ...options.change,
    }),
  };
  return judgeTrace(trace, ports);
}
