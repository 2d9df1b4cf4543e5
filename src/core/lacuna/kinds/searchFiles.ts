import { z } from 'zod';
import type { KindMetadata } from '../kindMetadata.js';

const params = z.strictObject({
  query: z.string().min(1).describe('Text to look for, or a regular expression when isRegex is true.'),
  path: z.string().min(1).optional().describe('Folder or file to search in; the whole workspace when absent.'),
  isRegex: z.boolean().optional().describe('Read the query as a regular expression (RE2 syntax).'),
});

/** Searches the contents of files. Searching is reading (product.md §5). */
export const searchFiles = {
  params,
  defaultRisk: 'low',
  resources: ['path'],
  sideEffects: 'none',
  reversibility: 'yes',
  summary: 'Search the contents of files for a text or a regular expression.',
} as const satisfies KindMetadata<typeof params>;
