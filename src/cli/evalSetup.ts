import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Files of a case before its first step. Paths relative to the workspace, or absolute below the case's home. */
export interface Setup {
  readonly files?: Readonly<Record<string, string>>;
  readonly untracked?: readonly string[];
  readonly modified?: readonly string[];
  readonly symlinks?: Readonly<Record<string, string>>;
  readonly encoding?: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
}

/** Workspace and home of the cases, as they name them. */
const WORKSPACE = '/home/dev/work/shop';
const HOME = '/home/dev';

/**
 * Lays out a case in a folder of its own: a git workspace with everything committed but what is untracked, and other content in
 * what is modified. Answers with the workspace and home to judge it in.
 */
export function layOut(setup: Setup, folder: string): { readonly workspace: string; readonly home: string } {
  const workspace = path.join(folder, WORKSPACE);
  const home = path.join(folder, HOME);
  mkdirSync(workspace, { recursive: true });
  const at = (name: string): string => (path.isAbsolute(name) ? path.join(folder, name) : path.join(workspace, name));
  const put = (name: string, text: string): void => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    const encoding = setup.encoding?.[name];
    writeFileSync(
      at(name),
      encoding === undefined
        ? text
        : Buffer.from(text, encoding.startsWith('utf-16') || encoding === 'utf16le' ? 'utf16le' : 'latin1'),
    );
  };
  const files = Object.entries(setup.files ?? {});
  const untracked = new Set(setup.untracked ?? []);
  for (const [name, text] of files) if (!untracked.has(name)) put(name, text);
  git(workspace, 'init', '-q', '-b', 'main');
  git(workspace, 'add', '-A');
  git(workspace, 'commit', '-q', '--allow-empty', '-m', 'set-up');
  for (const [name, text] of files) if (untracked.has(name)) put(name, text);
  for (const name of untracked) if (setup.files?.[name] === undefined) put(name, 'never added\n');
  for (const name of setup.modified ?? []) put(name, `${setup.files?.[name] ?? ''}changed since the last commit\n`);
  for (const [link, target] of Object.entries(setup.symlinks ?? {})) {
    mkdirSync(path.dirname(at(link)), { recursive: true });
    symlinkSync(path.isAbsolute(target) && target.startsWith(HOME) ? path.join(folder, target) : target, at(link));
  }
  return { workspace, home };
}

function git(folder: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=Lacuna', '-c', 'user.email=lacuna@example.org', '-c', 'core.hooksPath=/dev/null'];
  execFileSync('git', [...identity, ...args], {
    cwd: folder,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
  });
}
