import { z } from 'zod';
import type { KindMetadata } from '../kindMetadata.js';

const params = z.strictObject({
  path: z.string().min(1).describe('File to read, relative to the workspace root or absolute.'),
  startLine: z.int().min(1).optional().describe('First line to return, counted from 1.'),
  endLine: z.int().min(1).optional().describe('Last line to return, included.'),
});

/** Reads a text file, whole or some lines of it. */
export const readFile = {
  params,
  defaultRisk: 'low',
  resources: ['path'],
  sideEffects: 'none',
  reversibility: 'yes',
  summary: 'Read a text file, whole or a range of lines.',
} as const satisfies KindMetadata<typeof params>;
