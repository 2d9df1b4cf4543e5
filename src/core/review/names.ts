import type { Resource } from '../effects/effect.js';

/**
 * How plainly a text names a thing. `exact`: the whole name or path; `base`: its last part; `folder`: a folder it lies in; `near`:
 * a name that differs by a letter or two, or of which it is only a part; `part`: a word of the name; `nameless`: it has no name that
 * anyone could say; `none`.
 */
export const OVERLAPS = ['exact', 'base', 'folder', 'part', 'near', 'nameless', 'none'] as const;
export type Overlap = (typeof OVERLAPS)[number];

/** Parts of names that so many things share that they name nothing. */
const COMMON = new Set(
  'src lib test tests main index app file files code data docs doc spec config package json the and for with from into this that node modules com org www http https github local usr bin var home users user dev tmp new old all git python bash true false null default project workspace internal public http origin head'.split(
    ' ',
  ),
);

/** A text taken apart into what it names. Made once for a request and used for all effects. */
export interface Named {
  /** Lower-case text. */
  readonly text: string;
  /** Whole runs of name characters: paths, files, hosts, packages, refs. */
  readonly runs: ReadonlySet<string>;
  /** Words of those runs, split at separators and at changes of case. */
  readonly words: ReadonlySet<string>;
  /** Runs that can only be the name of a file, folder, host or ref: they hold a dot or a slash. */
  readonly places: readonly string[];
}

const MOST_TEXT = 8000;
const RUN = /[\w@~][\w@~./:+-]*/g;

/** `parseJSON_fast-path.ts` → parse, json, fast, path, ts. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 2);

/** Takes a text apart. Linear in the text, which is cut. */
export function namedIn(text: string): Named {
  const cut = text.slice(0, MOST_TEXT);
  const runs = new Set<string>();
  const words = new Set<string>();
  const places: string[] = [];
  for (const [found] of cut.matchAll(RUN)) {
    const run = found.replace(/[.:]+$/, '');
    const lower = run.toLowerCase();
    runs.add(lower);
    for (const word of wordsOf(run)) words.add(word);
    if (/[^/.]\.[a-z]\w{0,7}$|\w\/\w|^\.\w|\w\/$/i.test(run) && !/^(?:e\.g|i\.e|and\/or|n\/a)$/i.test(run))
      places.push(lower);
  }
  return { text: cut.toLowerCase(), runs, words, places };
}

/** Names by which a resource can be meant, most exact first: whole, last part, folders. All in lower case. */
export interface NamesOfResource {
  readonly whole: readonly string[];
  readonly base: readonly string[];
  readonly folders: readonly string[];
  /** Words of whole and last part, taken apart before their case was lost. */
  readonly words: readonly string[];
  /** A path that goes on behind the name names something in it, not it: `src/core/a.ts` does not name `src/core`. */
  readonly isFolderPossible: boolean;
}

const NO_NAMES: NamesOfResource = { whole: [], base: [], folders: [], words: [], isFolderPossible: false };

const lowered = (whole: readonly string[], base: readonly string[], folders: readonly string[]): NamesOfResource => ({
  whole: whole.map((name) => name.toLowerCase()),
  base: base.map((name) => name.toLowerCase()),
  folders: folders.map((name) => name.toLowerCase()),
  words: [...new Set([...whole, ...base].flatMap(wordsOf))],
  isFolderPossible: false,
});

function namesOfPath(path: string, roots: readonly string[]): NamesOfResource {
  const trimmed = path.replace(/\/+$/, '');
  const lower = trimmed.toLowerCase();
  const root = roots.map((one) => one.toLowerCase()).find((one) => lower === one || lower.startsWith(`${one}/`));
  const relative = root === undefined ? trimmed : trimmed.slice(root.length + 1);
  const parts = relative.split('/').filter(Boolean);
  const base = parts.at(-1) ?? '';
  const stem = base.replace(/(?<=.)\.[^.]*$/, '');
  // Folders that the workspace lies in itself are spoken of with everything in it: they name nothing beside it.
  const shared = new Set(roots.flatMap((one) => one.toLowerCase().split('/')));
  const folders = parts.slice(0, -1).filter((part) => root !== undefined || !shared.has(part.toLowerCase()));
  const names = lowered(parts.length > 1 ? [relative, trimmed] : [trimmed], [base, stem], folders);
  return { ...names, isFolderPossible: true };
}

/** The names of a resource. `roots` are the workspace's folders, to which paths are taken as relative. */
export function namesOf(resource: Resource, roots: readonly string[]): NamesOfResource {
  switch (resource.type) {
    case 'path':
    case 'agent-config':
      return namesOfPath(resource.path, roots);
    case 'url': {
      const labels = resource.host.split('.').slice(0, -1);
      return lowered(
        [resource.url, resource.host],
        labels.filter((label) => !COMMON.has(label) && label.length > 2),
        [],
      );
    }
    case 'package':
      return lowered([resource.name], [resource.name.replace(/^@[^/]*\//, '')], []);
    case 'table':
      return lowered([`${resource.database}.${resource.table}`], [resource.table], []);
    case 'ref': {
      const ref = resource.ref.replace(/^refs\/(?:heads|tags)\//, '');
      return /^(?:HEAD|index)$/i.test(ref) ? NO_NAMES : lowered([ref], ref.split('/').slice(-1), []);
    }
    case 'process': {
      const [program = '', ...rest] = resource.process.split(/\s+/);
      return lowered(rest.length > 0 ? [`${program} ${rest.join(' ')}`] : [], [program], []);
    }
    case 'environment':
      return lowered([resource.name], [], []);
    case 'remote':
      // The service and the kind of thing are said with every thing of the kind: they name none.
      return lowered([resource.name], resource.name.split(/[\s/:]+/).slice(-1), [
        ...resource.name.split(/[\s/:]+/).slice(0, -1),
        resource.service,
      ]);
    case 'tool':
      return lowered([resource.tool], [], []);
    case 'unknown':
      return NO_NAMES;
  }
}

const isTelling = (word: string): boolean => word.length >= 3 && !COMMON.has(word) && !/^\d+$/.test(word);

/** Whether a text holds a name as a whole, not as a part of a longer one. */
function holds(named: Named, name: string, isFolderPossible: boolean): boolean {
  if (name.length < 3) return named.runs.has(name);
  if (named.runs.has(name)) return true;
  for (let at = named.text.indexOf(name); at >= 0; at = named.text.indexOf(name, at + 1)) {
    const before = named.text[at - 1] ?? ' ';
    const after = named.text[at + name.length] ?? ' ';
    const follows = named.text[at + name.length + 1] ?? ' ';
    const goesOn = (after === '.' || (after === '/' && isFolderPossible)) && /\w/.test(follows);
    const ends = !/[\w-]/.test(after) && !goesOn;
    if (ends && !/[\w.-]/.test(before)) return true;
  }
  return false;
}

/**
 * How a text holds the last part of a path: alone or at the end of a path that this one ends with (`own`), only at the end of
 * another path (`other`: `scripts/a.py` where `src/a.py` is named), or not at all. Names of other things are held or not.
 */
function baseIn(named: Named, { whole, isFolderPossible }: NamesOfResource, base: string): 'own' | 'other' | null {
  if (base.length <= 1 || COMMON.has(base) || !holds(named, base, isFolderPossible)) return null;
  if (!isFolderPossible) return 'own';
  const paths = [...named.text.matchAll(/[\w@~./+-]+/g)]
    .map(([run]) => run.replace(/[.:]+$/, '').replace(/^(?:\.\.?\/)+/, ''))
    .filter((run) => run === base || run.endsWith(`/${base}`));
  const isOwn = (run: string): boolean =>
    !run.includes('/') || whole.some((one) => `/${one}`.endsWith(`/${run}`) || run.endsWith(one));
  return paths.length === 0 || paths.some(isOwn) ? 'own' : 'other';
}

/** Whether two words differ by a slip or a trick: letters left out, put in, replaced, or two turned round. */
function isNear(a: string, b: string): boolean {
  if (a === b || a.length < 5 || Math.abs(a.length - b.length) > 2) return false;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_unused, at) => at)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 99;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isTurned = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          (row[j - 1] ?? 99) + 1,
          at(i - 1, j - 1) + (isSame ? 0 : 1),
          isTurned ? at(i - 2, j - 2) + 1 : 99,
        ),
      );
    }
  }
  return at(a.length, b.length) <= (a.length >= 8 ? 2 : 1);
}

/** How plainly a text names a resource. Linear in the text for each name. */
export function overlapOf(names: NamesOfResource, named: Named): Overlap {
  const { isFolderPossible } = names;
  if ([...names.whole, ...names.base].every((name) => name === '')) return 'nameless';
  if (names.whole.some((name) => name.length > 1 && holds(named, name, isFolderPossible))) return 'exact';
  const bases = names.base.map((base) => baseIn(named, names, base));
  if (bases.includes('own')) return 'base';
  if (bases.includes('other')) return 'near';
  const words = names.words.filter(isTelling);
  const lookalike = names.base.some((base) =>
    [...named.runs].some((run) => isNear(base, run) || isExtended(base, run)),
  );
  if (lookalike) return 'near';
  if (names.folders.some((folder) => isTelling(folder) && holds(named, folder, false))) return 'folder';
  if (words.some((word) => named.words.has(word) || isInflected(word, named.words))) return 'part';
  return 'none';
}

/** `sessions` beside `legacy_sessions`: a name of which the other is a part at a border. */
const isExtended = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= 4 &&
  a !== b &&
  !COMMON.has(a) &&
  !COMMON.has(b) &&
  (new RegExp(`(?:^|[_.-])${escaped(a)}(?:$|[_-])`).test(b) ||
    new RegExp(`(?:^|[_.-])${escaped(b)}(?:$|[_-])`).test(a));

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** `test` and `tests`, `format` and `formatted`: a common beginning of all but the ending. */
function isInflected(word: string, words: ReadonlySet<string>): boolean {
  if (word.length < 4) return false;
  for (const ending of ['s', 'es', 'ed', 'er', 'ing']) {
    if (words.has(word + ending)) return true;
    if (word.endsWith(ending) && word.length - ending.length >= 4 && words.has(word.slice(0, -ending.length)))
      return true;
  }
  return false;
}
