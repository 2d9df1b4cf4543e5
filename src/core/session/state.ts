import type { Plan } from '../plan/plan.js';
import { MODES, type Mode } from '../policy/verdict.js';
import type { ContentMarks, SessionEvent } from './event.js';
import type { Confidentiality } from './label.js';
import type { Rights } from './delegate.js';
import { refusalId } from './effectKeys.js';
import type { EffectKey, FileImpact, Impact, Provenance } from './impact.js';
import { isAtLeast, isMarked, joinLabels, labelWords, ORDINARY, type Labels } from './labels.js';
import { PersistentMap, type HashSet } from './persistentMap.js';
import { riskAt } from './riskAt.js';

/** What the session knows of a file or folder it touched. */
export interface FileState {
  readonly labels: Labels;
  readonly provenance: Provenance;
  /** The session made it where nothing stood. */
  readonly isMadeHere: boolean;
  /** What the session copied it from, where that is not the session's own; null when it is no such copy. */
  readonly copyOf: string | null;
  readonly isDeleted: boolean;
  /** Number of the step that touched it last. */
  readonly step: number;
}

/** An effect that a person refused. What policy refuses it refuses again by itself. */
export interface RefusedEffect {
  readonly key: EffectKey;
  readonly step: number;
}

/** One of the latest steps, for telling loops. */
export interface RecentStep {
  readonly exact: string;
  readonly near: string;
  readonly isProgress: boolean;
  readonly isPermitted: boolean;
}

/** What an agent or sub-agent has used up since the request, or since it was lent its rights. */
export interface Usage {
  readonly lacunas: number;
  readonly tokens: number;
}

/** A step that was permitted and whose outcome is not known yet: after a crash these are the unfinished ones. */
export interface PendingStep {
  readonly lacunaId: string;
  readonly summary: string;
  readonly atMs: number;
}

/** A line of the chain that a person is shown. */
export interface TrailEntry {
  readonly step: number;
  readonly text: string;
}

/**
 * Everything that earlier steps mean for the next one. Immutable; a step shares almost all with the one before, and nothing in
 * it grows with the number of steps but the files and marks it had to learn. Source: product.md §6.
 */
export interface SessionState {
  readonly sessionId: string;
  readonly roots: readonly string[];
  readonly startedAtMs: number;
  readonly lastAtMs: number;
  readonly hasEnded: boolean;
  readonly mode: Mode;
  /** What the session carried when a person last set the mode: they knew of it, so it steps nothing up again. */
  readonly accepted: Confidentiality;
  /** Steps decided so far. */
  readonly steps: number;
  /** Steps decided when the latest request came, and its time. */
  readonly requestStep: number;
  readonly requestAtMs: number;
  /** The latest requests of the person, oldest first; at most {@link LIMITS.requests}. */
  readonly requests: readonly string[];
  readonly plan: Plan | null;
  readonly fits: { readonly planned: number; readonly exploratory: number; readonly offPlan: number };
  /** Latest fits first; `o` off plan, `x` exploratory, `p` planned. At most 12. */
  readonly recentFits: string;
  /** What the agent's context carries. Never shrinks but by declassification. */
  readonly context: Labels;
  readonly files: PersistentMap<FileState>;
  /** `device:inode` → path in `files`. */
  readonly identities: PersistentMap<string>;
  /** Paths in `files` that carry more than ordinary labels, newest last; at most {@link LIMITS.marked}, then `isMarkedFull`. */
  readonly marked: readonly string[];
  readonly isMarkedFull: boolean;
  /** Places to which the session moved work that no commit holds; at most {@link LIMITS.work}. */
  readonly work: readonly string[];
  readonly variables: PersistentMap<Labels>;
  readonly staged: Labels;
  readonly committed: Labels;
  /** Marks of contents. */
  readonly secrets: HashSet;
  readonly passages: HashSet;
  readonly named: HashSet;
  /** Files of code that this session wrote and that would be stopped if they were run: path → why. */
  readonly harmful: PersistentMap<string>;
  readonly refusals: PersistentMap<RefusedEffect>;
  readonly recent: readonly RecentStep[];
  readonly risk: { readonly value: number; readonly atMs: number; readonly reasons: readonly string[] };
  /** Folder → how many files without a commit were destroyed in it, one by one. */
  readonly destroyed: PersistentMap<number>;
  readonly destroyedTotal: number;
  readonly irreversible: number;
  readonly usage: PersistentMap<Usage>;
  readonly rights: PersistentMap<Rights>;
  readonly pending: readonly PendingStep[];
  readonly trail: readonly TrailEntry[];
  /** The latest behaviour, for transitions of the baseline. */
  readonly lastBehaviour: string;
}

/** Bounds of what a session remembers. What is forgotten only ever makes judgement stricter or is out of date. */
export const LIMITS = {
  requests: 8,
  marked: 400,
  recent: 32,
  trail: 24,
  reasons: 8,
  pending: 64,
  secrets: 20_000,
  passages: 20_000,
  named: 20_000,
  refusals: 2_000,
  harmful: 500,
  work: 400,
} as const;

/** Key of the main agent in `usage`; sub-agents stand under their names. */
export const MAIN_AGENT = '';

/** A session before anything happened. */
export function initialState(sessionId: string, roots: readonly string[], mode: Mode, atMs: number): SessionState {
  return {
    sessionId,
    roots,
    startedAtMs: atMs,
    lastAtMs: atMs,
    hasEnded: false,
    mode,
    accepted: 'public',
    steps: 0,
    requestStep: 0,
    requestAtMs: atMs,
    requests: [],
    plan: null,
    fits: { planned: 0, exploratory: 0, offPlan: 0 },
    recentFits: '',
    context: ORDINARY,
    files: PersistentMap.empty(),
    identities: PersistentMap.empty(),
    marked: [],
    isMarkedFull: false,
    work: [],
    variables: PersistentMap.empty(),
    staged: ORDINARY,
    committed: ORDINARY,
    secrets: PersistentMap.empty(),
    passages: PersistentMap.empty(),
    named: PersistentMap.empty(),
    harmful: PersistentMap.empty(),
    refusals: PersistentMap.empty(),
    recent: [],
    risk: { value: 0, atMs, reasons: [] },
    destroyed: PersistentMap.empty(),
    destroyedTotal: 0,
    irreversible: 0,
    usage: PersistentMap.empty(),
    rights: PersistentMap.empty(),
    pending: [],
    trail: [],
    lastBehaviour: '',
  };
}

const capped = <T>(items: readonly T[], item: T, most: number): readonly T[] => [...items.slice(1 - most), item];

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/'))) || '/';

/** Takes up what a step does to one file. Labels join; they never shrink, not even by deleting or overwriting. */
function withFile(state: SessionState, impact: FileImpact, step: number): SessionState {
  const old = state.files.get(impact.path);
  const labels = joinLabels(old?.labels ?? ORDINARY, impact.labels);
  const isDelete = impact.change === 'delete';
  const file: FileState = {
    labels,
    provenance: isDelete ? (old?.provenance ?? 'unknown') : impact.provenance,
    isMadeHere: !isDelete && (impact.isNew || (old?.isMadeHere ?? false)),
    copyOf: isDelete ? null : (impact.copyOf ?? old?.copyOf ?? null),
    isDeleted: isDelete,
    step,
  };
  const files = state.files.set(impact.path, file);
  const identities = impact.identity === null ? state.identities : state.identities.set(impact.identity, impact.path);
  if (!isMarked(labels) || (old !== undefined && isMarked(old.labels))) return { ...state, files, identities };
  const isMarkedFull = state.isMarkedFull || state.marked.length >= LIMITS.marked;
  return { ...state, files, identities, isMarkedFull, marked: capped(state.marked, impact.path, LIMITS.marked) };
}

/** What is known of the code in files: what was written last counts, and what is gone runs no more. */
function withHarmful(state: SessionState, { files, harmful = [] }: Impact): SessionState {
  let known = state.harmful;
  for (const { path, change } of files) if (change === 'delete' && known.has(path)) known = known.delete(path);
  for (const { path, why } of harmful) {
    if (why === null) known = known.delete(path);
    else if (known.size < LIMITS.harmful || known.has(path)) known = known.set(path, why);
  }
  return known === state.harmful ? state : { ...state, harmful: known };
}

function withDestroyed(state: SessionState, paths: readonly string[]): SessionState {
  let destroyed = state.destroyed;
  for (const path of paths) destroyed = destroyed.set(folderOf(path), (destroyed.get(folderOf(path)) ?? 0) + 1);
  return { ...state, destroyed, destroyedTotal: state.destroyedTotal + paths.length };
}

function withWork(state: SessionState, { work }: Impact): SessionState {
  if (work === undefined || (work.to.length === 0 && work.gone.length === 0)) return state;
  const left = state.work.filter((place) => !work.gone.includes(place) && !work.to.includes(place));
  return { ...state, work: [...left, ...work.to].slice(-LIMITS.work) };
}

function withContext(state: SessionState, labels: Labels, sources: readonly string[], step: number): SessionState {
  const context = joinLabels(state.context, labels);
  let trail = state.trail;
  for (const source of sources.slice(0, 4)) trail = capped(trail, { step, text: `read ${source}` }, LIMITS.trail);
  if (context === state.context) return { ...state, trail };
  const gained = labelWords(context).filter((word) => !labelWords(state.context).includes(word));
  return {
    ...state,
    context,
    trail: capped(trail, { step, text: `the session now carries: ${gained.join(', ')}` }, LIMITS.trail),
  };
}

const FIT_LETTERS = { planned: 'p', exploratory: 'x', 'off-plan': 'o', none: '' } as const;

function withFit(state: SessionState, impact: Impact): SessionState {
  const letter = FIT_LETTERS[impact.fit];
  if (letter === '') return state;
  const { planned, exploratory, offPlan } = state.fits;
  return {
    ...state,
    recentFits: (letter + state.recentFits).slice(0, 12),
    fits: {
      planned: planned + Number(letter === 'p'),
      exploratory: exploratory + Number(letter === 'x'),
      offPlan: offPlan + Number(letter === 'o'),
    },
  };
}

/** Stricter of two modes. */
const stricterMode = (a: Mode, b: Mode): Mode => (MODES.indexOf(a) >= MODES.indexOf(b) ? a : b);

/** INVARIANT: only a person steps the mode down. */
function withMode(state: SessionState, wanted: Mode, by: 'person' | 'engine', why: string): SessionState {
  const mode = by === 'person' ? wanted : stricterMode(state.mode, wanted);
  const text = `mode ${mode} (${by}): ${why}`;
  const after = { ...state, mode, trail: capped(state.trail, { step: state.steps, text }, LIMITS.trail) };
  if (by === 'engine') return after;
  // Who steps down has seen the risk so far: only what comes on top steps the mode up again.
  const isStepDown = MODES.indexOf(mode) < MODES.indexOf(state.mode);
  return {
    ...after,
    accepted: state.context.confidentiality,
    risk: isStepDown ? { ...state.risk, value: 0, reasons: [] } : state.risk,
  };
}

/** What a permitted step changes. */
function permitted(state: SessionState, event: Extract<SessionEvent, { type: 'decided' }>): SessionState {
  const { impact } = event;
  const step = state.steps;
  let after = state;
  for (const file of impact.files) after = withFile(after, file, step);
  after = withWork(withHarmful(after, impact), impact);
  after = withContext(withDestroyed(after, impact.destroyed), impact.context, impact.sources, step);
  for (const { name, labels } of impact.variables) {
    const joined = joinLabels(after.variables.get(name) ?? ORDINARY, labels);
    if (isMarked(joined)) after = { ...after, variables: after.variables.set(name, joined) };
  }
  const pending = { lacunaId: event.lacunaId, summary: impact.summary, atMs: event.atMs };
  return withFit(
    {
      ...after,
      staged: impact.staged === null ? after.staged : joinLabels(after.staged, impact.staged),
      committed: impact.committed === null ? after.committed : joinLabels(after.committed, impact.committed),
      irreversible: after.irreversible + Number(impact.isIrreversible),
      rights: event.lends === null ? after.rights : after.rights.set(event.lends.name, event.lends),
      pending: capped(after.pending, pending, LIMITS.pending),
      lastBehaviour: impact.behaviour[0] ?? after.lastBehaviour,
    },
    impact,
  );
}

/** What a refused step leaves behind: the memory of what a person refused. */
function refused(state: SessionState, event: Extract<SessionEvent, { type: 'decided' }>): SessionState {
  let refusals = state.refusals;
  for (const index of event.by === 'person' ? event.refused : []) {
    const key = event.impact.keys[index];
    if (key !== undefined && refusals.size < LIMITS.refusals) {
      refusals = refusals.set(refusalId(key), { key, step: state.steps });
    }
  }
  const text = `refused: ${event.impact.summary}`;
  return { ...state, refusals, trail: capped(state.trail, { step: state.steps, text }, LIMITS.trail) };
}

/** Counts for the one who used it and for all above: what a sub-agent uses comes out of its parent's budget. */
function used(state: SessionState, subagent: string | null, more: Usage): PersistentMap<Usage> {
  let usage = state.usage;
  let who: string | null = subagent;
  for (let depth = 0; depth < 32; depth++) {
    const name: string = who ?? MAIN_AGENT;
    const { lacunas, tokens } = usage.get(name) ?? { lacunas: 0, tokens: 0 };
    usage = usage.set(name, { lacunas: lacunas + more.lacunas, tokens: tokens + more.tokens });
    if (who === null) return usage;
    who = state.rights.get(who)?.parent ?? null;
  }
  return usage;
}

function decided(before: SessionState, event: Extract<SessionEvent, { type: 'decided' }>): SessionState {
  const { impact, isPermitted } = event;
  const { exact, near } = impact.fingerprint;
  const value = riskAt(before, event.atMs) + impact.risk;
  const state: SessionState = {
    ...before,
    steps: before.steps + 1,
    usage: used(before, event.subagent, { lacunas: 1, tokens: 0 }),
    recent: capped(
      before.recent,
      { exact, near, isProgress: isPermitted && impact.isProgress, isPermitted },
      LIMITS.recent,
    ),
    risk: {
      value,
      atMs: event.atMs,
      reasons: [...before.risk.reasons, ...impact.riskReasons].slice(-LIMITS.reasons),
    },
  };
  return isPermitted ? permitted(state, event) : refused(state, event);
}

function withHashes(map: HashSet, hashes: readonly number[], most: number): HashSet {
  let after = map;
  for (const hash of hashes) if (after.size < most) after = after.set(hash, true);
  return after;
}

function withContent(state: SessionState, content: ContentMarks): SessionState {
  const after = withContext(state, content.labels, [], state.steps);
  return {
    ...after,
    secrets: withHashes(after.secrets, content.secrets, LIMITS.secrets),
    passages: withHashes(after.passages, content.passages, LIMITS.passages),
    named: withHashes(after.named, content.named, LIMITS.named),
  };
}

function declassified(state: SessionState, event: Extract<SessionEvent, { type: 'declassified' }>): SessionState {
  const text = `declassified to ${event.to} by ${event.by}: ${event.path ?? 'the session'} (${event.why})`;
  const trail = capped(state.trail, { step: state.steps, text }, LIMITS.trail);
  if (event.path === null) {
    const context = { ...state.context, confidentiality: event.to };
    return isAtLeast(state.context.confidentiality, event.to) ? { ...state, context, trail } : { ...state, trail };
  }
  const file = state.files.get(event.path);
  const known: FileState = file ?? {
    labels: ORDINARY,
    provenance: 'unknown',
    isMadeHere: false,
    copyOf: null,
    isDeleted: false,
    step: state.steps,
  };
  const labels: Labels = { ...known.labels, confidentiality: event.to };
  return {
    ...state,
    trail,
    files: state.files.set(event.path, { ...known, labels }),
    marked: isMarked(labels) ? state.marked : state.marked.filter((path) => path !== event.path),
  };
}

function pardoned(state: SessionState, what: Extract<SessionEvent, { type: 'pardoned' }>['what']): SessionState {
  switch (what) {
    case 'loop':
      return { ...state, recent: [] };
    case 'refusals':
      return { ...state, refusals: PersistentMap.empty() };
    case 'budget':
      return { ...state, usage: PersistentMap.empty(), requestStep: state.steps, requestAtMs: state.lastAtMs };
    case 'drift':
      return { ...state, recentFits: '' };
  }
}

function apply(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'started':
      // The same session again, after a reload of the window: what it knows stays, and its mode is never milder.
      if (state.sessionId === event.sessionId && state.steps > 0) {
        return { ...state, hasEnded: false, mode: stricterMode(state.mode, event.mode) };
      }
      return initialState(event.sessionId, event.roots, event.mode, event.atMs);
    case 'request': {
      const usage = state.usage.delete(MAIN_AGENT);
      const requests = capped(state.requests, event.text, LIMITS.requests);
      return { ...state, requests, usage, requestStep: state.steps, requestAtMs: event.atMs, recent: [] };
    }
    case 'plan':
      return { ...state, plan: event.plan, recentFits: '' };
    case 'decided':
      return decided(state, event);
    case 'filled': {
      const pending = state.pending.filter((step) => step.lacunaId !== event.lacunaId);
      const after = { ...state, pending };
      return event.content === null ? after : withContent(after, event.content);
    }
    case 'mode':
      return withMode(state, event.mode, event.by, event.why);
    case 'declassified':
      return declassified(state, event);
    case 'tokens':
      return { ...state, usage: used(state, event.subagent, { lacunas: 0, tokens: event.count }) };
    case 'pardoned':
      return pardoned(state, event.what);
    case 'ended':
      return { ...state, hasEnded: true };
  }
}

/** The state after one more event. Pure: the same events give the same state. Constant time but for what the event itself names. */
export function next(state: SessionState, event: SessionEvent): SessionState {
  return { ...apply(state, event), lastAtMs: Math.max(state.lastAtMs, event.atMs) };
}

/** The state after all of them. */
export const replay = (state: SessionState, events: Iterable<SessionEvent>): SessionState => {
  let after = state;
  for (const event of events) after = next(after, event);
  return after;
};
