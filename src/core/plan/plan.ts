import { z } from 'zod';
import { KIND_NAMES } from '../lacuna/kinds.js';

/** One task of a plan: what it is for, which kinds it needs, what it touches, what must be done before. */
export const planStepSchema = z.strictObject({
  id: z.string().min(1).max(40),
  task: z.string().min(1).max(500),
  kinds: z.array(z.enum(KIND_NAMES as [string, ...string[]])).default([]),
  /** Path globs, hosts, programs: whatever the step says it will touch. */
  resources: z.array(z.string().min(1).max(300)).default([]),
  after: z.array(z.string().min(1)).default([]),
});

/** What the agent says it will do, before it does any of it. Source: product.md §7. */
export const planSchema = z.strictObject({
  goal: z.string().min(1).max(1000),
  steps: z.array(planStepSchema).min(1).max(50),
});
export type Plan = z.infer<typeof planSchema>;
export type PlanStep = z.infer<typeof planStepSchema>;
