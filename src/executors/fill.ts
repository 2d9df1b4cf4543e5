import type { Cancel } from '../core/cancel.js';
import type { Executor, Progress } from '../core/gate/executor.js';
import type { Outcome } from '../core/gate/outcome.js';
import type { Spent } from '../core/gate/permit.js';
import type { Kind } from '../core/lacuna/kinds.js';
import { Report } from './report.js';

/** What an act has at hand besides what the permit gave it. */
export interface Bench {
  readonly report: Report;
  readonly cancel: Cancel;
  readonly progress: Progress;
}

/** Acts for one kind on a spent permit. Restores what it touched when it fails. */
export type Act<K extends Kind> = (spent: Spent<K>, bench: Bench) => Promise<Outcome>;

/** An error of the operating system: it has a code and often a path. Others are bugs of ours and are thrown on. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'the operating system does not permit it',
  EPERM: 'the operating system does not permit it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'something is there already',
  ENOTEMPTY: 'the folder is not empty',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of the path is not a folder',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many files are open',
};

/** A system error in a sentence without system paths that the agent did not name. */
export const explainSystemError = (error: NodeJS.ErrnoException): string =>
  WORDS[error.code ?? ''] ?? `the operating system answered ${error.code ?? 'an error'}`;

/**
 * An executor for one kind: spends the permit first, then acts. A system error that the act let through becomes `failed`;
 * anything else that is thrown is a bug and goes up to the edge.
 */
export function executor<K extends Kind>(act: Act<K>): Executor<K> {
  return {
    async fill(permit, cancel, progress): Promise<Outcome> {
      const report = new Report();
      if (cancel.aborted) {
        permit.revoke();
        return report.cancelled('Cancelled before it began.');
      }
      const spent = await permit.spend();
      if (!spent.ok) return report.voided(spent.error);
      try {
        return await act(spent.value, { report, cancel, progress });
      } catch (error) {
        if (isSystemError(error)) return report.failed(`It failed: ${explainSystemError(error)}.`);
        throw error;
      }
    },
  };
}
