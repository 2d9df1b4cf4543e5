import type { GitState } from './effect.js';

/** Operating system whose rules hold: names of `process.platform`. Windows rules are testable on Linux. */
export type Platform = 'linux' | 'darwin' | 'win32';

/** What stands at a path. `unknown`: could not be looked at (no workspace on this machine, no permission). */
export type Entry = 'file' | 'folder' | 'link' | 'device' | 'other' | 'absent' | 'unknown';

/** What is known of the repository that holds a path. Null where there is none or it cannot be read. */
export interface Repository {
  /** Top of the working tree. */
  readonly root: string;
  /** Where the repository's own files are (`.git`, or the linked folder of a worktree). */
  readonly gitFolder: string;
  /** Whether the tree is a linked worktree. */
  readonly isLinkedWorktree: boolean;
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  /** Remote name → URL. */
  readonly remotes: ReadonlyMap<string, string>;
  /** Alias → its text, as `git config alias.*` gives it. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Other configuration that makes git run something: `core.pager`, `core.hooksPath`, `filter.*`, … lower-cased keys. */
  readonly configuration: ReadonlyMap<string, string>;
  /**
   * Texts of the files that a revision has at or below some paths, all absolute. A revision as git reads it; `A...B` stands for
   * where the two parted, the empty text for the index. Null when there is no such revision or it cannot be read.
   */
  textsAt(revision: string, paths: readonly string[]): ReadonlyMap<string, string> | null;
}

/**
 * What the analysis may ask of the world. Synchronous, lazy, cached by the adapter for one decision, bounded in size and
 * time, and never changing anything. Paths are absolute and `/`-separated. An answer of "unknown" is not "no".
 */
export interface Facts {
  readonly platform: Platform;
  /** Absolute, canonical. */
  readonly home: string;
  /** Workspace folders, canonical; the first is where relative paths start. Never empty. */
  readonly roots: readonly string[];
  /** Folders for temporary files, canonical. */
  readonly temporary: readonly string[];
  readonly isCaseSensitive: boolean;

  entry(path: string): Entry;
  /** The path with links resolved as far as it exists; the path itself when nothing is known. */
  realPath(path: string): string;
  /** Text of a regular file up to 256 KiB; null when it is absent, binary, larger or unreadable. */
  readText(path: string): string | null;
  /** Size in bytes; null when it cannot be known. */
  sizeBytes(path: string): number | null;
  /** Names in a folder, at most 5,000; null when it cannot be read or is not a folder. */
  list(path: string): readonly string[] | null;
  /** How git sees a file, or all that lies below a folder. Asked only where work is at stake: it may cost milliseconds. */
  gitState(path: string): GitState;
  /** Paths below the folder (or the path itself) that no commit holds: modified or untracked and not ignored. Capped at 1,000. */
  uncommitted(path: string): readonly string[] | null;
  repository(path: string): Repository | null;
  /** Value of an environment variable that a command would see; null when it is unset; `undefined` when it cannot be known. */
  environment(name: string): string | null | undefined;
}
