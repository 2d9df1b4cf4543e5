import { loadSource, loadSources, type LoadedSource, type PolicyFiles, type PolicySource } from './load.js';
import { problemLine } from './problem.js';

/** A version of a policy that was good once: its own text and those of the files it extended, by path. */
export interface KeptPolicy {
  readonly texts: ReadonlyMap<string, string>;
  readonly goodAtMs: number;
  /** Whether it surely is what was kept, under the key that the source has to be signed with now. */
  readonly isProven: boolean;
}

/** Keeps the last good version of each source where no agent can reach it, and longer than the process lasts. */
export interface KeptPolicies {
  /** What is kept of a source; null when nothing is. */
  recall(source: PolicySource): KeptPolicy | null;
  /** Keeps a version that was found to be good, unless it is the one that is kept already. */
  keep(source: PolicySource, texts: ReadonlyMap<string, string>): void;
  /** Forgets a source whose file a person took away. */
  forget(source: PolicySource): void;
}

/**
 * Loads sources, and puts the last good version in the place of each that is broken: one that is proven to be it, else the one
 * that `before` held, else one that is not proven, which is heard only where it is stricter. Without any the source has no say, and
 * the built-in policy stays in force. Problems are kept, so that they are shown.
 */
export async function loadInForce(
  sources: readonly PolicySource[],
  files: PolicyFiles,
  kept: KeptPolicies,
  before: readonly LoadedSource[] = [],
): Promise<readonly LoadedSource[]> {
  const inForce: LoadedSource[] = [];
  for (const loaded of await loadSources(sources, files))
    inForce.push(loaded.files === null ? await standIn(loaded, kept, before) : keepGood(loaded, kept));
  return inForce;
}

function keepGood(loaded: LoadedSource, kept: KeptPolicies): LoadedSource {
  if (loaded.texts.size === 0) kept.forget(loaded.source);
  else kept.keep(loaded.source, loaded.texts);
  return loaded;
}

async function standIn(
  broken: LoadedSource,
  kept: KeptPolicies,
  before: readonly LoadedSource[],
): Promise<LoadedSource> {
  const { source, problems } = broken;
  const recalled = kept.recall(source);
  const known = recalled === null ? null : await loadSource(source, filesOf(recalled.texts));
  const good = known === null || known.files === null ? null : { ...known, goodAtMs: recalled?.goodAtMs ?? null };
  if (good !== null && recalled?.isProven === true) return { ...good, problems, standing: 'last-good' };
  const old = before.find(({ source: other, files }) => isSame(other, source) && files !== null);
  if (old !== undefined)
    return { ...old, source, problems, standing: old.standing === 'as-written' ? 'last-good' : old.standing };
  return good === null ? broken : { ...good, problems, standing: 'unverified' };
}

const isSame = (a: PolicySource, b: PolicySource): boolean =>
  a.path === b.path && a.layer === b.layer && a.key === b.key;

/** Files that hold these texts and nothing else. */
const filesOf = (texts: ReadonlyMap<string, string>): PolicyFiles => ({
  readText: (path) => {
    const text = texts.get(path);
    return text === undefined ? { type: 'absent' } : { type: 'text', text };
  },
});

/** What is wrong with a source and what holds instead, a line each: `policy.yaml:3:5: message`. Empty for one that is good. */
export function troubleLines({ source, problems, standing, goodAtMs }: LoadedSource): readonly string[] {
  const lines = problems.map(problemLine);
  if (!problems.some(({ severity }) => severity === 'error')) return lines;
  const when = goodAtMs === null ? '' : ` of ${new Date(goodAtMs).toISOString().slice(0, 16).replace('T', ' ')}`;
  const instead = {
    'as-written': '',
    'last-good': `its last good version${when} stays in force`,
    unverified: `its last good version${when} cannot be proven to be whole, and is heard only where it is stricter`,
    nothing: 'no good version of it is known, so it has no say and the default policy holds',
  }[standing];
  return [...lines, `${source.name}: ${instead}.`];
}
