import { z } from 'zod';
import type { KindMetadata } from '../kindMetadata.js';

/** A value that can be bound to a placeholder of an SQL statement. */
const bound = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const params = z.strictObject({
  database: z.string().min(1).describe('Name of a database in the settings, or the path of an SQLite file.'),
  sql: z.string().min(1).describe('One SQL statement, with placeholders for values.'),
  params: z.array(bound).optional().describe('Values for the placeholders, in order.'),
});

/** Runs one SQL statement. */
export const queryDatabase = {
  params,
  defaultRisk: 'high',
  resources: ['database'],
  sideEffects: 'world',
  reversibility: 'no',
  summary: 'Run one SQL statement on a database.',
} as const satisfies KindMetadata<typeof params>;
