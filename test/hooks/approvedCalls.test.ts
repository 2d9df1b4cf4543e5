import assert from 'node:assert/strict';
import { ApprovedCalls } from '../../src/hooks/approvedCalls.js';

describe('calls that a person allowed at a hook', () => {
  let nowMs: number;
  let calls: ApprovedCalls;
  const input = { command: 'npm publish', cwd: '.' };

  beforeEach(() => {
    nowMs = 0;
    calls = new ApprovedCalls(() => nowMs);
  });

  for (const tool of [
    'mcp__lacuna__lacuna_ExecuteShell',
    'mcp_lacuna_lacuna_ExecuteShell',
    'lacuna-lacuna_ExecuteShell',
    'lacuna_ExecuteShell',
  ])
    it(`${tool}: the same call is known, once`, () => {
      calls.note({ tool, input });
      assert.equal(calls.take('lacuna_ExecuteShell', { cwd: '.', command: 'npm publish' }), true);
      assert.equal(calls.take('lacuna_ExecuteShell', input), false);
    });

  it('another input, another tool, a name that only ends alike, or a yes of long ago is not this call', () => {
    calls.note({ tool: 'mcp__lacuna__lacuna_ExecuteShell', input });
    assert.equal(calls.take('lacuna_ExecuteShell', { ...input, command: 'npm publish --tag x' }), false);
    assert.equal(calls.take('lacuna_WriteFile', input), false);
    calls.note({ tool: 'notlacuna_ReadFile', input });
    assert.equal(calls.take('lacuna_ReadFile', input), false);
    nowMs = 61_000;
    assert.equal(calls.take('lacuna_ExecuteShell', input), false);
  });
});
