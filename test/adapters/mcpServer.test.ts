import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { askThrough, mcpServer } from '../../src/adapters/mcpServer.js';
import { passToolCall } from '../../src/core/agent/passToolCall.js';
import { inputSchemaOf, kindOfTool } from '../../src/core/agent/tools.js';
import { openSession } from '../../src/core/gate/openSession.js';
import type { Approval } from '../../src/core/ports.js';
import { liveEngine, type LiveEngine } from '../support/liveEngine.js';

describe('the MCP server', () => {
  let live: LiveEngine;
  let ask: () => Promise<Approval>;

  beforeEach(async () => {
    live = await liveEngine({ ask: () => ask() });
  });
  afterEach(() => live.remove());

  /** A client that is connected. `answers`: what its person says when asked; null for a client that cannot ask. */
  async function connected(answers: boolean | null): Promise<Client> {
    const { gate } = await openSession({ sessionId: 'm', mode: 'balanced' }, live.engine);
    const origin = { agent: 'mcp', subagent: null, request: '', requestId: null };
    const server = mcpServer('1', (tool, input, cancel) =>
      passToolCall(
        { tool, input, origin },
        { gate, folders: { folders: [], platform: 'linux', isThere: () => false }, cancel, marker: 'M' },
      ),
    );
    ask = () => askThrough(server, 'May it?');
    const client = new Client(
      { name: 't', version: '1' },
      { capabilities: answers === null ? {} : { elicitation: {} } },
    );
    if (answers !== null)
      client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { allow: answers } }));
    const [one, other] = InMemoryTransport.createLinkedPair();
    await server.connect(one);
    await client.connect(other);
    return client;
  }
  const textOf = (result: unknown): string => JSON.stringify((result as { content: unknown }).content);

  it('offers the kinds with their own schemas', async () => {
    const { tools } = await (await connected(null)).listTools();
    assert.equal(tools.length, 10);
    for (const { name, inputSchema, description } of tools) {
      const kind = kindOfTool(name);
      assert.ok(kind);
      assert.deepEqual(
        Object.keys(inputSchema.properties ?? {}),
        Object.keys(inputSchemaOf(kind)['properties'] as object),
      );
      assert.match(description ?? '', /Guarded by Lacuna/);
    }
  });

  it('does what is allowed, refuses what is not, and says what is wrong with a call', async () => {
    const client = await connected(null);
    const written = await client.callTool({ name: 'lacuna_WriteFile', arguments: { path: 'a.txt', content: 'hi' } });
    assert.match(textOf(written), /DONE/);
    assert.ok(existsSync(path.join(live.root, 'a.txt')));
    const refused = await client.callTool({ name: 'lacuna_ExecuteShell', arguments: { command: 'false && rm -rf ~' } });
    assert.match(textOf(refused), /REFUSED/);
    assert.equal(refused.isError, true);
    assert.match(
      textOf(await client.callTool({ name: 'lacuna_ReadFile', arguments: { file: 'x' } })),
      /could not be read/,
    );
    assert.match(textOf(await client.callTool({ name: 'other', arguments: {} })), /no such tool/);
  });

  for (const [answers, want] of [
    [true, /DONE/],
    [false, /REFUSED by the person/],
    [null, /nobody was there to be asked/],
  ] as const)
    it(`a question to a person who ${answers === null ? 'cannot be asked' : answers ? 'agrees' : 'does not'}`, async () => {
      live.put('.env', 'A=1');
      const client = await connected(answers);
      assert.match(textOf(await client.callTool({ name: 'lacuna_ReadFile', arguments: { path: '.env' } })), want);
    });
});
