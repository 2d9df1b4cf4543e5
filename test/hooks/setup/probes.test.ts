import assert from 'node:assert/strict';
import { clock } from '../../../src/adapters/system.js';
import { openSession } from '../../../src/core/gate/openSession.js';
import { HookEngine } from '../../../src/hooks/hookEngine.js';
import { HOOK_AGENTS } from '../../../src/hooks/hookEvent.js';
import { isStoppedBy, probesOf } from '../../../src/hooks/setup/probes.js';
import { hookTroubles, type HookSwitches } from '../../../src/hooks/setup/switches.js';
import { isStopped } from '../../support/hosts.js';
import { liveEngine, type LiveEngine } from '../../support/liveEngine.js';

describe('the self-test of coverage', () => {
  let live: LiveEngine;
  let asked = 0;

  before(async () => {
    live = await liveEngine({
      ask: () => {
        asked += 1;
        return Promise.resolve({ type: 'no', reason: '' });
      },
    });
  });
  after(() => live.remove());

  for (const agent of HOOK_AGENTS)
    it(`${agent}: a guard that works answers every probe as it should, and nobody is asked`, async () => {
      live.put('README.md', 'x');
      const hooks = new HookEngine({
        clock,
        platform: 'linux',
        open: (sessionId) => openSession({ sessionId, mode: 'balanced', hasLastingTerminal: true }, live.engine),
      });
      const probes = probesOf(agent, live.root, agent);
      assert.ok(probes.length >= 5);
      for (const { way, want, input } of probes) {
        const { exitCode, stdout } = await hooks.answer(agent, input, new AbortController().signal);
        const ended = { code: exitCode, stdout };
        assert.equal(isStoppedBy(agent, ended), want === 'stopped', `${way}: ${stdout}`);
        assert.equal(isStopped(agent, ended), want === 'stopped', `${way}: ${stdout}`);
      }
      assert.equal(asked, 0);
    });

  it('an answer that a host would not hear does not count', () => {
    for (const agent of HOOK_AGENTS) {
      assert.equal(isStoppedBy(agent, { code: 1, stdout: '' }), false);
      assert.equal(isStoppedBy(agent, { code: 0, stdout: '' }), false);
      assert.equal(isStoppedBy(agent, { code: null, stdout: '' }), false);
    }
  });
});

describe('switches of hooks', () => {
  const on: HookSwitches = {
    useHooks: true,
    plugins: undefined,
    managedOnly: undefined,
    allOff: false,
    isTrusted: true,
    hasFolder: true,
  };

  it('nothing is said while all is on, or not known', () => assert.deepEqual(hookTroubles(on), []));

  for (const [change, trouble] of [
    [{ useHooks: false }, 'hooks-off'],
    [{ plugins: false }, 'plugins-off'],
    [{ managedOnly: true }, 'managed-only'],
    [{ allOff: true }, 'all-off'],
    [{ isTrusted: false }, 'untrusted'],
    [{ hasFolder: false }, 'no-folder'],
  ] as const)
    it(`${trouble} is told`, () => assert.deepEqual(hookTroubles({ ...on, ...change }), [trouble]));
});
