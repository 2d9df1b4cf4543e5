import { z } from 'zod';
import type { KindMetadata } from '../kindMetadata.js';

/** Shells whose lines Lacuna can analyse. */
export const SHELLS = ['bash', 'sh', 'zsh', 'powershell', 'cmd'] as const;
export type Shell = (typeof SHELLS)[number];

const params = z.strictObject({
  command: z.string().min(1).describe('The command line to run.'),
  shell: z.enum(SHELLS).optional().describe('Shell that runs it; the platform default when absent.'),
  cwd: z.string().min(1).optional().describe('Folder to run in, relative to the workspace root or absolute.'),
  timeoutSeconds: z.number().positive().max(86_400).optional().describe('Stop it after this many seconds.'),
  background: z.boolean().optional().describe('Return at once and let it run on; it can be listed and stopped.'),
});

/** Runs a command line. */
export const executeShell = {
  params,
  defaultRisk: 'high',
  resources: ['path', 'url', 'process'],
  sideEffects: 'machine',
  reversibility: 'checkpoint',
  summary: 'Run a command line in a terminal.',
} as const satisfies KindMetadata<typeof params>;
