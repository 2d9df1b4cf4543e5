import { z } from 'zod';
import type { KindMetadata } from '../kindMetadata.js';

const params = z.strictObject({
  path: z.string().min(1).describe('File to edit, relative to the workspace root or absolute.'),
  edits: z
    .array(
      z.strictObject({
        oldText: z.string().min(1).describe('Text as it stands in the file now; it must occur exactly once.'),
        newText: z.string().describe('Text to put in its place.'),
      }),
    )
    .min(1)
    .describe('Replacements, each against the file as it was before all of them.'),
});

/** Replaces exact passages of a file. */
export const editFile = {
  params,
  defaultRisk: 'medium',
  resources: ['path'],
  sideEffects: 'workspace',
  reversibility: 'checkpoint',
  summary: 'Replace exact passages of a file.',
} as const satisfies KindMetadata<typeof params>;
