import { z } from 'zod';
import type { Probabilities } from '../../core/review/linear.js';

/** What the host says to the process of the model. */
export type ToChild =
  | { readonly type: 'load'; readonly path: string; readonly threads: number; readonly contextTokens: number }
  /** Wants the probabilities of the verdicts, and then, unless `approveAt` of an approval is reached, a reason. */
  | { readonly type: 'review'; readonly id: number; readonly text: string; readonly approveAt: number };

const share = z.number().min(0).max(1);
const fromChildSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('loaded'), model: z.string().max(200), memoryMiB: z.number() }),
  z.strictObject({
    type: z.literal('verdict'),
    id: z.number(),
    probabilities: z.strictObject({ approve: share, flag: share, reject: share }),
    /** How much of all probability the three words hold together. */
    mass: z.number(),
    memoryMiB: z.number(),
  }),
  z.strictObject({ type: z.literal('reason'), id: z.number(), json: z.string().max(2000) }),
  z.strictObject({
    type: z.literal('failed'),
    id: z.number().nullable(),
    why: z.enum(['missing', 'model', 'memory', 'other']),
    message: z.string(),
  }),
]);

/** What the process of the model answers. */
export type FromChild = z.infer<typeof fromChildSchema>;

/** Parses what a process said; null when it babbles. */
export function parseFromChild(value: unknown): FromChild | null {
  const parsed = fromChildSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

export type { Probabilities };
