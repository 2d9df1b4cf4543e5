import { analyse } from '../../src/core/effects/analyse.js';
import { freshTerminal } from '../../src/core/effects/effect.js';
import { parseProposal, type Lacuna, type Proposal } from '../../src/core/lacuna/lacuna.js';
import type { ReviewInput } from '../../src/core/ports.js';
import type { Syntax } from '../../src/core/effects/syntax.js';
import { decisionOf } from './decisions.js';
import { factsOf, type World } from './facts.js';

/** A proposal by its kind and parameters, or a line of bash. */
export type Wish = string | { readonly kind: string; readonly params: unknown };

function proposalOf(wish: Wish): Proposal {
  const { kind, params } = typeof wish === 'string' ? { kind: 'ExecuteShell', params: { command: wish } } : wish;
  const parsed = parseProposal(kind, params);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}

/** What a reviewer sees of a wish, through the real analysis, with what a test wants different. */
export function reviewInput(
  request: string,
  wish: Wish,
  syntax: Syntax,
  change: Partial<ReviewInput> & { readonly world?: World } = {},
): ReviewInput {
  const { world, ...rest } = change;
  const facts = factsOf(world);
  const proposal = proposalOf(wish);
  const lacuna: Lacuna = {
    ...proposal,
    id: 'l1',
    sessionId: 's',
    parentId: null,
    depth: 0,
    origin: { agent: 'test', subagent: null, request, requestId: null },
    description: '',
    planStep: null,
  };
  return {
    request,
    lacuna,
    analysis: analyse(proposal, { facts, syntax, terminal: freshTerminal(facts.roots[0] ?? '/') }),
    decision: decisionOf({ risk: 'medium' }),
    labels: [],
    findings: [],
    madeHere: [],
    planStep: null,
    chain: [],
    plan: 'none',
    earlier: [],
    trail: [],
    roots: facts.roots,
    ...rest,
  };
}
