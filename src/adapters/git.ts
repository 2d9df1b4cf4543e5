import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { GitState } from '../core/effects/effect.js';
import type { Repository } from '../core/effects/facts.js';

/** How long git may take to answer, in milliseconds; a slower answer is "unknown". */
const TIMEOUT_MS = 2_000;
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

/** Switches off what a repository's configuration could make git run while it only looks. */
const SAFE_SWITCHES = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.quotePath=false'];

/** One file that differs from the last commit, or that git does not follow. */
export interface StatusEntry {
  /** Absolute, `/`-separated; a folder ends with `/`. */
  readonly path: string;
  readonly state: 'modified' | 'untracked' | 'ignored';
}

/**
 * Asks git a question that changes nothing; null when git is missing, slow, or refuses. Variables of the caller that would
 * point git elsewhere are left out.
 */
function ask(
  folder: string,
  args: readonly string[],
  { switches = SAFE_SWITCHES, input = '' }: { readonly switches?: readonly string[]; readonly input?: string } = {},
): string | null {
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  try {
    return execFileSync('git', ['--no-optional-locks', ...switches, ...args], {
      cwd: folder,
      env: { ...environment, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' },
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
      input,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
  } catch (error) {
    // Missing, slow or refusing git is an answer that the caller reads as "unknown"; anything else is a fault of ours.
    if (error instanceof Error) return null;
    throw error;
  }
}

/** Narrows a question to a path, with no character of it read as a pattern; to nothing at all for the top of the tree. */
const narrowedTo = (root: string, file: string): readonly string[] =>
  file === root ? [] : ['--', `:(top,literal)${path.posix.relative(root, file)}`];

/** What git says of all files at or below a path: nothing for files that are committed and clean. Null: no answer. */
export function gitStatus(root: string, file: string): readonly StatusEntry[] | null {
  const question = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--ignored=matching', '--no-renames'];
  const output = ask(root, [...question, ...narrowedTo(root, file)]);
  if (output === null) return null;
  return output
    .split('\0')
    .filter((line) => line.length > 3)
    .map((line): StatusEntry => {
      const code = line.slice(0, 2);
      const state = code === '??' ? 'untracked' : code === '!!' ? 'ignored' : 'modified';
      return { path: path.posix.join(root, line.slice(3)), state };
    });
}

/** Whether the index holds anything at or below the path. */
export function isFollowed(root: string, file: string): boolean {
  const output = ask(root, ['ls-files', '-z', ...narrowedTo(root, file)]);
  return output !== null && output.length > 0;
}

/** One word for all that lies at or below a path, from what git said of it. */
export function summarise(
  entries: readonly StatusEntry[],
  file: string,
  known: { readonly exists: boolean; readonly isFollowed: boolean },
): GitState {
  if (entries.length === 0) return known.exists ? 'tracked' : 'absent';
  const whole = entries.find(
    (entry) => entry.path === file || (entry.path.endsWith('/') && `${file}/`.startsWith(entry.path)),
  );
  if (whole) return whole.state;
  const states = new Set(entries.map((entry) => entry.state));
  if (states.size === 1 && states.has('ignored')) return known.isFollowed ? 'tracked' : 'ignored';
  if (states.size === 1 && !known.isFollowed) return 'untracked';
  return 'mixed';
}

/** A revision that git reads as one, and not as an option or as several words. */
const REVISION = /^[^-\s\p{Cc}][^\s\p{Cc}]*$/u;
const MAX_TEXT_BYTES = 256 * 1024;

/** The name of the tree that a revision stands for; null when there is none. `A...B` is where the two parted. */
function treeOf(root: string, revision: string): string | null {
  const [, left, right] = /^(.*[^.])\.{3}([^.].*)$/s.exec(revision) ?? [];
  const commit =
    left === undefined || right === undefined ? revision : (ask(root, ['merge-base', left, right])?.trim() ?? '');
  return REVISION.test(commit)
    ? (ask(root, ['rev-parse', '--verify', '--quiet', `${commit}^{tree}`])?.trim() ?? null)
    : null;
}

/** {@link Repository.textsAt}. */
function textsAt(root: string, revision: string, paths: readonly string[]): ReadonlyMap<string, string> | null {
  const below = paths.map((file) => path.posix.relative(root, file)).filter((file) => !/^(?:\.\.|$)/.test(file));
  const tree = revision === '' ? null : treeOf(root, revision);
  if (revision !== '' && tree === null) return null;
  if (below.length === 0) return new Map();
  const listed =
    tree === null
      ? ask(root, ['ls-files', '-s', '-z', '--', ...below.map((file) => `:(top,literal)${file}`)])
      : ask(root, ['ls-tree', '-r', '-z', '--full-tree', tree, '--', ...below]);
  if (listed === null) return null;
  const files = listed.split('\0').flatMap((line) => {
    // `mode type name\tpath` of a tree, `mode name stage\tpath` of the index.
    const [, name, file] = /^100\d{3} (?:blob )?([0-9a-f]{40,64})(?: \d)?\t(.+)$/s.exec(line) ?? [];
    return name === undefined || file === undefined ? [] : [{ name, file }];
  });
  return new Map(
    files.flatMap(({ name, file }) => {
      const text = ask(root, ['cat-file', 'blob', name]);
      return text === null || text.length > MAX_TEXT_BYTES ? [] : [[path.posix.join(root, file), text] as const];
    }),
  );
}

/** Text of one of the repository's own files; null when it is not there. */
function readOwn(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

/** Where the repository's own files are, for a folder that holds a `.git`; null when it holds none. */
function gitFolderOf(folder: string): string | null {
  const dotGit = path.posix.join(folder, '.git');
  const stats = statSync(dotGit, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (stats.isDirectory()) return dotGit;
  const pointer = /^gitdir: (.+)$/m.exec(readOwn(dotGit) ?? '')?.[1];
  return pointer === undefined ? null : path.posix.resolve(folder, pointer.trim());
}

/** Settings as `git config --list` gives them; the last value of a key wins. Keys in lower case but for sub-section names. */
function configurationOf(root: string): ReadonlyMap<string, string> {
  const output = ask(root, ['config', '--list', '-z'], { switches: [] }) ?? '';
  return new Map(
    output
      .split('\0')
      .filter((line) => line !== '')
      .map((line): [string, string] => {
        const at = line.indexOf('\n');
        return at < 0 ? [line, 'true'] : [line.slice(0, at), line.slice(at + 1)];
      }),
  );
}

/** A part of the settings, by prefix and suffix, with both taken off. */
function section(configuration: ReadonlyMap<string, string>, prefix: string, suffix = ''): ReadonlyMap<string, string> {
  return new Map(
    [...configuration]
      .filter(([key]) => key.startsWith(prefix) && key.endsWith(suffix))
      .map(([key, value]) => [key.slice(prefix.length, key.length - suffix.length), value]),
  );
}

/** The repository whose top a folder is; null when it is none. What it says of itself is read only when somebody asks for it. */
export function repositoryIn(folder: string): Repository | null {
  const gitFolder = gitFolderOf(folder);
  return gitFolder === null ? null : repositoryAt(folder, gitFolder);
}

/** The repository that holds a folder, found by walking up. */
export function findRepository(folder: string): Repository | null {
  const parent = path.posix.dirname(folder);
  return repositoryIn(folder) ?? (parent === folder ? null : findRepository(parent));
}

function repositoryAt(root: string, gitFolder: string): Repository {
  let read: ReadonlyMap<string, string> | undefined;
  let head: string | undefined;
  const settings = (): ReadonlyMap<string, string> => (read ??= configurationOf(root));
  return {
    root,
    gitFolder,
    get isLinkedWorktree() {
      return readOwn(path.posix.join(gitFolder, 'commondir')) !== null;
    },
    get branch() {
      head ??= readOwn(path.posix.join(gitFolder, 'HEAD')) ?? '';
      return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? null;
    },
    get remotes() {
      return section(settings(), 'remote.', '.url');
    },
    get aliases() {
      return section(settings(), 'alias.');
    },
    get configuration() {
      return settings();
    },
    textsAt: (revision, paths) => textsAt(root, revision, paths),
  };
}
