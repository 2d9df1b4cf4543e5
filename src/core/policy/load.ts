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

/** What became of one source. */
export interface LoadedSource {
  readonly source: PolicySource;
  /** The file and those it extends; empty when it is absent, null when anything in it is broken. */
  readonly files: readonly LayerFile[] | null;
  /** Packs that it asks for by name. */
  readonly packs: readonly string[];
  readonly problems: readonly PolicyProblem[];
}

const MAX_FILES = 100;

/**
 * Loads sources with all they extend. Errors are values with positions; what to put in the place of a broken source is for
 * the caller ({@link keepLastGood}). The parser is loaded only when there is something to parse, so that a start without
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

async function loadSource(source: PolicySource, files: PolicyFiles): Promise<LoadedSource> {
  const text = files.readText(source.path, source);
  if (text.type === 'absent') return { source, files: [], packs: [], problems: [] };
  const found: LayerFile[] = [];
  const packs = new Set<string>();
  const problems: PolicyProblem[] = [];
  const done = new Set<string>();
  const visit = async (path: string, name: string, read: PolicyText, trail: readonly string[]): Promise<void> => {
    done.add(path);
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
  return { source, files: problems.length > 0 ? null : found, packs: [...packs], problems };
}

async function parseText(name: string, read: PolicyText) {
  if (read.type === 'too-large')
    return [fileProblem(name, 'too-large', 'The policy is larger than 1 MiB; it is not read.')];
  if (read.type === 'unreadable') return [fileProblem(name, 'unreadable', `It cannot be read: ${read.message}.`)];
  if (read.type === 'absent') return [fileProblem(name, 'unreadable', 'It is not there.')];
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

/**
 * Puts the last good version of a source in the place of a broken one. Without one the source has no say, and the built-in
 * policy stays in force. Problems are kept, so that they are shown.
 */
export function keepLastGood(
  previous: readonly LoadedSource[],
  next: readonly LoadedSource[],
): readonly LoadedSource[] {
  return next.map((loaded) => {
    if (loaded.files !== null) return loaded;
    const old = previous.find(
      ({ source, files }) =>
        source.path === loaded.source.path && source.layer === loaded.source.layer && files !== null,
    );
    return old === undefined ? loaded : { ...loaded, files: old.files, packs: old.packs };
  });
}

/** Layers of what was loaded. The default packs are always there; a file may add to them. */
export function layersOf(loaded: readonly LoadedSource[], options: { readonly isTrusted: boolean }): PolicyLayers {
  const of = (layer: WrittenLayer): LayerFile[] =>
    loaded.filter(({ source }) => source.layer === layer).flatMap(({ files }) => files ?? []);
  const asked = loaded
    .filter(({ source }) => source.layer !== 'workspace' || options.isTrusted)
    .flatMap(({ packs }) => packs);
  return {
    organisation: of('organisation'),
    user: of('user'),
    workspace: options.isTrusted ? of('workspace') : of('workspace').map(withoutLoosening),
    packs: packsFor(['lacuna:recommended', ...asked]),
  };
}

/** Labels that make data less confidential or more believed than it is; an untrusted file's are not heard. */
function withoutLoosening(file: LayerFile): LayerFile {
  const labels = (file.spec.labels ?? []).filter(
    ({ confidentiality, integrity }) =>
      confidentiality !== 'public' && confidentiality !== 'internal' && integrity !== 'trusted',
  );
  return { ...file, spec: { ...file.spec, labels } };
}

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
