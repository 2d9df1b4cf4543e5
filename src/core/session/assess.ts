import { freshTerminal, type Analysis, type Effect, type Flow, type TerminalState } from '../effects/effect.js';
import { findSecrets, maskSecrets } from '../effects/secrets.js';
import { shownPath } from '../effects/paths.js';
import { OWN_JOB } from '../effects/shell/word.js';
import type { Lacuna } from '../lacuna/lacuna.js';
import { fitOf } from '../plan/compare.js';
import type { PlanFit } from '../policy/context.js';
import { MODES, type Mode } from '../policy/verdict.js';
import type { Baseline } from './baseline.js';
import { contentsOf } from './content/contents.js';
import { lend, remainingOf, type Rights } from './delegate.js';
import { effectKeys } from './effectKeys.js';
import type { Found } from './evidence.js';
import { destroyedWork, findingsOf } from './findings.js';
import { labelsOfText, track, type Tracked } from './flow.js';
import type { FileImpact, Impact, Provenance } from './impact.js';
import type { Label } from './label.js';
import { isMarked, joinLabels, labelWords, ORDINARY, type Labels } from './labels.js';
import { DEFAULT_LIMITS, DEFAULT_THRESHOLDS, type RiskThresholds, type SessionLimits } from './limits.js';
import { fingerprintOf } from './loops.js';
import type { LabelSources } from './pathLabels.js';
import { workMovedBy } from './movedWork.js';
import { riskPoints } from './riskPoints.js';
import { riskAt } from './riskAt.js';
import { MAIN_AGENT, type SessionState } from './state.js';
import { isChange, isOutward } from './traits.js';

/** What an assessment looks at besides the state and the analysis. */
export interface AssessOptions extends LabelSources {
  readonly nowMs: number;
  readonly limits?: SessionLimits; // [DEFAULT_LIMITS]
  readonly thresholds?: RiskThresholds; // [DEFAULT_THRESHOLDS]
  /** The terminal as it is before the action. */
  readonly terminal?: TerminalState; // [a fresh one]
  readonly baseline?: Baseline | null; // [null]
  /** Whether what an effect makes run later is known and harmless, by index of the effect. */
  readonly isHarmlessLater?: (effect: number) => boolean; // [never]
  /** Why what an effect makes run later would be stopped now; null when it would not. */
  readonly harmLater?: (effect: number) => string | null; // [null]
  /** Why the code that is written to a path would be stopped if it were run; null when not, undefined when the text is not known. */
  readonly harmWritten?: (path: string) => string | null | undefined; // [not known]
}

/** What the session has to say about one Lacuna, and what that Lacuna would mean for later ones. */
export interface Assessment {
  /** Mode that holds for this step: the session's, or a stricter one. */
  readonly mode: Mode;
  /** Why the engine steps the mode up; null when it does not. The caller records it as an event. */
  readonly stepUp: string | null;
  /** Cumulative risk before this step, decay counted. */
  readonly risk: number;
  readonly labels: readonly Label[];
  /** By index of the effect: labels of its resource and of the data that goes into it. */
  readonly effectLabels: readonly (readonly Label[])[];
  readonly findings: readonly Found[];
  readonly plan: PlanFit;
  readonly planStep: string | null;
  /** Rights that a Delegate lends when it is permitted; null for other kinds. */
  readonly lends: Rights | null;
  /** To be put into the `decided` event, whatever the decision. */
  readonly impact: Impact;
}

const SECRET: Labels = { confidentiality: 'secret', isUntrusted: false };

/** Labels that the texts in the parameters give to each effect: known secrets, passages, and secrets by their form. */
function labelsOfContents(lacuna: Lacuna, analysis: Analysis, state: SessionState): readonly Labels[] {
  const contents = contentsOf(lacuna, analysis).map(({ text, goesInto }) => ({
    goesInto,
    labels: findSecrets(text).length > 0 ? SECRET : labelsOfText(text, state),
  }));
  return analysis.effects.map((effect) =>
    contents
      .filter(({ goesInto }) => goesInto(effect))
      .map(({ labels }) => labels)
      .reduce(joinLabels, ORDINARY),
  );
}

const isOwnJob = (from: Flow['from']): boolean => from.type === 'process' && from.process === OWN_JOB.text;

function provenanceOf(effect: Effect, lacuna: Lacuna, analysis: Analysis, into: Labels): Provenance {
  if (lacuna.kind === 'WriteFile' || lacuna.kind === 'EditFile') return 'agent';
  const isDownload = analysis.effects.some(
    (other) =>
      other.command === effect.command && other.traits.includes('download') && !other.traits.includes('loopback'),
  );
  if (isDownload || into.isUntrusted) return 'download';
  const sources = analysis.flows.flatMap(({ from, to }) =>
    'path' in to && 'path' in effect.resource && to.path === effect.resource.path ? [from] : [],
  );
  if (sources.length > 0 && sources.every(isOwnJob) && !effect.traits.includes('append')) return 'job';
  return sources.some(({ type }) => type === 'literal') ? 'agent' : 'derived';
}

function fileImpacts(
  lacuna: Lacuna,
  analysis: Analysis,
  into: readonly Labels[],
  state: SessionState,
  options: AssessOptions,
): FileImpact[] {
  return analysis.effects.flatMap((effect, index): FileImpact[] => {
    if (effect.resource.type !== 'path' && effect.resource.type !== 'agent-config') return [];
    if (!['write', 'delete', 'move', 'persist'].includes(effect.op) || effect.traits.includes('dry-run')) return [];
    const { path } = effect.resource;
    const labels = into[index] ?? ORDINARY;
    if (effect.certainty !== 'exact') {
      // Which files are meant cannot be known: only marks are kept, on the folder they are all in.
      const folder = path.slice(0, path.slice(0, path.search(/[*?[{$]|$/)).lastIndexOf('/'));
      const isMeant = effect.op !== 'delete' && isMarked(labels) && folder !== '';
      return isMeant
        ? [{ path: folder, identity: null, change: 'append', labels, provenance: 'derived', isNew: false }]
        : [];
    }
    const isFresh = effect.traits.includes('create') || options.facts.entry(path) === 'absent';
    const source = isFresh ? othersWork(path, analysis, state) : null;
    const isNew = isFresh && source === null;
    const isCopy = source !== null && !analysis.effects.some((other) => other.op !== 'read' && isAt(other, source));
    const provenance = provenanceOf(effect, lacuna, analysis, labels);
    const change = effect.op === 'delete' ? 'delete' : effect.traits.includes('append') ? 'append' : 'write';
    const identity = isMarked(labels) ? options.identity(path) : null;
    const copyOf = isCopy ? { copyOf: source } : {};
    return [...newFolders(path, isNew, options), { path, identity, change, labels, provenance, isNew, ...copyOf }];
  });
}

/** What is found out about the code in files that are written, and what goes along with a copy. */
function harmfulFiles(
  files: readonly FileImpact[],
  analysis: Analysis,
  state: SessionState,
  options: AssessOptions,
): NonNullable<Impact['harmful']> {
  return files.flatMap(({ path, change }) => {
    if (change === 'delete') return [];
    const source = analysis.flows.find(
      (flow) => flow.how === 'verbatim' && 'path' in flow.from && 'path' in flow.to && flow.to.path === path,
    )?.from;
    const copied = source !== undefined && 'path' in source ? state.harmful.get(source.path) : undefined;
    const why = copied ?? options.harmWritten?.(path);
    return why === undefined || (why === null && !state.harmful.has(path)) ? [] : [{ path, why }];
  });
}

/** What stood elsewhere, was not made by the session, and is in a new path now: a file that was moved or copied is no scratch. */
function othersWork(path: string, analysis: Analysis, state: SessionState): string | null {
  for (const { how, from, to } of analysis.flows) {
    if (how !== 'verbatim' || !('path' in to) || to.path !== path || !('path' in from)) continue;
    if (state.files.get(from.path)?.isMadeHere !== true) return from.path;
  }
  return null;
}

const isAt = ({ resource }: Effect, path: string): boolean => 'path' in resource && resource.path === path;

/** Folders that come into being because a file is written in them. */
function newFolders(path: string, isNew: boolean, options: AssessOptions): FileImpact[] {
  const folders: FileImpact[] = [];
  if (!isNew) return folders;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const folder = path.slice(0, at);
    if (options.facts.entry(folder) !== 'absent') break;
    folders.push({
      path: folder,
      identity: null,
      change: 'append',
      labels: ORDINARY,
      provenance: 'agent',
      isNew: true,
    });
  }
  return folders;
}

/** Commands of git that put files into the index or into something that is passed on. */
const STAGING = new Set(['add', 'stage', 'commit', 'stash', 'bundle', 'archive', 'format-patch', 'mv']);

function gitSubcommand(words: readonly string[]): string | null {
  for (let i = 1; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '-C' || word === '-c') i += 1;
    else if (!word.startsWith('-')) return word;
  }
  return null;
}

/** Labels of what git takes up, since it may take any file that the session marked. */
function gitLabels(
  analysis: Analysis,
  state: SessionState,
): { readonly staged: Labels | null; readonly committed: Labels | null } {
  let staged: Labels | null = null;
  let committed: Labels | null = null;
  for (const command of analysis.commands) {
    if (command.program !== 'git') continue;
    const words = command.argv.map((word) => word.text);
    const subcommand = gitSubcommand(words);
    if (subcommand === null || !STAGING.has(subcommand)) continue;
    const takesAll =
      words.some((word) => /^(-A|--all|-a\w*|-\w*a\w*|-u|--update|\.|:\/)$/.test(word)) || subcommand === 'stash';
    for (const path of state.marked) {
      const labels = state.files.get(path)?.labels ?? ORDINARY;
      const isNamed = words.some(
        (word) =>
          word.length > 1 &&
          (path.endsWith(`/${word.replace(/^\.\//, '')}`) || path.includes(`/${word.replace(/^\.\/|\/$/g, '')}/`)),
      );
      if (takesAll || isNamed) staged = joinLabels(staged ?? ORDINARY, labels);
    }
    if (state.isMarkedFull) staged = joinLabels(staged ?? ORDINARY, state.context);
    if (subcommand !== 'add' && subcommand !== 'stage') committed = joinLabels(staged ?? ORDINARY, state.staged);
  }
  return { staged, committed };
}

/** The mode after what the session carries and has gathered in risk; never milder than it was. */
function steppedUp(
  state: SessionState,
  risk: number,
  thresholds: RiskThresholds,
): { readonly mode: Mode; readonly why: string | null } {
  const least = (mode: Mode, why: string): { readonly mode: Mode; readonly why: string } | null =>
    MODES.indexOf(mode) > MODES.indexOf(state.mode) ? { mode, why } : null;
  const shown = risk.toFixed(1);
  return (
    (risk >= thresholds.lockdown ? least('lockdown', `session risk ${shown} is above ${thresholds.lockdown}`) : null) ??
    (risk >= thresholds.strict ? least('strict', `session risk ${shown} is above ${thresholds.strict}`) : null) ??
    (state.context.confidentiality === 'secret' && state.accepted !== 'secret'
      ? least('balanced', 'secret data is in the session')
      : null) ?? {
      mode: state.mode,
      why: null,
    }
  );
}

/** What the baseline learns from an action. Bounded. */
function behaviourOf(lacuna: Lacuna, analysis: Analysis): readonly string[] {
  const names = new Set<string>([`kind:${lacuna.kind}`]);
  for (const command of analysis.commands.slice(0, 8))
    if (command.program !== '') names.add(`program:${command.program}`);
  for (const { resource, op } of analysis.effects.slice(0, 40)) {
    if (resource.type === 'url' && resource.host !== '') names.add(`host:${resource.host}`);
    else if (resource.type === 'path')
      names.add(`${op === 'read' || op === 'list' ? 'reads' : 'changes'}:${resource.place}`);
  }
  return [...names];
}

/** How much of a text is looked at for a line about it. */
const BEGINNING = 16_384;

/** The beginning of a text, up to a blank, so that no secret is cut in two and left half as if it were none. */
function beginningOf(text: string): string {
  if (text.length <= BEGINNING) return text;
  let end = BEGINNING;
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** One line for the chain. */
export function summaryOf(lacuna: Lacuna, options: LabelSources): string {
  const { facts } = options;
  const short = (text: string): string => {
    const line = maskSecrets(beginningOf(text)).replace(/\s+/g, ' ').trim();
    return line.length > 120 ? `${line.slice(0, 117)}…` : line;
  };
  switch (lacuna.kind) {
    case 'ExecuteShell':
      return `ran ${short(lacuna.params.command)}`;
    case 'HttpRequest':
      return `${lacuna.params.method} ${short(lacuna.params.url)}`;
    case 'QueryDatabase':
      return `queried ${lacuna.params.database}: ${short(lacuna.params.sql)}`;
    case 'CallTool':
      return `called ${lacuna.params.server ?? ''}${lacuna.params.server === undefined ? '' : '.'}${lacuna.params.tool}`;
    case 'Delegate':
      return `delegated: ${short(lacuna.params.goal)}`;
    case 'MoveFile':
      return `moved ${shownPath(lacuna.params.from, facts)} to ${shownPath(lacuna.params.to, facts)}`;
    case 'SearchFiles':
      return `searched for ${short(lacuna.params.query)}`;
    case 'ListFiles':
      return `listed ${shownPath(lacuna.params.path, facts)}`;
    case 'ReadFile':
      return `read ${shownPath(lacuna.params.path, facts)}`;
    case 'WriteFile':
      return `wrote ${shownPath(lacuna.params.path, facts)}`;
    case 'EditFile':
      return `edited ${shownPath(lacuna.params.path, facts)}`;
    case 'DeleteFile':
      return `deleted ${shownPath(lacuna.params.path, facts)}`;
  }
}

function lentBy(lacuna: Lacuna, state: SessionState, nowMs: number): Rights | null {
  if (lacuna.kind !== 'Delegate') return null;
  const { subagent } = lacuna.origin;
  const parent = subagent === null ? undefined : state.rights.get(subagent);
  const used = state.usage.get(subagent ?? MAIN_AGENT) ?? { lacunas: 0, tokens: 0 };
  return lend(lacuna, lacuna.params, parent ?? null, remainingOf(parent, used, nowMs), nowMs);
}

/** Words for an effect: of its own resource, unless that is somewhere else, and of what goes into it. */
function wordsOf(effect: Effect, index: number, tracked: Tracked, into: readonly Labels[]): readonly Label[] {
  const isOwn = !isOutward(effect) && effect.resource.type !== 'url' && effect.resource.type !== 'tool';
  const own = isOwn ? (tracked.own[index] ?? ORDINARY) : ORDINARY;
  return labelWords(joinLabels(own, into[index] ?? ORDINARY));
}

/**
 * Judges one Lacuna in the light of the session: labels, findings, risk, plan, and what it would mean for later steps. Pure;
 * its cost depends on the action and not on how many steps went before.
 */
export function assess(state: SessionState, lacuna: Lacuna, analysis: Analysis, options: AssessOptions): Assessment {
  const tracked = track(analysis, state, options);
  const contents = labelsOfContents(lacuna, analysis, state);
  const git = gitLabels(analysis, state);
  const into = analysis.effects.map((_effect, index) =>
    joinLabels(tracked.into[index] ?? ORDINARY, contents[index] ?? ORDINARY),
  );
  const files = fileImpacts(lacuna, analysis, into, state, options);
  const keys = effectKeys(lacuna, analysis.effects);
  const fingerprint = fingerprintOf(lacuna);
  const { fit, step } = fitOf(state.plan, lacuna.planStep, lacuna, analysis, options.facts);
  const { points, reasons } = riskPoints(analysis, tracked.output);
  const risk = riskAt(state, options.nowMs);
  const { mode, why } = steppedUp(state, risk, options.thresholds ?? DEFAULT_THRESHOLDS);
  const behaviour = behaviourOf(lacuna, analysis);
  const findings = findingsOf({
    lacuna,
    analysis,
    state,
    sources: options,
    into,
    own: tracked.own,
    taken: tracked.output,
    keys,
    files,
    fingerprint,
    fit,
    nowMs: options.nowMs,
    limits: options.limits ?? DEFAULT_LIMITS,
    terminal: options.terminal ?? freshTerminal(null),
    git,
    baseline: options.baseline ?? null,
    behaviour,
    request: lacuna.origin.request || (state.requests.at(-1) ?? ''),
    isHarmlessLater: options.isHarmlessLater ?? (() => false),
    harmLater: options.harmLater ?? (() => null),
  });
  const departs = findings.some(({ finding }) => finding === 'unusual');
  const impact: Impact = {
    kind: lacuna.kind,
    summary: summaryOf(lacuna, options),
    context: tracked.output,
    sources: tracked.sources,
    files,
    variables: tracked.variables,
    staged: git.staged,
    committed: git.committed,
    harmful: harmfulFiles(files, analysis, state, options),
    keys,
    work: workMovedBy(analysis, state, options.facts),
    destroyed: destroyedWork(analysis, (path) => state.files.get(path)),
    isIrreversible: analysis.effects.some((effect) => effect.reversible === 'no'),
    isProgress: analysis.effects.some(isChange),
    fingerprint,
    risk: points + (departs ? 2 : 0),
    riskReasons: departs ? [...reasons, 'departs from what is usual here'] : reasons,
    fit,
    planStep: step,
    behaviour,
  };
  return {
    mode,
    stepUp: why,
    risk,
    labels: labelWords(state.context),
    effectLabels: analysis.effects.map((effect, index) => wordsOf(effect, index, tracked, into)),
    findings,
    plan: fit,
    planStep: step,
    lends: lentBy(lacuna, state, options.nowMs),
    impact,
  };
}
