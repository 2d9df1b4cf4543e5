import type { GitState } from '../../effects/effect.js';
import type { Entry, Facts, Platform } from '../../effects/facts.js';
import { joinPath } from '../../effects/paths.js';
import type { TestSpec } from '../schema.js';

/** The made-up machine on which tests in policies run: home and workspace. */
export function testPlace(platform: Platform): { readonly home: string; readonly root: string } {
  const home = platform === 'win32' ? 'C:/Users/dev' : platform === 'darwin' ? '/Users/dev' : '/home/dev';
  return { home, root: `${home}/project` };
}

/**
 * Facts of the made-up machine: the files that the test names stand in a git repository, committed and clean unless it says
 * otherwise; what it does not name is absent. Changes nothing and looks at nothing real.
 */
export function testFacts(
  test: Pick<TestSpec, 'files' | 'untracked' | 'modified' | 'ignored' | 'platform' | 'context'>,
): Facts {
  const platform = test.platform ?? 'linux';
  const { home, root } = testPlace(platform);
  const absolute = (path: string): string => joinPath(root, path.replace(/^~(?=\/|$)/, home), platform);
  const files = new Map(Object.entries(test.files ?? {}).map(([path, text]) => [absolute(path), text]));
  const git = new Map<string, GitState>();
  for (const state of ['untracked', 'modified', 'ignored'] as const)
    for (const path of test[state] ?? []) {
      git.set(absolute(path), state);
      if (!files.has(absolute(path))) files.set(absolute(path), '');
    }
  const below = (path: string): string[] =>
    [...files.keys()].filter((file) => file.startsWith(path === '/' ? '/' : `${path}/`));
  const entry = (path: string): Entry => {
    if (files.has(path)) return 'file';
    return path === root || path === home || path === '/' || below(path).length > 0 ? 'folder' : 'absent';
  };
  const stateOf = (path: string): GitState => git.get(path) ?? (files.has(path) ? 'tracked' : 'absent');
  return {
    platform,
    home,
    roots: [root],
    temporary: ['/tmp'],
    isCaseSensitive: platform === 'linux',
    entry,
    realPath: (path) => path,
    readText: (path) => files.get(path) ?? null,
    sizeBytes: (path) => files.get(path)?.length ?? null,
    list: (path) =>
      entry(path) === 'folder'
        ? [...new Set(below(path).map((file) => file.slice(path.length).split('/').filter(Boolean)[0] ?? ''))]
        : null,
    gitState(path) {
      if (!path.startsWith(`${root}/`) && path !== root) return 'none';
      if (files.has(path) || git.has(path)) return stateOf(path);
      const states = new Set(below(path).map(stateOf));
      const [first] = states;
      return first === undefined ? 'absent' : states.size === 1 ? first : 'mixed';
    },
    uncommitted: (path) =>
      [path, ...below(path)].filter((file) => stateOf(file) === 'untracked' || stateOf(file) === 'modified'),
    repository: () => ({
      root,
      gitFolder: `${root}/.git`,
      isLinkedWorktree: test.context?.worktree ?? false,
      branch: test.context?.branch ?? 'main',
      remotes: new Map([['origin', 'https://github.com/example/project.git']]),
      aliases: new Map(),
      configuration: new Map(),
      textsAt: () => null,
    }),
    environment: (name) => (name === 'HOME' || name === 'USERPROFILE' ? home : null),
  };
}
