import path from 'node:path';
import { TreeSitter, installedWasm } from '../../src/adapters/treeSitter.js';
import { decidedEvents } from '../../src/core/check/decidedEvents.js';
import { judge } from '../../src/core/check/judge.js';
import { analyse } from '../../src/core/effects/analyse.js';
import { freshTerminal } from '../../src/core/effects/effect.js';
import type { Lacuna } from '../../src/core/lacuna/lacuna.js';
import { compilePolicy } from '../../src/core/policy/compile.js';
import { decide } from '../../src/core/policy/decide.js';
import { defaultLayers } from '../../src/core/policy/load.js';
import { chainOf } from '../../src/core/session/chain.js';
import { observe } from '../../src/core/session/content/observe.js';
import { initialState, next } from '../../src/core/session/state.js';
import { factsOf } from './facts.js';
import { stepOf, type DraftStep } from './sequences.js';

const syntax = new TreeSitter(installedWasm(path.resolve(import.meta.dirname, '../..')));
const policy = compilePolicy(defaultLayers());

/** Loads the grammars; to be awaited once before {@link chained}. */
export const loadChained = (): Promise<void> => syntax.load('bash');

/** The chain that is shown for the last of the steps, after all earlier ones were permitted and filled. */
export function chained(steps: readonly DraftStep[], request: string): readonly string[] {
  const facts = factsOf();
  const view = { facts, syntax, terminal: freshTerminal(facts.roots[0] ?? '/') };
  const options = { facts, identity: () => null, policyLabels: () => null, nowMs: 1_000 };
  const circumstances = { user: null, time: null, isHeadless: false, isTrusted: true, hasSandbox: true };
  let state = next(initialState('s', facts.roots, 'balanced', 0), { type: 'request', atMs: 0, text: request });
  let lines: readonly string[] = [];
  steps.forEach((draft, index) => {
    const { proposal, content } = stepOf(draft);
    const origin = { agent: 'test', subagent: null, request, requestId: null };
    const lacuna: Lacuna = Object.freeze({
      ...proposal,
      id: `l${index}`,
      sessionId: 's',
      parentId: null,
      depth: 0,
      origin,
      description: '',
      planStep: null,
    });
    const judged = judge(lacuna, state, view, options, circumstances, {
      analyse,
      decide: (...asked) => decide(policy, ...asked),
    });
    lines = chainOf(state, lacuna, judged.analysis, judged.assessment, 1_000);
    state = decidedEvents(judged, { verdict: 'allow', decidedBy: 'person' }, true, null, 1_000).reduce(next, state);
    const marks = content === null ? null : observe(content, judged.assessment.impact.context);
    state = next(state, { type: 'filled', atMs: 1_000, lacunaId: lacuna.id, outcome: 'filled', content: marks });
  });
  return lines;
}
