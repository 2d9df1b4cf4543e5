import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Reviewer } from '../../core/ports.js';
import type { Thinker } from '../../core/review/thought.js';
import { createReviewer, type ReviewerPorts } from '../../core/review/reviewer.js';
import { clock, hasher } from '../system.js';
import { linearModel, modelsFolder, sha256OfFile, starterModel } from './models.js';
import { ReviewerProcess, type ModelChoice, type ProcessPorts } from './process.js';

/** What the reviewer thinks with besides the linear model. */
export type Mind =
  | { readonly type: 'linear' }
  | { readonly type: 'starter' }
  | { readonly type: 'file'; readonly choice: ModelChoice }
  | { readonly type: 'thinker'; readonly thinker: Thinker };

/** A reviewer, with the process behind it; null where there is none. */
export interface OpenReviewer {
  readonly reviewer: Reviewer;
  readonly process: ReviewerProcess | null;
  readonly dispose: () => void;
}

/** How long a question waits for a review that cannot change what comes of it. */
const patience = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 300));

/** The program of the model's process: the bundle beside ours, else its source, which tests and work on Lacuna run by tsx. */
function program(from: string): Pick<ProcessPorts, 'program' | 'execArgv'> {
  const bundle = path.join(from, 'reviewer.js');
  if (existsSync(bundle)) return { program: bundle };
  return { program: path.resolve(from, '../adapters/review/child.ts'), execArgv: ['--import', 'tsx'] };
}

/**
 * Puts the reviewer together. Nothing is started: the process comes with the first proposal that is worth it. `from` is the
 * folder of the bundle that runs, or a folder below `src`.
 */
export function openReviewer(from: string, mind: Mind, skip: ReviewerPorts['skip']): OpenReviewer {
  const folder = modelsFolder(from);
  const choice = mind.type === 'starter' ? starterModel(folder) : mind.type === 'file' ? mind.choice : null;
  const process =
    choice === null
      ? null
      : new ReviewerProcess(choice, { ...program(from), nowMs: () => clock.nowMs(), sha256: sha256OfFile });
  const thinker = mind.type === 'thinker' ? mind.thinker : process;
  const reviewer = createReviewer({ linear: linearModel(folder), thinker, clock, hasher, skip, patience });
  return { reviewer, process, dispose: () => process?.dispose() };
}
