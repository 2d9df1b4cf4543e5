import { z } from 'zod';
import type { KindMetadata } from '../kindMetadata.js';

const params = z.strictObject({
  from: z.string().min(1).describe('File or folder to move, relative to the workspace root or absolute.'),
  to: z.string().min(1).describe('Where it should stand afterwards.'),
});

/** Moves or renames a file or folder. Moving away is deleting (product.md §5). */
export const moveFile = {
  params,
  defaultRisk: 'medium',
  resources: ['path'],
  sideEffects: 'workspace',
  reversibility: 'checkpoint',
  summary: 'Move or rename a file or a folder.',
} as const satisfies KindMetadata<typeof params>;
