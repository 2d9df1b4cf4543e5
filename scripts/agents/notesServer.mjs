// A small server of the Model Context Protocol on standard input and output, for trials: it writes down which of its tools were
// called, in the file that it is started with, and does nothing else.
//   node notesServer.mjs FILE [TOOL…]
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file, ...names] = process.argv.slice(2);
const tools = names.map((name) => ({
  name,
  description: `Keeps ${name}.`,
  inputSchema: { type: 'object', properties: { command: { type: 'string' }, name: { type: 'string' } } },
}));

function resultOf({ method, params }) {
  if (method === 'initialize')
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'notes', version: '1.0.0' },
    };
  if (method === 'tools/list') return { tools };
  if (method !== 'tools/call') return {};
  appendFileSync(file, `${JSON.stringify([params.name, params.arguments])}\n`);
  return { content: [{ type: 'text', text: 'noted by the server' }] };
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) })}\n`);
});
