import { z } from 'zod';
import type { KindMetadata } from '../kindMetadata.js';

/** Hints that an MCP server gives about a tool. Source: Model Context Protocol, ToolAnnotations. */
export const annotations = z.strictObject({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});
export type ToolAnnotations = z.infer<typeof annotations>;

const params = z.strictObject({
  tool: z.string().min(1).describe('Name of the tool.'),
  server: z.string().min(1).optional().describe('MCP server that offers it.'),
  input: z.record(z.string(), z.json()).describe('Arguments of the tool.'),
  annotations: annotations
    .optional()
    .describe('Hints of the server. They may tighten; they loosen only for a server that policy trusts.'),
});

/** Calls a tool of another extension or of an MCP server. */
export const callTool = {
  params,
  defaultRisk: 'high',
  resources: ['tool'],
  sideEffects: 'world',
  reversibility: 'no',
  summary: 'Call a tool of another extension or of an MCP server.',
} as const satisfies KindMetadata<typeof params>;
