import { z } from 'zod';
import { isNestedDeeper } from '../json.js';
import { err, ok, type Result } from '../result.js';
import { isKind, KINDS, type Kind, type ParamsOf } from './kinds.js';

/** Who asked for it: which agent, through which door, for which request of which person. */
export interface Origin {
  /** `lacuna` for @lacuna, else the agent's name: `vscode`, `claude`, `codex`, `copilot`, `gemini`, `cursor`, `cli`, `mcp`. */
  readonly agent: string;
  /** Name of the sub-agent that proposed it; null for the main agent. */
  readonly subagent: string | null;
  /** The person's request in their own words; empty when the door does not tell. */
  readonly request: string;
  /** Identifier of the request or turn in the agent's own numbering; null when there is none. */
  readonly requestId: string | null;
}

/** What is asked for, without identity: the part that an agent writes. */
export type Proposal<K extends Kind = Kind> = { [P in K]: { readonly kind: P; readonly params: ParamsOf[P] } }[K];

/** A typed hole: what is wanted, doing nothing. Frozen JSON. It has no way to act; an executor needs a permit. */
export type Lacuna<K extends Kind = Kind> = Proposal<K> & {
  readonly id: string;
  readonly sessionId: string;
  /** Lacuna whose result opened this one; null at the top. */
  readonly parentId: string | null;
  /** 0 for the main agent, 1 for its sub-agent, and so on. */
  readonly depth: number;
  readonly origin: Origin;
  /** What the agent says it is for. Words of the agent: shown and reviewed as data, never obeyed. */
  readonly description: string;
  /** Step of the plan that announced it; null when none did. */
  readonly planStep: string | null;
};

/** Why a proposal could not be read. `issues` are sentences that name the parameter. */
export type ProposalError =
  | { readonly type: 'unknown-kind'; readonly kind: string }
  | { readonly type: 'invalid-params'; readonly kind: Kind; readonly issues: readonly string[] };

/** Parameters nested deeper than this are no parameters: who reads them would run out of stack. */
const MOST_NESTED = 100;

/** Parses what came from outside into a proposal. Strict: nothing is guessed, nothing is dropped. */
export function parseProposal(kind: string, params: unknown): Result<Proposal, ProposalError> {
  if (!isKind(kind)) return err({ type: 'unknown-kind', kind });
  if (isNestedDeeper(params, MOST_NESTED)) {
    const issues = [`params: nested more than ${MOST_NESTED} deep`];
    return err({ type: 'invalid-params', kind, issues });
  }
  const schema: z.ZodType = KINDS[kind].params;
  const parsed = schema.safeParse(params);
  if (parsed.success) return ok(Object.freeze({ kind, params: parsed.data }) as Proposal);
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'params'}: ${issue.message}`);
  return err({ type: 'invalid-params', kind, issues });
}
