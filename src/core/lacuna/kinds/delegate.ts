import { z } from 'zod';
import type { KindMetadata } from '../kindMetadata.js';

/** The kinds a sub-agent can be lent. Written out, since this file cannot import the table that holds it. */
const LENDABLE = [
  'ListFiles',
  'ReadFile',
  'SearchFiles',
  'WriteFile',
  'EditFile',
  'DeleteFile',
  'MoveFile',
  'ExecuteShell',
  'HttpRequest',
  'QueryDatabase',
  'CallTool',
  'Delegate',
] as const;

const params = z.strictObject({
  goal: z.string().min(1).describe('What the sub-agent shall achieve.'),
  kinds: z.array(z.enum(LENDABLE)).min(1).describe('Kinds it may propose; never more than its parent may.'),
  paths: z.array(z.string().min(1)).optional().describe('Path globs it may touch; all of its parent when absent.'),
  budget: z
    .strictObject({
      lacunas: z.int().positive().optional().describe('How many Lacunas it may propose.'),
      seconds: z.number().positive().optional().describe('Wall time it may take.'),
      tokens: z.int().positive().optional().describe('Model tokens it may use.'),
    })
    .describe('Its part of the budget of its parent.'),
});

/** Hands a part of the work to a sub-agent, with no more rights than its parent has. */
export const delegate = {
  params,
  defaultRisk: 'medium',
  resources: ['agent'],
  sideEffects: 'none',
  reversibility: 'yes',
  summary: 'Hand a part of the work to a sub-agent with narrowed rights and budget.',
} as const satisfies KindMetadata<typeof params>;
