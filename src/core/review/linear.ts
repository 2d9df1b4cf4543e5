import { z } from 'zod';
import { fromBase64 } from '../effects/encoding.js';
import { hashOf } from './features.js';
import type { ReviewVerdict } from './review.js';

const CLASSES = 3;

/** The linear model's file: weights of 8 bits by bucket and verdict, and how sure it has to be before it objects. */
const fileSchema = z.strictObject({
  format: z.literal(1),
  name: z.string(),
  buckets: z.number().int().min(1).max(65_536),
  scale: z.number().positive(),
  temperature: z.number().positive(),
  flagAt: z.number().min(0).max(1),
  flagAloneAt: z.number().min(0).max(1),
  rejectAt: z.number().min(0).max(1),
  weights: z.base64(),
});

/** A softmax over hashed features. Source: training/train_linear.py. */
export interface LinearModel {
  readonly name: string;
  readonly buckets: number;
  readonly scale: number;
  readonly temperature: number;
  readonly flagAt: number;
  /** The same where no other model looks at it too: what the other would have caught it has to catch itself. */
  readonly flagAloneAt: number;
  readonly rejectAt: number;
  readonly weights: Int8Array;
}

/** What a model makes of a proposal: a probability for each verdict; they add up to 1. */
export interface Probabilities {
  readonly approve: number;
  readonly flag: number;
  readonly reject: number;
}

/** Parses the model's file. Throws where it is not one: it is shipped with the program, so that is a fault of ours. */
export function parseLinearModel(json: unknown): LinearModel {
  const { weights: encoded, ...rest } = fileSchema.parse(json);
  const bytes = fromBase64(encoded) ?? '';
  const weights = Int8Array.from({ length: bytes.length }, (_, index) => bytes.charCodeAt(index));
  if (weights.length !== rest.buckets * CLASSES)
    throw new RangeError('The linear model has not the weights that it says.');
  return { ...rest, weights };
}

/** Probabilities that the linear model gives to features. Linear in their number. */
export function scoreLinear(model: LinearModel, features: readonly string[]): Probabilities {
  const sums = [0, 0, 0];
  const buckets = new Set(features.map((feature) => hashOf(feature) % model.buckets));
  for (const bucket of buckets)
    for (let verdict = 0; verdict < CLASSES; verdict++)
      sums[verdict] = (sums[verdict] ?? 0) + (model.weights[bucket * CLASSES + verdict] ?? 0);
  const scores = sums.map((sum) => (sum * model.scale) / model.temperature);
  const most = Math.max(...scores);
  const raised = scores.map((score) => Math.exp(score - most));
  const total = raised.reduce((sum, value) => sum + value, 0);
  const [approve = 0, flag = 0, reject = 0] = raised.map((value) => value / total);
  return { approve, flag, reject };
}

/** How sure a model has to be that something is wrong before it says so. */
export interface Thresholds {
  readonly flagAt: number;
  readonly rejectAt: number;
}

/** The verdict that probabilities amount to, and the probability of that verdict or a stricter one (for an approval: of it). */
export function verdictOf(
  { approve, flag, reject }: Probabilities,
  { flagAt, rejectAt }: Thresholds,
): { readonly verdict: ReviewVerdict; readonly confidence: number } {
  if (reject >= rejectAt) return { verdict: 'reject', confidence: reject };
  if (flag + reject >= flagAt) return { verdict: 'flag', confidence: flag + reject };
  return { verdict: 'approve', confidence: approve };
}
