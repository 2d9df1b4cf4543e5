import { z } from 'zod';
import type { KindMetadata } from '../kindMetadata.js';

const params = z.strictObject({
  path: z.string().min(1).describe('File to write, relative to the workspace root or absolute.'),
  content: z.string().describe('The whole new content of the file.'),
});

/** Creates a file or replaces the whole content of one. */
export const writeFile = {
  params,
  defaultRisk: 'medium',
  resources: ['path'],
  sideEffects: 'workspace',
  reversibility: 'checkpoint',
  summary: 'Create a file, or replace the whole content of one.',
} as const satisfies KindMetadata<typeof params>;
