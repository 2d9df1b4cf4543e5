import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

/** A server of the Model Context Protocol on standard input and output, for tests: notes of the folder that it is started with. */
const [, , folder = '.'] = process.argv;
const server = new McpServer({ name: 'team-notes', version: '1' });
const text = (value: string): { content: { type: 'text'; text: string }[] } => ({
  content: [{ type: 'text', text: value }],
});
const inputSchema = { path: z.string() };

server.registerTool(
  'read_note',
  { description: 'Reads a note.', inputSchema, annotations: { readOnlyHint: true, openWorldHint: false } },
  ({ path: name }) => text(readFileSync(path.join(folder, name), 'utf8')),
);
server.registerTool(
  'delete_note',
  { description: 'Takes a note away.', inputSchema, annotations: { destructiveHint: true, openWorldHint: false } },
  ({ path: name }) => {
    rmSync(path.join(folder, name));
    return text(`${name} is gone`);
  },
);
server.registerTool(
  'count_notes',
  { description: 'Counts notes.', annotations: { readOnlyHint: true, openWorldHint: false } },
  () => ({ ...text('The notes cannot be counted.'), isError: true }),
);
void server.connect(new StdioServerTransport());
