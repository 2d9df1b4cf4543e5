import { z } from 'zod';
import { KINDS, KIND_NAMES, isKind, type Kind } from '../lacuna/kinds.js';
import { parseProposal, type Proposal } from '../lacuna/lacuna.js';
import { planSchema, type Plan } from '../plan/plan.js';
import { err, ok, type Result } from '../result.js';
import type { ToolSpec } from './brain.js';

type JsonSchema = Readonly<Record<string, unknown>>;

const PREFIX = 'lacuna_';

/** Name of the function by which a brain states its plan. */
export const PLAN_TOOL = `${PREFIX}plan`;

/** `ReadFile` → `lacuna_ReadFile`: the name under which agents see a kind. */
export const toolName = (kind: Kind): string => `${PREFIX}${kind}`;

/** The kind behind a function's name; null for every other word. */
export function kindOfTool(name: string): Kind | null {
  const word = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : '';
  return isKind(word) ? word : null;
}

/** Parameters that only the host may fill in: an agent's word about a server's hints is worth nothing. */
const HOST_ONLY: Partial<Record<Kind, readonly string[]>> = { CallTool: ['annotations'] };

const WHY: JsonSchema = {
  type: 'string',
  description: 'In one short sentence, for the person: what this is for.',
};
const STEP: JsonSchema = { type: 'string', description: 'The id of the step of your plan that this belongs to.' };

/** Keywords that say nothing to a model, or that some endpoints refuse. */
const NOISE: ReadonlySet<string> = new Set(['$schema', 'propertyNames', 'definitions', '$ref']);

function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (schema === null || typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !NOISE.has(key) && !(key === 'maximum' && value === Number.MAX_SAFE_INTEGER))
      .map(([key, value]) => [key, plain(value)]),
  );
}

/** JSON Schema (draft 7) of a zod schema, as plain as endpoints want it. A recursive part becomes "anything". */
export const jsonSchemaOf = (schema: z.ZodType): JsonSchema =>
  plain(z.toJSONSchema(schema, { target: 'draft-7', io: 'input' })) as JsonSchema;

/** JSON Schema of what an agent may pass for a kind: its parameters, without the host's own, and `why`. */
export function inputSchemaOf(kind: Kind): JsonSchema {
  const schema = jsonSchemaOf(KINDS[kind].params);
  const hidden = HOST_ONLY[kind] ?? [];
  const properties = Object.entries(schema['properties'] as JsonSchema).filter(([name]) => !hidden.includes(name));
  return { ...schema, properties: { ...Object.fromEntries(properties), why: WHY } };
}

/** What a model reads about a kind. */
export function describeKind(kind: Kind): string {
  const { summary, sideEffects, reversibility } = KINDS[kind];
  const undo = { yes: '', checkpoint: ' A checkpoint is taken first.', no: ' It cannot be undone.' }[reversibility];
  const effects = sideEffects === 'none' ? ' Changes nothing.' : undo;
  return `${summary}${effects} Guarded by Lacuna: policy or the person may refuse; the answer then says why and what to do instead.`;
}

/** The functions of the loop: the plan first (main agent only), then one per kind that is lent. */
export function agentTools(kinds: readonly Kind[], planning: 'own-plan' | 'plan-of-parent'): readonly ToolSpec[] {
  const tools = KIND_NAMES.filter((kind) => kinds.includes(kind)).map((kind): ToolSpec => {
    const schema = inputSchemaOf(kind);
    const properties = { ...(schema['properties'] as JsonSchema), ...(planning === 'own-plan' ? { step: STEP } : {}) };
    return { name: toolName(kind), description: describeKind(kind), schema: { ...schema, properties } };
  });
  if (planning === 'plan-of-parent') return tools;
  const plan: ToolSpec = {
    name: PLAN_TOOL,
    description:
      'State your plan before you do anything, and again whenever it changes: the goal, and steps with an id, the task, the kinds of functions it needs, the files, hosts and programs it touches, and the steps that come before it. It is checked and shown to the person.',
    schema: jsonSchemaOf(planSchema),
  };
  return [plan, ...tools];
}

/** A call that could be read: what is proposed, and what the agent says about it. */
export interface ReadCall {
  readonly proposal: Proposal;
  /** Words of the agent; empty when it gave none. */
  readonly why: string;
  readonly step: string | null;
}

const notes = z.looseObject({ why: z.string().max(1000).optional(), step: z.string().max(40).optional() });

/** Reads the arguments for a kind. Strict: issues are sentences that name the parameter; nothing is guessed or dropped. */
export function readCall(
  kind: Kind,
  input: Readonly<Record<string, unknown>>,
): Result<ReadCall, { readonly issues: readonly string[] }> {
  const hidden = (HOST_ONLY[kind] ?? []).filter((name) => Object.hasOwn(input, name));
  if (hidden.length > 0) return err({ issues: hidden.map((name) => `${name}: only the host may set this`) });
  const said = notes.safeParse(input);
  if (!said.success) return err({ issues: issuesOf(said.error) });
  const { why, step, ...params } = said.data;
  const proposal = parseProposal(kind, params);
  if (proposal.ok) return ok({ proposal: proposal.value, why: why ?? '', step: step ?? null });
  const { error } = proposal;
  return err({ issues: error.type === 'invalid-params' ? error.issues : [`${error.kind}: there is no such kind`] });
}

/** Reads the arguments of {@link PLAN_TOOL}. */
export function readPlan(
  input: Readonly<Record<string, unknown>>,
): Result<Plan, { readonly issues: readonly string[] }> {
  const parsed = planSchema.safeParse(input);
  return parsed.success ? ok(parsed.data) : err({ issues: issuesOf(parsed.error) });
}

const issuesOf = (error: z.ZodError): readonly string[] =>
  error.issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`);
