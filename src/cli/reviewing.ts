import { statSync } from 'node:fs';
import { chosenModel } from '../adapters/review/models.js';
import { openReviewer, type Mind, type OpenReviewer } from '../adapters/review/open.js';
import type { JudgedStep } from '../core/check/trace.js';
import { DEFAULT_CONFINEMENT } from '../core/policy/confine.js';
import type { Decision } from '../core/policy/decision.js';
import { applyReview } from '../core/review/applyReview.js';
import { reviewInputOf } from '../core/review/input.js';
import type { Review } from '../core/review/review.js';
import { UsageError } from './io.js';

/** Reviews steps of traces, and takes the reviews into their decisions. Loaded only where a review is wanted. */
export interface Reviewing {
  readonly review: (step: JudgedStep) => Promise<Review>;
  readonly decide: (step: JudgedStep, review: Review) => Decision;
  /** Why no model took part, in a sentence; null while one does, or where none was wanted. */
  readonly trouble: () => string | null;
  readonly dispose: () => void;
}

/** What a flag `--model` names: `linear`, `starter`, or a GGUF file. */
export function mindOf(model: string | undefined): Mind {
  if (model === undefined || model === 'starter') return { type: 'starter' };
  if (model === 'linear') return { type: 'linear' };
  const found = statSync(model, { throwIfNoEntry: false });
  if (found?.isFile() !== true)
    throw new UsageError(`--model: ${model} is neither "linear" nor "starter" nor a model file.`);
  return { type: 'file', choice: chosenModel(model, { sha256: null, sizeBytes: found.size }) };
}

/** Opens a reviewer for traces. */
export function openReviewing(
  mind: Mind,
  options: { readonly skip: 'smart' | 'nothing'; readonly hasSandbox: boolean; readonly isHeadless: boolean },
): Reviewing {
  const { reviewer, process, dispose }: OpenReviewer = openReviewer(__dirname, mind, options.skip);
  const never = new AbortController().signal;
  return {
    review: ({ judged, state, nowMs }) => reviewer.review(reviewInputOf(judged, state, nowMs), never),
    decide: ({ judged }, review) =>
      applyReview(judged.decision, review, {
        kind: judged.lacuna.kind,
        sandbox: options.hasSandbox ? DEFAULT_CONFINEMENT : null,
        isHeadless: options.isHeadless,
      }),
    trouble: () => (process?.state.type === 'failed' ? process.state.message : null),
    dispose,
  };
}
