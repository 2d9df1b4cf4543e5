import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, type Stats } from 'node:fs';
import path from 'node:path';
import type { Analysis, Effect, SimpleCommand } from '../core/effects/effect.js';
import type { Facts } from '../core/effects/facts.js';
import { canonicalPath, joinPath } from '../core/effects/paths.js';
import type { Binding } from '../core/gate/permit.js';
import type { Lacuna } from '../core/lacuna/lacuna.js';
import type { Bindings, Clock, FactsSource } from '../core/ports.js';

/** Content is hashed up to this size; of larger files identity, size and times stand for it. */
const MAX_HASHED_BYTES = 8 * 1024 * 1024;
/** Entries of a folder that is deleted or moved as a whole. */
const MAX_TREE = 5_000;
const MAX_SUBJECTS = 400;

/**
 * How closely a subject is looked at. `content`: what it leads to, its identity and its bytes (edits, deletions, scripts).
 * `place`: what it leads to, and what kind of thing stands there (reads, folders, files that a command writes).
 * `program`: which file a name on PATH is, and that this file is the same.
 */
type Closeness = 'content' | 'place' | 'program';

const subjectOf = (closeness: Closeness, what: string): string => `${closeness}:${what}`;

/** Which files of a folder hold code that a program runs besides its arguments. */
const RUN_FROM_FOLDER: Readonly<Record<string, readonly string[]>> = {
  npm: ['package.json'],
  npx: ['package.json'],
  pnpm: ['package.json'],
  yarn: ['package.json'],
  bun: ['package.json'],
  make: ['Makefile', 'makefile', 'GNUmakefile'],
  just: ['justfile', 'Justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
  rake: ['Rakefile'],
  gradle: ['build.gradle', 'build.gradle.kts'],
  mvn: ['pom.xml'],
  cargo: ['Cargo.toml'],
  composer: ['composer.json'],
  poe: ['pyproject.toml'],
  tox: ['tox.ini'],
};

/** Paths of the parameters of a kind, and whether a link that stands last is followed, as its executor does. */
function pathsOf(lacuna: Lacuna): readonly (readonly [string, 'follow' | 'keep', Closeness])[] {
  switch (lacuna.kind) {
    case 'WriteFile':
    case 'EditFile':
      return [[lacuna.params.path, 'follow', 'content']];
    case 'DeleteFile':
      return [[lacuna.params.path, 'keep', 'content']];
    case 'MoveFile':
      return [
        [lacuna.params.from, 'keep', 'content'],
        [lacuna.params.to, 'keep', 'content'],
      ];
    case 'ReadFile':
    case 'ListFiles':
      return [[lacuna.params.path, 'follow', 'place']];
    case 'SearchFiles':
      return [[lacuna.params.path ?? '.', 'follow', 'place']];
    case 'ExecuteShell':
      return [[lacuna.params.cwd ?? '.', 'follow', 'place']];
    case 'QueryDatabase':
    case 'HttpRequest':
    case 'CallTool':
    case 'Delegate':
      return [];
  }
}

/** How closely an effect's path is looked at; null where the permit does not hang on it. */
function closenessOf({ op, certainty, resource, traits }: Effect): Closeness | null {
  if (resource.type !== 'path' && resource.type !== 'agent-config') return null;
  if (certainty !== 'exact') return null;
  if (op === 'execute' || op === 'delete' || op === 'move' || traits.includes('edit')) return 'content';
  return op === 'write' || op === 'persist' || op === 'read' ? 'place' : null;
}

/** Subjects of one simple command: its program, code that it finds in its folder, and words that lead through links. */
function* subjectsOfCommand(command: SimpleCommand, facts: Facts): Generator<string> {
  const { cwd } = command;
  const [first] = command.argv;
  if (first?.certainty === 'exact' && first.text !== '') {
    const isPath = first.text.includes('/') || (facts.platform === 'win32' && first.text.includes('\\'));
    if (!isPath) yield subjectOf('program', first.text);
    else if (cwd !== null) yield subjectOf('content', joinPath(cwd, first.text, facts.platform));
  }
  if (cwd === null) return;
  yield subjectOf('place', cwd);
  const names = Object.hasOwn(RUN_FROM_FOLDER, command.program) ? RUN_FROM_FOLDER[command.program] : undefined;
  for (const name of names ?? []) yield subjectOf('content', joinPath(cwd, name, facts.platform));
  for (const { text, certainty } of command.argv.slice(1)) {
    if (certainty !== 'exact' || text.length > 1_000 || /[\0\n]/.test(text)) continue;
    const lexical = joinPath(cwd, text.replace(/^--?[\w-]+=/, ''), facts.platform);
    if (facts.realPath(lexical) !== lexical) yield subjectOf('place', lexical);
  }
}

/** All that a permit for this Lacuna hangs on, each subject once, in a fixed order. */
function subjectsFor(lacuna: Lacuna, analysis: Analysis, facts: Facts): readonly string[] {
  const subjects = new Set<string>();
  for (const effect of analysis.effects) {
    const closeness = closenessOf(effect);
    if (closeness !== null && (effect.resource.type === 'path' || effect.resource.type === 'agent-config'))
      subjects.add(subjectOf(closeness, effect.resource.path));
  }
  if (lacuna.kind === 'ExecuteShell')
    for (const command of analysis.commands)
      for (const subject of subjectsOfCommand(command, facts)) subjects.add(subject);
  return [...subjects].sort().slice(0, MAX_SUBJECTS);
}

/** Stats of what stands at a path, links not followed; null when nothing does or nothing can be told. */
function lookAt(file: string): Stats | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

const typeOf = (stats: Stats): string => {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'link' : 'other';
};

/** SHA-256 of a regular file's bytes, no link followed; null when it cannot be read. */
function hashOf(file: string): string | null {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
  try {
    if (!fstatSync(handle).isFile()) return null;
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(64 * 1024);
    for (let count = readSync(handle, chunk); count > 0; count = readSync(handle, chunk))
      hash.update(chunk.subarray(0, count));
    return hash.digest('hex');
  } finally {
    closeSync(handle);
  }
}

/** Names in a folder, in order; none when it may not be listed. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

/** Names, sizes and times of all below a folder, up to a number: a change in any of it shows. */
function treeOf(folder: string): string {
  const lines: string[] = [];
  const visit = (at: string): void => {
    for (const name of namesIn(at)) {
      if (lines.length >= MAX_TREE) return;
      const file = path.join(at, name);
      const stats = lookAt(file);
      lines.push(stats === null ? `${file} gone` : `${file} ${identityOf(stats)} ${String(stats.mtimeMs)}`);
      if (stats?.isDirectory() === true) visit(file);
    }
  };
  visit(folder);
  return lines.join('\n');
}

const identityOf = (stats: Stats): string =>
  [typeOf(stats), stats.dev, stats.ino, stats.size, stats.mode & 0o7777].join(' ');

/** A file or folder as closely as bytes tell: content for files, all below for folders, the target for links. */
function contentAt(file: string): string {
  const stats = lookAt(file);
  if (stats === null) return 'absent';
  if (stats.isDirectory()) return `${identityOf(stats)} ${treeOf(file)}`;
  const hash = stats.isFile() && stats.size <= MAX_HASHED_BYTES ? hashOf(file) : null;
  return `${identityOf(stats)} ${hash ?? `${String(stats.mtimeMs)} ${String(stats.ctimeMs)}`}`;
}

/** What kind of thing stands at a path. A folder's identity counts; a file may be replaced by its like. */
function placeAt(file: string): string {
  const stats = lookAt(file);
  if (stats === null) return 'absent or new';
  return stats.isDirectory() ? `folder ${String(stats.dev)} ${String(stats.ino)}` : `a ${typeOf(stats)}`;
}

/** The first executable file of that name on PATH, with what tells it from another; `none` when there is none. */
function programAt(name: string, pathVariable: string, facts: Facts): string {
  const endings = facts.platform === 'win32' ? ['', '.exe', '.cmd', '.bat', '.com'] : [''];
  for (const folder of pathVariable.split(path.delimiter)) {
    for (const ending of endings) {
      if (folder === '') continue;
      const file = path.join(folder, name + ending);
      const real = facts.realPath(joinPath('/', file, facts.platform));
      const stats = lookAt(real);
      const isProgram = stats?.isFile() === true && (facts.platform === 'win32' || (stats.mode & 0o111) !== 0);
      if (isProgram) return `${file} ${real} ${identityOf(stats)} ${String(stats.mtimeMs)} ${String(stats.ctimeMs)}`;
    }
  }
  return 'none';
}

/** The state of one subject as it stands now. */
function stateOf(subject: string, facts: Facts): string {
  const at = subject.indexOf(':');
  const what = subject.slice(at + 1);
  switch (subject.slice(0, at)) {
    case 'program':
      return programAt(what, facts.environment('PATH') ?? '', facts);
    case 'content': {
      const real = facts.realPath(what);
      return `${real} ${contentAt(what)} ${real === what ? '' : contentAt(real)}`;
    }
    default: {
      const real = facts.realPath(what);
      return `${real} ${placeAt(real)}`;
    }
  }
}

/** State of a path of the parameters, resolved as its executor will resolve it. */
function stateOfParam(text: string, lastLink: 'follow' | 'keep', closeness: Closeness, facts: Facts): string {
  const canonical = canonicalPath(text, facts.roots[0] ?? '/', facts, lastLink);
  const folder = placeAt(path.posix.dirname(canonical));
  return `${canonical} ${folder} ${closeness === 'content' ? contentAt(canonical) : placeAt(canonical)}`;
}

/**
 * Binds permits to the world as it is: digest over the kind, the parameters, and each subject's state. Looks afresh every time.
 * Costs a hash of each small file that is edited, deleted or run, and a look at everything else.
 */
export function createBindings(source: FactsSource, clock: Clock): Bindings {
  const digest = (lacuna: Lacuna, subjects: readonly string[]): string => {
    const facts = source.look();
    const hash = createHash('sha256');
    hash.update(JSON.stringify([lacuna.kind, lacuna.params]));
    for (const [text, lastLink, closeness] of pathsOf(lacuna))
      hash.update(`\0${text}\0${stateOfParam(text, lastLink, closeness, facts)}`);
    for (const subject of subjects) hash.update(`\0${subject}\0${stateOf(subject, facts)}`);
    return hash.digest('hex');
  };
  return {
    nowMs: () => clock.nowMs(),
    digestNow: (lacuna, subjects) => Promise.resolve(digest(lacuna as Lacuna, subjects)),
    bind(lacuna, analysis): Promise<Binding> {
      const subjects = subjectsFor(lacuna, analysis, source.look());
      return Promise.resolve({ subjects, digest: digest(lacuna, subjects) });
    },
  };
}
