import { z } from 'zod';
import { KIND_NAMES } from '../lacuna/kinds.js';
import { OPS } from '../effects/effect.js';
import { planSchema } from '../plan/plan.js';
import { MODES } from '../policy/verdict.js';
import { err, ok, type Result } from '../result.js';
import { CONFIDENTIALITIES } from './label.js';
import { PersistentMap } from './persistentMap.js';
import type { SessionState } from './state.js';

const words = <const T extends string>(list: readonly T[]): z.ZodEnum<{ [K in T]: K }> => z.enum(list);
const labels = z.strictObject({ confidentiality: words(CONFIDENTIALITIES), isUntrusted: z.boolean() });
const map = <V extends z.ZodType>(value: V) => z.array(z.tuple([z.string(), value]));
const hashes = z.array(z.number());
const count = z.int().min(0);
const acts = [...OPS.filter((op) => op !== 'delete' && op !== 'move'), 'destroy'] as const;

const file = z.strictObject({
  labels,
  provenance: z.enum(['agent', 'download', 'derived', 'job', 'unknown']),
  isMadeHere: z.boolean(),
  copyOf: z.string().nullable().default(null),
  isDeleted: z.boolean(),
  step: count,
});

const refusal = z.strictObject({
  key: z.strictObject({
    act: z.enum(acts),
    subject: z.string(),
    content: z.string().nullable(),
    isForced: z.boolean(),
  }),
  step: count,
});

const rights = z.strictObject({
  name: z.string(),
  parent: z.string().nullable(),
  depth: count,
  kinds: z.array(words(KIND_NAMES)).nullable(),
  paths: z.array(z.array(z.string())),
  lacunas: z.number().nullable(),
  seconds: z.number().nullable(),
  tokens: z.number().nullable(),
  fromMs: z.number(),
});

const savedSchema = z.strictObject({
  v: z.literal(1),
  sessionId: z.string(),
  roots: z.array(z.string()),
  startedAtMs: z.number(),
  lastAtMs: z.number(),
  hasEnded: z.boolean(),
  mode: words(MODES),
  accepted: words(CONFIDENTIALITIES).default('public'),
  steps: count,
  requestStep: count,
  requestAtMs: z.number(),
  requests: z.array(z.string()),
  plan: planSchema.nullable(),
  fits: z.strictObject({ planned: count, exploratory: count, offPlan: count }),
  recentFits: z.string(),
  context: labels,
  files: map(file),
  identities: map(z.string()),
  marked: z.array(z.string()),
  isMarkedFull: z.boolean(),
  work: z.array(z.string()).default([]),
  variables: map(labels),
  staged: labels,
  committed: labels,
  secrets: hashes,
  passages: hashes,
  named: hashes,
  harmful: map(z.string()).default([]),
  refusals: map(refusal),
  recent: z.array(
    z.strictObject({ exact: z.string(), near: z.string(), isProgress: z.boolean(), isPermitted: z.boolean() }),
  ),
  risk: z.strictObject({ value: z.number(), atMs: z.number(), reasons: z.array(z.string()) }),
  destroyed: map(count),
  destroyedTotal: count,
  irreversible: count,
  usage: map(z.strictObject({ lacunas: count, tokens: count })),
  rights: map(rights),
  pending: z.array(z.strictObject({ lacunaId: z.string(), summary: z.string(), atMs: z.number() })),
  trail: z.array(z.strictObject({ step: count, text: z.string() })),
  lastBehaviour: z.string(),
});

/** A state as it is written to a file. */
export type SavedState = z.infer<typeof savedSchema>;

const keysOf = (set: PersistentMap<true, number>): number[] => set.toJSON().map(([hash]) => hash);
const pairs = <V>(saved: PersistentMap<V>): [string, V][] => saved.toJSON().map(([key, value]) => [key, value]);
const setOf = (saved: readonly number[]): PersistentMap<true, number> =>
  PersistentMap.from(saved.map((hash) => [hash, true] as const));

/** Turns a state into JSON. Linear in what the session knows. */
export function saveState(state: SessionState): SavedState {
  const {
    files,
    identities,
    variables,
    secrets,
    passages,
    named,
    harmful,
    refusals,
    destroyed,
    usage,
    rights,
    ...rest
  } = state;
  const saved = {
    v: 1,
    ...rest,
    files: pairs(files),
    identities: pairs(identities),
    variables: pairs(variables),
    secrets: keysOf(secrets),
    passages: keysOf(passages),
    named: keysOf(named),
    harmful: pairs(harmful),
    refusals: pairs(refusals),
    destroyed: pairs(destroyed),
    usage: pairs(usage),
    rights: pairs(rights),
  };
  return savedSchema.parse(saved);
}

/** Reads what {@link saveState} wrote. Strict: a state that does not fit is refused as a whole, and the audit is replayed instead. */
export function restoreState(value: unknown): Result<SessionState, string> {
  const parsed = savedSchema.safeParse(value);
  if (!parsed.success)
    return err(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
  const {
    v: _v,
    files,
    identities,
    variables,
    secrets,
    passages,
    named,
    harmful,
    refusals,
    destroyed,
    usage,
    rights,
    ...rest
  } = parsed.data;
  return ok({
    ...rest,
    files: PersistentMap.from(files),
    identities: PersistentMap.from(identities),
    variables: PersistentMap.from(variables),
    secrets: setOf(secrets),
    passages: setOf(passages),
    named: setOf(named),
    harmful: PersistentMap.from(harmful),
    refusals: PersistentMap.from(refusals),
    destroyed: PersistentMap.from(destroyed),
    usage: PersistentMap.from(usage),
    rights: PersistentMap.from(rights),
  });
}
