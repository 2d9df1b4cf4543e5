import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { maskSecrets } from '../../core/effects/secrets.js';
import { canonicalForm } from '../../core/review/canonical.js';
import { reviewFacts } from '../../core/review/facts.js';
import { featuresOf } from '../../core/review/features.js';
import { reviewNeed } from '../../core/review/need.js';
import { reasonCode } from '../../core/review/reasons.js';
import type { Approval, ReviewInput } from '../../core/ports.js';
import type { Review } from '../../core/review/review.js';

/** What a person said to a question, in the form that the training reads (training/example.ts). */
export interface KeptAnswer {
  readonly id: string;
  readonly atMs: number;
  readonly source: 'person';
  readonly split: 'train';
  /** A yes is an approval; a no says that it was not wanted, not how bad it was. */
  readonly label: 'approve' | 'flag';
  readonly weight: 1;
  readonly pair: 'answered';
  readonly need: 'never' | 'sometimes' | 'always';
  /** The reason that the facts bear out for the label, a code of the reviewer's list. */
  readonly reason: string;
  /** What the reviewer had said; null where it had said nothing. */
  readonly reviewer: { readonly verdict: string; readonly confidence: number; readonly model: string } | null;
  readonly features: readonly string[];
  readonly text: string;
}

/** An answer as it is kept; null for one that says nothing of the proposal: nobody there, left to the host, changed. */
export function keptAnswer(input: ReviewInput, review: Review, approval: Approval, atMs: number): KeptAnswer | null {
  const isYes = approval.type === 'once' || approval.type === 'session' || approval.type === 'always';
  if (!isYes && approval.type !== 'no') return null;
  const facts = reviewFacts(input);
  return {
    id: input.lacuna.id,
    atMs,
    source: 'person',
    split: 'train',
    label: isYes ? 'approve' : 'flag',
    weight: 1,
    pair: 'answered',
    need: reviewNeed(input),
    reason: reasonCode(isYes ? 'approve' : 'flag', facts),
    reviewer:
      review.type === 'answered'
        ? { verdict: review.verdict, confidence: review.confidence, model: review.model }
        : null,
    // Words of the request are features: a token that the person typed must not be one.
    features: featuresOf({ ...input, request: maskSecrets(input.request) }, facts),
    text: canonicalForm(input, facts),
  };
}

/** The file of kept answers, JSON Lines, readable by its owner only. Secrets were masked in the canonical form. */
export class KeptAnswers {
  readonly #file: string;

  constructor(stateFolder: string) {
    this.#file = path.join(stateFolder, 'reviewer-answers.jsonl');
  }

  async add(answer: KeptAnswer): Promise<void> {
    await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    await appendFile(this.#file, `${JSON.stringify(answer)}\n`, { mode: 0o600 });
  }

  /** All lines; empty when nothing was kept. */
  async read(): Promise<string> {
    try {
      return await readFile(this.#file, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
      throw error;
    }
  }

  async forget(): Promise<void> {
    await rm(this.#file, { force: true });
  }
}
