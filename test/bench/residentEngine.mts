import path from 'node:path';
import { listenForHooks } from '../../src/adapters/engine/server.js';
import { thisPlatform } from '../../src/adapters/facts.js';
import { stateFolder } from '../../src/adapters/stateFolder.js';
import { clock } from '../../src/adapters/system.js';
import { openSession } from '../../src/core/gate/openSession.js';
import { HookEngine } from '../../src/hooks/hookEngine.js';
import { HOOK_AGENTS } from '../../src/hooks/hookEvent.js';
import { liveEngine } from '../support/liveEngine.js';

/** Run as a process: an engine for one folder, as an editor window is one. Says on standard output when it listens. */
const workspace = path.resolve(process.argv[2] ?? '.');
const live = await liveEngine({ ask: () => Promise.resolve({ type: 'nobody', why: 'headless' }) });
const hooks = new HookEngine({
  clock,
  platform: thisPlatform(),
  open: (sessionId) => openSession({ sessionId, mode: 'balanced', hasLastingTerminal: true }, live.engine),
});
await listenForHooks(stateFolder(), [workspace], ({ agent, input }, hungUp) => {
  const known = HOOK_AGENTS.find((name) => name === agent);
  if (known === undefined) throw new Error(`no agent ${agent}`);
  return hooks.answer(known, JSON.parse(input), hungUp);
});
process.stdout.write('listening\n');
