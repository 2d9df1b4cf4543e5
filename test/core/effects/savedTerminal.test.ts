import assert from 'node:assert/strict';
import { freshTerminal, type TerminalState } from '../../../src/core/effects/effect.js';
import { restoreTerminal, saveTerminal } from '../../../src/core/effects/savedTerminal.js';

describe('a saved terminal', () => {
  it('is the same after JSON, every field of it', () => {
    const word = { text: 'v', raw: 'v', certainty: 'exact', quoted: false } as const;
    const full: Required<TerminalState> = {
      ...freshTerminal('/ws'),
      previousCwd: '/old',
      directoryStack: ['/a'],
      variables: new Map([['X', word]]),
      origins: new Map([['X', []]]),
      exported: new Set(['X']),
      aliases: new Map([['ll', 'ls -l']]),
      functions: new Map([['f', 'rm x']]),
      options: new Set(['noglob']),
    };
    assert.deepEqual(restoreTerminal(JSON.parse(JSON.stringify(saveTerminal(full)))), full);
  });
});
