import path from 'node:path';
import { lookAtFileSystem } from '../adapters/facts.js';
import { fileIdentity } from '../adapters/fileIdentity.js';
import { localTime, userName } from '../adapters/person.js';
import { KeptPolicyFolder } from '../adapters/keptPolicies.js';
import { policyFiles, standardSources } from '../adapters/policyFiles.js';
import { hasSandboxProgram } from '../adapters/sandboxProgram.js';
import { stateFolder } from '../adapters/stateFolder.js';
import { clock, hasher } from '../adapters/system.js';
import { TreeSitter } from '../adapters/treeSitter.js';
import { sessionBounds } from '../core/check/sessionBounds.js';
import { analyse } from '../core/effects/analyse.js';
import type { Analysis } from '../core/effects/effect.js';
import type { Proposal } from '../core/lacuna/lacuna.js';
import type { PolicyContext } from '../core/policy/context.js';
import {
  judgeTrace,
  parseTrace,
  reviewTrace,
  type JudgedStep,
  type Trace,
  type TraceAnswer,
  type TracePorts,
  type TraceWorld,
} from '../core/check/trace.js';
import { compilePolicy, modeOf, type CompiledPolicy } from '../core/policy/compile.js';
import { declaredLabels } from '../core/policy/declaredLabels.js';
import { decide } from '../core/policy/decide.js';
import type { Decision } from '../core/policy/decision.js';
import { layersOf, loadSources, type LoadedSource, type PolicySource, type WrittenLayer } from '../core/policy/load.js';
import { loadInForce, troubleLines } from '../core/policy/lastGood.js';
import { problemLine } from '../core/policy/problem.js';
import { MODES, type Mode } from '../core/policy/verdict.js';
import { EXIT, oneOf, only, parseArguments, UsageError, type ExitCode, type Io, type Parsed } from './io.js';
import { wasmFolder } from './wasm.js';

const HELP = `usage: lacuna check [FLAGS] < TRACES

Judges traces, one JSON object a line, and answers a line each. Executes nothing.

  --policy [LAYER=]FILE        a policy for a layer (organisation, user, workspace; default workspace); may be repeated
  --mode MODE                  relaxed, balanced, strict or lockdown (default: what the policy says, else balanced)
  --headless                   nobody can be asked: ask becomes deny
  --untrusted                  the workspace is not trusted: its own policy only tightens
  --sandbox available|none     whether a sandbox is at hand (default: whether this machine has one)
  --review off|on              whether the local reviewer is asked too (default: off)
`;

/** Flags of `check`, which `eval` takes too. */
export const CHECK_FLAGS = {
  policy: 'values',
  mode: 'value',
  headless: 'switch',
  untrusted: 'switch',
  sandbox: 'value',
  review: 'value',
  help: 'switch',
} as const;

/** What the flags of `check` say. */
export interface Settings {
  readonly named: readonly PolicySource[];
  readonly mode: Mode | null;
  readonly isHeadless: boolean;
  readonly isTrusted: boolean;
  readonly hasSandbox: boolean;
  readonly review: 'off' | 'on';
}

function layerAndFile(text: string): PolicySource {
  const match = /^(organisation|user|workspace)=(.+)$/s.exec(text);
  const file = match?.[2] ?? text;
  return {
    layer: (match?.[1] as WrittenLayer | undefined) ?? 'workspace',
    path: path.resolve(file).replaceAll('\\', '/'),
    name: file,
    isRequired: true,
  };
}

/** Reads the flags. */
export function settingsOf(parsed: Parsed): Settings {
  if (parsed.operands.length > 0)
    throw new UsageError(`Traces come by standard input; "${parsed.operands.join(' ')}" is no flag.`);
  const sandbox = oneOf(parsed, 'sandbox', ['available', 'none', 'detect'], 'detect');
  return {
    named: (parsed.values.get('policy') ?? []).map(layerAndFile),
    mode: only(parsed, 'mode') === undefined ? null : oneOf(parsed, 'mode', MODES, 'balanced'),
    isHeadless: parsed.switches.has('headless'),
    isTrusted: !parsed.switches.has('untrusted'),
    hasSandbox: sandbox === 'detect' ? hasSandboxProgram() : sandbox === 'available',
    review: oneOf(parsed, 'review', ['off', 'on'], 'off'),
  };
}

/**
 * Loads policies of the standard places, with the last good version of those that are broken, and those that flags name, where a
 * broken one ends the run: whoever names a file wants that one and no other.
 */
export async function loadPolicies(
  standard: readonly PolicySource[],
  named: readonly PolicySource[],
  warn: (line: string) => void,
): Promise<readonly LoadedSource[]> {
  const inForce = await loadInForce(standard, policyFiles, new KeptPolicyFolder(stateFolder(), { hasher, clock }));
  for (const line of inForce.flatMap(troubleLines)) warn(line);
  const tried = await loadSources(named, policyFiles);
  for (const { source, problems, files } of tried) {
    for (const problem of problems) warn(problemLine(problem));
    if (files === null) throw new UsageError(`The policy ${source.name} cannot be used.`);
  }
  return [...inForce, ...tried];
}

/** Policies by workspace: many traces of one workspace compile once. */
class Policies {
  readonly #settings: Settings;
  readonly #io: Io;
  readonly #known = new Map<string, CompiledPolicy>();

  constructor(settings: Settings, io: Io) {
    this.#settings = settings;
    this.#io = io;
  }

  /** The policy for a workspace. A layer that a flag names replaces the file of that layer; a broken one ends the run. */
  async load(workspace: string): Promise<CompiledPolicy> {
    const { named, isTrusted } = this.#settings;
    const replaced = new Set(named.map((source) => source.layer));
    const standard = standardSources([workspace]).filter((source) => !replaced.has(source.layer));
    const key = standard
      .filter((source) => policyFiles.readText(source.path).type !== 'absent')
      .map((source) => source.path)
      .join('\0');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const loaded = await loadPolicies(standard, named, (line) => this.#io.error(`lacuna: ${line}\n`));
    const policy = compilePolicy(layersOf(loaded, { isTrusted }));
    this.#known.set(key, policy);
    return policy;
  }
}

/** What a decision was made on, for those who want to explain it. */
export interface Seen {
  readonly policy: CompiledPolicy;
  readonly proposal: Proposal;
  readonly analysis: Analysis;
  readonly context: PolicyContext;
}

function openWorld(trace: Trace, policy: CompiledPolicy, settings: Settings, watch: (seen: Seen) => void): TraceWorld {
  const facts = lookAtFileSystem({
    roots: [trace.workspace],
    environment: 'unknown',
    ...(trace.home === null ? {} : { home: trace.home }),
    ...(trace.platform === null ? {} : { platform: trace.platform }),
  });
  return {
    facts,
    identity: fileIdentity,
    policyLabels: declaredLabels(policy.layers, facts),
    ...sessionBounds(policy.layers),
    mode: settings.mode ?? modeOf(policy.layers, settings.isTrusted) ?? 'balanced',
    circumstances: {
      user: userName(),
      time: localTime(new Date(clock.nowMs())),
      isHeadless: settings.isHeadless,
      isTrusted: settings.isTrusted,
      hasSandbox: settings.hasSandbox,
    },
    decide: (proposal, analysis, context) => {
      watch({ policy, proposal, analysis, context });
      return decide(policy, proposal, analysis, context);
    },
  };
}

/** `lacuna check`: traces in, verdicts out (product.md §11). A malformed line is answered and the rest go on. */
export async function check(args: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments(args, CHECK_FLAGS);
  if (parsed.switches.has('help')) {
    io.out(HELP);
    return EXIT.done;
  }
  const settings = settingsOf(parsed);
  const reviewing = await openReviewer(settings);
  const answer = answerer(settings, io, undefined, reviewing?.step);
  try {
    for await (const line of io.lines()) {
      if (line.trim() === '') continue;
      io.out(`${JSON.stringify(await answer(line))}\n`);
    }
    const trouble = reviewing?.trouble() ?? null;
    if (trouble !== null) io.error(`lacuna check: ${trouble}\n`);
  } finally {
    reviewing?.dispose();
  }
  return EXIT.done;
}

/** What makes another decision of a judged step. */
export type SecondOpinion = (step: JudgedStep) => Promise<Decision>;

/** A reviewer whose word is taken into decisions; `trouble` says why no model took part, null while one does. */
interface OpenOpinion {
  readonly step: SecondOpinion;
  readonly trouble: () => string | null;
  readonly dispose: () => void;
}

/** The reviewer that `--review on` asks for; null where it is off. Nothing of it is loaded before it is wanted. */
export async function openReviewer(settings: Settings): Promise<OpenOpinion | null> {
  if (settings.review === 'off') return null;
  const { openReviewing } = await import('./reviewing.js');
  const reviewing = openReviewing({ type: 'starter' }, { ...settings, skip: 'smart' });
  const { review, decide: decideBy, trouble, dispose } = reviewing;
  return { step: async (step) => decideBy(step, await review(step)), trouble, dispose };
}

/**
 * What answers lines: policies and the grammar are loaded once and shared by all lines. The grammar is loaded by the first trace that
 * wants it, which is then judged again with it; `watch` is told of the judgement that counts.
 */
export function answerer(
  settings: Settings,
  io: Io,
  watch: (seen: Seen) => void = () => undefined,
  opinion?: SecondOpinion,
): (line: string) => Promise<unknown> {
  const policies = new Policies(settings, io);
  const syntax = new TreeSitter(wasmFolder());
  return async (line) => {
    const trace = parseTrace(line);
    if (!trace.ok) return trace.error;
    const policy = await policies.load(trace.value.workspace);
    let seen: Seen[] = [];
    const open = (one: Trace): TraceWorld => openWorld(one, policy, settings, (step) => seen.push(step));
    const ports: TracePorts = { clock, syntax, analyse, open };
    // A second opinion is too dear to be asked for twice.
    if (opinion !== undefined) await syntax.load('bash');
    const judged = async (): Promise<TraceAnswer> => {
      seen = [];
      return opinion === undefined ? judgeTrace(trace.value, ports) : reviewTrace(trace.value, ports, opinion);
    };
    const first = await judged();
    const answer = (await syntax.catchUp()) ? await judged() : first;
    seen.forEach(watch);
    return answer;
  };
}
