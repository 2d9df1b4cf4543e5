import { z } from 'zod';
import type { KindMetadata } from '../kindMetadata.js';

const params = z.strictObject({
  path: z.string().min(1).describe('Folder to list, relative to the workspace root or absolute.'),
  recursive: z.boolean().optional().describe('Also list what lies in sub-folders.'),
  pattern: z.string().min(1).optional().describe('Glob that the listed names must match, for example "**/*.ts".'),
});

/** Lists names in a folder. Listing names is not reading (product.md §5). */
export const listFiles = {
  params,
  defaultRisk: 'low',
  resources: ['path'],
  sideEffects: 'none',
  reversibility: 'yes',
  summary: 'List the names of files in a folder.',
} as const satisfies KindMetadata<typeof params>;
