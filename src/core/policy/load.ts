import { checkLayerRules } from './checkLayer.js';
import type { PolicyLayers } from './compile.js';
import type { LayerFile } from './layerFile.js';
import { packNamed, packNames } from './packs.js';
import { fileProblem, type PolicyProblem } from './problem.js';
import { listOf } from './subject.js';

/** Layers that people write. */
export type WrittenLayer = 'organisation' | 'user' | 'workspace';

/** A file to load, and the layer it speaks for. `name` is how people are told of it. */
export interface PolicySource {
  readonly layer: WrittenLayer;
  readonly path: string;
  readonly name: string;
  /** Public key that the file, and what it extends, must be signed with. [none] */
  readonly key?: string;
  /** Whether somebody named this very file, so that it is a mistake when it is not there. [false] */
  readonly isRequired?: boolean;
}

/** Reads files for the loader. Paths are absolute, `/`-separated. */
export interface PolicyFiles {
  /**
   * `absent` is no error for a source of its own; for a file that another extends it is. `content` is at most a little over 1 MiB.
   * `source`: for whom it is read, since the files of an organisation may have to be signed.
   */
  readText(path: string, source: PolicySource): PolicyText;
}
export type PolicyText =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'absent' }
  | { readonly type: 'too-large' }
  | { readonly type: 'unreadable'; readonly message: string };

/**
 * What of a source is in force: the file as it is (also: it is absent), its last good version, a version that cannot be proven to
 * be it and so is heard only where it is stricter, or nothing.
 */
export type Standing = 'as-written' | 'last-good' | 'unverified' | 'nothing';

/** What became of one source. */
export interface LoadedSource {
  readonly source: PolicySource;
  /** What is in force of the file and those it extends; empty when it is absent, null when it is broken and nothing stands in. */
  readonly files: readonly LayerFile[] | null;
  /** Packs that it asks for by name. */
  readonly packs: readonly string[];
  /** What is wrong with the file as it is now. */
  readonly problems: readonly PolicyProblem[];
  /** Texts of the files in force, by path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly standing: Standing;
  /** When what stands in was last seen to be good, if that is known. */
  readonly goodAtMs: number | null;
}

const MAX_FILES = 100;

/**
 * Loads sources with all they extend. Errors are values with positions; what to put in the place of a broken source is for
 * the caller (`loadInForce`). The parser is loaded only when there is something to parse, so that a start without
 * own policies does not pay for it.
 */
export async function loadSources(
  sources: readonly PolicySource[],
  files: PolicyFiles,
): Promise<readonly LoadedSource[]> {
  const loaded: LoadedSource[] = [];
  for (const source of sources) loaded.push(await loadSource(source, files));
  return loaded;
}

/** {@link loadSources} for one. */
export async function loadSource(source: PolicySource, files: PolicyFiles): Promise<LoadedSource> {
  const text = files.readText(source.path, source);
  const texts = new Map<string, string>();
  const good = { source, texts, goodAtMs: null, standing: 'as-written' } as const;
  if (text.type === 'absent' && source.isRequired !== true) return { ...good, files: [], packs: [], problems: [] };
  const found: LayerFile[] = [];
  const packs = new Set<string>();
  const problems: PolicyProblem[] = [];
  const done = new Set<string>();
  const visit = async (path: string, name: string, read: PolicyText, trail: readonly string[]): Promise<void> => {
    done.add(path);
    if (read.type === 'text') texts.set(path, read.text);
    const parsed = await parseText(name, read);
    if (!('spec' in parsed)) {
      problems.push(...parsed);
      return;
    }
    const { spec, place } = parsed;
    problems.push(...checkLayerRules(name, parsed));
    for (const [index, wanted] of listOf<string>(spec.extends ?? []).entries()) {
      const at = { ...place(Array.isArray(spec.extends) ? ['extends', index] : ['extends']), source: name };
      const problem = (code: 'extends' | 'cycle', message: string): void => {
        problems.push({ ...at, severity: 'error', code, message });
      };
      if (wanted.startsWith('lacuna:')) {
        if (packNamed(wanted) === null)
          problem('extends', `There is no pack "${wanted}". There are ${packNames().join(', ')}.`);
        else packs.add(wanted);
        continue;
      }
      const target = resolveFrom(path, wanted);
      if (target === path || trail.includes(target))
        problem('cycle', `"${wanted}" extends this file in turn: a cycle.`);
      else if (done.size >= MAX_FILES) problem('extends', `More than ${String(MAX_FILES)} files are extended.`);
      else if (!done.has(target)) {
        const next = files.readText(target, source);
        if (next.type === 'absent') problem('extends', `There is no file "${wanted}".`);
        else await visit(target, besides(name, wanted), next, [...trail, path]);
      }
    }
    found.push({ source: name, spec });
  };
  await visit(source.path, source.name, text, []);
  return problems.length === 0
    ? { ...good, files: found, packs: [...packs], problems }
    : { ...good, files: null, packs: [], problems, standing: 'nothing' };
}

async function parseText(name: string, read: PolicyText) {
  if (read.type === 'too-large')
    return [fileProblem(name, 'too-large', 'The policy is larger than 1 MiB; it is not read.')];
  if (read.type === 'unreadable') return [fileProblem(name, 'unreadable', `It cannot be read: ${read.message}.`)];
  if (read.type === 'absent') return [fileProblem(name, 'unreadable', 'There is no such file.')];
  const { parsePolicy } = await import('./parse.js');
  const parsed = parsePolicy(name, read.text);
  return parsed.ok ? parsed.value : [...parsed.error];
}

/** A path as a file names it, seen from that file's folder. */
function resolveFrom(file: string, wanted: string): string {
  if (wanted.startsWith('/') || /^[A-Za-z]:\//.test(wanted)) return wanted;
  const parts = file.split('/').slice(0, -1);
  for (const part of wanted.replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** `.lacuna/policy.yaml` and `./team.yaml` → `.lacuna/team.yaml`, for people. */
const besides = (name: string, wanted: string): string => (wanted.startsWith('/') ? wanted : resolveFrom(name, wanted));

/** Layers of what was loaded. The default packs are always there; a file may add to them. */
export function layersOf(loaded: readonly LoadedSource[], options: { readonly isTrusted: boolean }): PolicyLayers {
  const isBelieved = ({ source, standing }: LoadedSource): boolean =>
    standing !== 'unverified' && (source.layer !== 'workspace' || options.isTrusted);
  const of = (layer: WrittenLayer): LayerFile[] =>
    loaded
      .filter(({ source }) => source.layer === layer)
      .flatMap((one) => (isBelieved(one) ? (one.files ?? []) : (one.files ?? []).map(onlyStricter)));
  const asked = loaded.filter(isBelieved).flatMap(({ packs }) => packs);
  return {
    organisation: of('organisation'),
    user: of('user'),
    workspace: of('workspace'),
    packs: packsFor(['lacuna:recommended', ...asked]),
  };
}

/** A file that is heard only where it is stricter. */
const onlyStricter = (file: LayerFile): LayerFile => ({ ...file, isOnlyStricter: true });

/** The named packs and all that they extend, each once. */
export function packsFor(names: readonly string[]): readonly LayerFile[] {
  const found = new Map<string, LayerFile>();
  const visit = (name: string): void => {
    const pack = packNamed(name);
    if (pack === null || found.has(name)) return;
    found.set(name, pack);
    for (const wanted of listOf<string>(pack.spec.extends ?? [])) visit(wanted);
  };
  for (const name of names) visit(name);
  return [...found.values()];
}

/** The built-in policy alone: the default packs, no other layer. */
export const defaultLayers = (): PolicyLayers => layersOf([], { isTrusted: true });
