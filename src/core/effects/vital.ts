import type { Facts } from './facts.js';
import { isWithin, SYSTEM_FOLDERS } from './paths.js';
import { pathMatches } from './shell/glob.js';

/** Parts of the system below its top folders without which nothing runs, and the folders that hold people's homes. */
const MORE: Readonly<Record<Facts['platform'], readonly string[]>> = {
  linux: ['/home', '/usr/bin', '/usr/lib', '/usr/lib64', '/usr/sbin', '/usr/local', '/usr/share', '/var/lib', '/dev'],
  darwin: ['/Users', '/usr/bin', '/usr/lib', '/usr/sbin', '/usr/local', '/private', '/dev', '/Volumes'],
  win32: ['C:/Users', 'C:/Windows/System32', 'C:/Windows/SysWOW64', 'C:/Windows/WinSxS'],
};

interface Vital {
  /** Folders whose end is the end of the system, the home or the workspace. */
  readonly folders: readonly string[];
  /** Of these, the ones whose whole content is as bad. */
  readonly contents: readonly string[];
}

const cached = new WeakMap<readonly string[], Vital>();

function vitalOf(facts: Facts): Vital {
  const found = cached.get(facts.roots);
  if (found) return found;
  const system = [...SYSTEM_FOLDERS[facts.platform], ...MORE[facts.platform]];
  const gits = facts.roots.map((root) => (root.endsWith('/') ? `${root}.git` : `${root}/.git`));
  const vital = {
    folders: [...system, facts.home, ...facts.roots, ...gits],
    contents: [...system, facts.home, ...gits],
  };
  cached.set(facts.roots, vital);
  return vital;
}

const isFileSystemRoot = (path: string): boolean =>
  path === '/' || /^[A-Z]:\/?$/i.test(path) || /^\/\/[^/]+\/[^/]+$/.test(path);

/** Whether taking away this very path, with all below it, ends the system, the home folder, or the workspace with its history. */
export function isVital(path: string, facts: Facts): boolean {
  return isFileSystemRoot(path) || vitalOf(facts).folders.some((folder) => isWithin(folder, path, facts));
}

/** The same for all paths that an absolute glob could match, whether they exist or not. */
export function patternTakesVital(glob: string, facts: Facts): boolean {
  const at = glob.lastIndexOf('/');
  const folder = glob.slice(0, at) || '/';
  const last = glob.slice(at + 1);
  const vital = vitalOf(facts);
  if (/^(\*+|\{.*\*.*\}|\[.*\]\*|\?\*|\.?\*)$/.test(last) && !/[*?[{]/.test(folder)) {
    if (isFileSystemRoot(folder)) return true;
    if (last.startsWith('*') && vital.contents.some((content) => isSame(content, folder, facts))) return true;
  }
  return vital.folders.some((target) => ancestors(target).some((path) => pathMatches(glob, path, facts)));
}

const isSame = (a: string, b: string, facts: Facts): boolean => isWithin(a, b, facts) && isWithin(b, a, facts);

/** A path and all folders above it, the file system's root left out. */
function ancestors(path: string): readonly string[] {
  const found: string[] = [];
  for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) found.push(path.slice(0, at));
  return found;
}

/** Names of folders that builds, package managers and test runs make and can make again. */
const BUILD_FOLDERS =
  /^(node_modules|bower_components|dist(?:[-_.][\w.-]+)?|build|out|target|coverage|\.nyc_output|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.nox|\.next|\.nuxt|\.svelte-kit|\.turbo|\.parcel-cache|\.cache|\.vite|\.angular|\.gradle|\.output|\.eggs|.*\.egg-info|htmlcov|storybook-static|\.terraform|cmake-build-.*|bazel-.*|DerivedData|\.dart_tool|obj|test-results|playwright-report|\.venv|venv)$/i;
/** Those of them that people give to folders of their own as well. */
const AMBIGUOUS = /^(?:out|target|obj|build|coverage)$/i;
/** Names of files that they leave behind. */
const BUILD_FILES =
  /(^|[/*])(\*?\.?[^/]*\.(pyc|pyo|o|obj|class|tsbuildinfo|gcda|gcno|lo|la)|\.DS_Store|Thumbs\.db|\.eslintcache|\.coverage|npm-debug\.log[^/]*|yarn-error\.log)$/;

/** Whether a path in a workspace is, by its name alone, made by a build: below a `node_modules`, `dist`, … or such a file. */
export function looksBuilt(path: string, facts: Facts): boolean {
  const root = facts.roots.find((folder) => isWithin(path, folder, facts));
  if (root === undefined) return false;
  const parts = path
    .slice(root.length)
    .split('/')
    .filter((part) => part !== '');
  return parts.some((part) => BUILD_FOLDERS.test(part)) || BUILD_FILES.test(path);
}

/**
 * Whether the name of a built path is one that a folder of work could have too, so that it counts only while git does not say that
 * what lies there is in no commit and not ignored.
 */
export const isAmbiguouslyBuilt = (path: string, facts: Facts): boolean => {
  const root = facts.roots.find((folder) => isWithin(path, folder, facts));
  const built = path
    .slice(root?.length ?? 0)
    .split('/')
    .filter((part) => BUILD_FOLDERS.test(part));
  return built.length > 0 && built.every((part) => AMBIGUOUS.test(part)) && !BUILD_FILES.test(path);
};
