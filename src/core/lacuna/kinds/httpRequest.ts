import { z } from 'zod';
import type { KindMetadata } from '../kindMetadata.js';

const params = z.strictObject({
  url: z.string().min(1).describe('Absolute http or https URL.'),
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).describe('HTTP method.'),
  headers: z.record(z.string(), z.string()).optional().describe('Request headers. Credentials are added by policy.'),
  body: z.string().optional().describe('Request body.'),
});

/** Sends one HTTP request. */
export const httpRequest = {
  params,
  defaultRisk: 'medium',
  resources: ['url'],
  sideEffects: 'world',
  reversibility: 'no',
  summary: 'Send one HTTP request and return its response.',
} as const satisfies KindMetadata<typeof params>;
