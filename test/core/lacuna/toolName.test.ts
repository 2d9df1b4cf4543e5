import assert from 'node:assert/strict';
import { namesOfTool, readingsOf } from '../../../src/core/lacuna/toolName.js';

describe('the name of a tool', () => {
  const read = (tool: string, server?: string): readonly string[] =>
    readingsOf(server === undefined ? { tool } : { tool, server }).map(
      (reading) => `${reading.server ?? '-'}: ${reading.tool}`,
    );
  for (const [note, got, want] of [
    ['is the tool’s own where no server is told', read('fetch_page'), ['-: fetch_page']],
    ['with a server is read as it is', read('mcp_a_b', 'notes'), ['notes: mcp_a_b']],
    ['with two lines between is clear', read('mcp__my_files__read_one'), ['my_files: read_one']],
    ['with one line between can be several', read('mcp_my_files_read'), ['my: files_read', 'my_files: read']],
    ['of two words is clear', read('mcp_notes_read'), ['notes: read']],
    ['without a tool in it is no server’s', read('mcp_notes'), ['-: mcp_notes']],
    ['with nothing between two lines is not cut there', read('mcp_a_'), ['-: mcp_a_']],
  ] as const)
    it(note, () => assert.deepEqual(got, want));

  it('can be said in a policy in each of its ways', () =>
    assert.deepEqual(namesOfTool({ tool: 'mcp_notes_read' }), ['mcp_notes_read', 'read', 'notes.read', 'notes/read']));

  it('of very many words is read in a few ways', () =>
    assert.equal(readingsOf({ tool: `mcp_${'a_'.repeat(10_000)}b` }).length, 8));
});
