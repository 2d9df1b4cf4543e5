import { bug } from '../bug.js';
import { compiledMatch, PatternErrors, type CompiledMatch } from './compileMatch.js';
import type { LayerFile } from './layerFile.js';
import { PROTECTIONS } from './protections.js';
import { RuleIndex } from './ruleIndex.js';
import type { LabelSpec, PolicySpec, RuleSpec } from './schema.js';
import { MODES, strictness, type Layer, type Mode, type Verdict } from './verdict.js';

/** All that has a say, by layer. Order within a layer carries no meaning. */
export interface PolicyLayers {
  readonly organisation: readonly LayerFile[];
  readonly user: readonly LayerFile[];
  readonly workspace: readonly LayerFile[];
  readonly packs: readonly LayerFile[];
}

/** A rule ready to be asked. */
export interface CompiledRule {
  readonly id: string;
  readonly layer: Layer;
  readonly source: string;
  readonly spec: RuleSpec;
  readonly priority: number;
  readonly isFirm: boolean;
  /** Whether its file may only tighten. */
  readonly isOnlyStricter: boolean;
  readonly overrides: ReadonlySet<string>;
  /** The verdict by mode. */
  readonly verdicts: Readonly<Record<Mode, Verdict>>;
  readonly match: CompiledMatch;
}

/** Limits of a session; null where no file sets one. */
export interface SessionLimits {
  readonly lacunas: number | null;
  readonly depth: number | null;
  readonly seconds: number | null;
  readonly tokens: number | null;
  readonly strictAtRisk: number | null;
  readonly lockdownAtRisk: number | null;
}

/** A policy ready to decide. Immutable; independent of workspace, platform and mode. */
export interface CompiledPolicy {
  readonly rules: readonly CompiledRule[];
  readonly index: RuleIndex<CompiledRule>;
  readonly layers: PolicyLayers;
}

/** Compiles layers, with the built-in protections. Linear in the number of rules. A bad pattern here is a bug: loading has checked it. */
export function compilePolicy(layers: PolicyLayers): CompiledPolicy {
  const rules: CompiledRule[] = [
    ...compileFiles('protection', [PROTECTIONS], {}),
    ...compileFiles('organisation', layers.organisation, {}),
    ...compileFiles('user', layers.user, {}),
    ...compileFiles('workspace', layers.workspace, {}),
    ...compileFiles('pack', layers.packs, tablesOf(layers.packs)),
  ];
  return { rules, index: new RuleIndex(rules, (rule) => rule.match.keys), layers };
}

type ModeTables = NonNullable<PolicySpec['modes']>;

/** Packs keep where modes differ in one file of their own, which speaks of the rules of all packs. */
function tablesOf(files: readonly LayerFile[]): ModeTables {
  const tables = { relaxed: {}, strict: {}, lockdown: {} } satisfies ModeTables;
  for (const { spec } of files)
    for (const mode of ['relaxed', 'strict', 'lockdown'] as const) Object.assign(tables[mode], spec.modes?.[mode]);
  return tables;
}

function compileFiles(layer: Layer, files: readonly LayerFile[], shared: ModeTables): CompiledRule[] {
  return files.flatMap((file) =>
    (file.spec.rules ?? []).map((rule) =>
      compileRule(layer, file, rule, layer === 'pack' ? shared : (file.spec.modes ?? {})),
    ),
  );
}

function compileRule(layer: Layer, file: LayerFile, spec: RuleSpec, tables: ModeTables): CompiledRule {
  return {
    id: spec.id,
    layer,
    source: file.source,
    spec,
    priority: spec.priority ?? 0,
    isFirm: layer === 'pack' && spec.firm === true,
    isOnlyStricter: file.isOnlyStricter === true,
    overrides: new Set(spec.overrides ?? []),
    verdicts: verdictsOf(spec, tables),
    match: lazyMatch(file.source, spec),
  };
}

/** Many rules of the packs are never asked in the life of a process, so each is compiled when it is first looked at. */
function lazyMatch(source: string, spec: RuleSpec): CompiledMatch {
  let compiled: CompiledMatch | null = null;
  const get = (): CompiledMatch => {
    if (compiled !== null) return compiled;
    const errors = new PatternErrors();
    compiled = compiledMatch(spec.match, ['match'], errors);
    const [first] = errors.list;
    if (first !== undefined) bug(`rule ${spec.id} of ${source} was loaded with a bad pattern: ${first.message}`);
    return compiled;
  };
  return {
    predicate: (subject, reading) => get().predicate(subject, reading),
    get keys() {
      return get().keys;
    },
    get parts() {
      return get().parts;
    },
  };
}

function verdictsOf(spec: RuleSpec, tables: ModeTables): Readonly<Record<Mode, Verdict>> {
  const of = (mode: 'relaxed' | 'strict' | 'lockdown'): Verdict => {
    const table = tables[mode];
    return table !== undefined && Object.hasOwn(table, spec.id) ? (table[spec.id] ?? spec.verdict) : spec.verdict;
  };
  return { relaxed: of('relaxed'), balanced: spec.verdict, strict: of('strict'), lockdown: of('lockdown') };
}

/**
 * The mode that files ask for: the strictest that any states, so that a weaker layer can only raise it. A file that may only
 * tighten (an untrusted workspace's is one) may ask for a stricter one than the others state, or than balanced when they state
 * none. Null: none states one.
 */
export function modeOf(layers: PolicyLayers, isTrusted: boolean): Mode | null {
  const written = [...layers.organisation, ...layers.user, ...layers.workspace];
  const tightens = (file: LayerFile): boolean =>
    file.isOnlyStricter === true || (!isTrusted && layers.workspace.includes(file));
  const stated = written.flatMap((file) => {
    const { mode } = file.spec;
    return mode === undefined || (tightens(file) && !isStricterMode(mode, 'balanced')) ? [] : [mode];
  });
  return stated.reduce<Mode | null>((a, b) => (a === null || isStricterMode(b, a) ? b : a), null);
}

const isStricterMode = (a: Mode, b: Mode): boolean => MODES.indexOf(a) > MODES.indexOf(b);

/** The smallest limit that any file sets, whatever its layer: limits only tighten. */
export function sessionLimitsOf(layers: PolicyLayers): SessionLimits {
  const files = [...layers.organisation, ...layers.user, ...layers.workspace, ...layers.packs];
  const least = (field: keyof SessionLimits): number | null =>
    files.reduce<number | null>((best, { spec }) => {
      const value = spec.session?.[field];
      return value === undefined ? best : best === null ? value : Math.min(best, value);
    }, null);
  return {
    lacunas: least('lacunas'),
    depth: least('depth'),
    seconds: least('seconds'),
    tokens: least('tokens'),
    strictAtRisk: least('strictAtRisk'),
    lockdownAtRisk: least('lockdownAtRisk'),
  };
}

/** A label that a file puts on paths, and the file's layer. */
export interface LabelOfLayer {
  readonly layer: Layer;
  readonly label: LabelSpec;
  /** Whether the file may only tighten. */
  readonly isOnlyStricter: boolean;
}

/** Labels that files put on paths, strongest layer first. */
export const labelSpecsOf = (layers: PolicyLayers): readonly LabelOfLayer[] => [
  ...labelled('organisation', layers.organisation),
  ...labelled('user', layers.user),
  ...labelled('workspace', layers.workspace),
  ...labelled('pack', layers.packs),
];
const labelled = (layer: Layer, files: readonly LayerFile[]): LabelOfLayer[] =>
  files.flatMap(({ spec, isOnlyStricter }) =>
    (spec.labels ?? []).map((label) => ({ layer, label, isOnlyStricter: isOnlyStricter === true })),
  );

/** Whether the verdicts never get milder as modes get stricter. */
export const isMonotone = ({ verdicts }: Pick<CompiledRule, 'verdicts'>): boolean =>
  MODES.every((mode, index) => {
    const next = MODES[index + 1];
    return next === undefined || strictness(verdicts[mode]) <= strictness(verdicts[next]);
  });
