import { z } from 'zod';
import type { KindMetadata } from '../kindMetadata.js';

const params = z.strictObject({
  path: z.string().min(1).describe('File or folder to delete, relative to the workspace root or absolute.'),
  recursive: z.boolean().optional().describe('Needed to delete a folder that is not empty.'),
});

/** Deletes a file or a folder. */
export const deleteFile = {
  params,
  defaultRisk: 'high',
  resources: ['path'],
  sideEffects: 'workspace',
  reversibility: 'checkpoint',
  summary: 'Delete a file or a folder.',
} as const satisfies KindMetadata<typeof params>;
