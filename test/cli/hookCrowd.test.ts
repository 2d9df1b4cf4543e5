import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AuditFolder } from '../../src/adapters/auditFile.js';
import { listenForHooks } from '../../src/adapters/engine/server.js';
import { clock, hasher } from '../../src/adapters/system.js';
import { openSession } from '../../src/core/gate/openSession.js';
import { HookEngine } from '../../src/hooks/hookEngine.js';
import { HOOK_AGENTS, type HookAgent } from '../../src/hooks/hookEvent.js';
import { hookSessionId } from '../../src/hooks/sessionName.js';
import { hookBundle } from '../support/hookBundle.js';
import { isStopped, shellCall, type Ended } from '../support/hosts.js';
import { liveEngine, type LiveEngine } from '../support/liveEngine.js';

const AGENTS = ['claude', 'vscode', 'copilot', 'gemini'] as const;

/** Many hook processes at once, as several agents at work start them. */
describe('a crowd of hook processes @slow', function () {
  this.timeout(180_000);
  let base: string;
  let bundle: string;

  before(() => {
    bundle = hookBundle();
    base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lac-')));
    mkdirSync(path.join(base, 'w'));
  });
  after(() => rmSync(base, { recursive: true, force: true, maxRetries: 20 }));

  const run = (agent: HookAgent, call: object, state: string, deadlineS: number): Promise<Ended & { ms: number }> => {
    const began = performance.now();
    const args = [path.join(bundle, 'dist/hook.js'), '--agent', agent, '--deadline', String(deadlineS)];
    const child = spawn(process.execPath, args, {
      cwd: base,
      env: { PATH: process.env['PATH'], HOME: base, XDG_STATE_HOME: state },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stdin.end(JSON.stringify(call));
    return new Promise((resolve) => {
      child.on('close', (code) => resolve({ code, stdout, ms: performance.now() - began }));
    });
  };

  it('a hundred calls of four agents: each is answered in time, and nothing of them is lost', async () => {
    const live: LiveEngine = await liveEngine({ ask: () => Promise.resolve({ type: 'once' }) });
    const hooks = new HookEngine({
      clock,
      platform: 'linux',
      open: (sessionId) => openSession({ sessionId, mode: 'balanced', hasLastingTerminal: true }, live.engine),
    });
    const state = path.join(base, 'engine');
    const engine = await listenForHooks(path.join(state, 'lacuna'), [live.root], ({ agent, input }, hungUp) => {
      const known = HOOK_AGENTS.find((name) => name === agent);
      assert.ok(known);
      return hooks.answer(known, JSON.parse(input), hungUp);
    });
    const deadlineS = 60;
    try {
      const ended = await Promise.all(
        Array.from({ length: 100 }, async (_, at) => {
          const agent = AGENTS[at % AGENTS.length] ?? 'claude';
          const isBad = at % 10 === 9;
          const command = isBad ? `rm -rf ~ # ${String(at)}` : `echo ${String(at)} > file-${String(at)}.txt`;
          return { agent, isBad, ended: await run(agent, shellCall(agent, command, live.root), state, deadlineS) };
        }),
      );
      for (const { agent, isBad, ended: one } of ended) {
        assert.equal(isStopped(agent, one), isBad, `${agent}: ${JSON.stringify(one)}`);
        assert.ok(one.ms < deadlineS * 1000);
      }
      const reports = AGENTS.map((agent) => live.audits.verify(hookSessionId(agent, 's')));
      assert.deepEqual(
        reports.flatMap(({ faults }) => faults),
        [],
      );
      const proposed = reports.map(({ records }) => records.filter(({ type }) => type === 'proposed').length);
      assert.deepEqual(proposed, [25, 25, 25, 25]);
    } finally {
      engine.close();
      live.remove();
    }
  });

  it('without an engine: calls of one session come one after the other, and the audit holds', async () => {
    const state = path.join(base, 'alone');
    const workspace = path.join(base, 'w');
    await run('claude', shellCall('claude', 'echo first', workspace), state, 60);
    const ended = await Promise.all(
      Array.from({ length: 12 }, (_, at) => {
        const agent = AGENTS[at % AGENTS.length] ?? 'claude';
        return run(agent, shellCall(agent, `echo ${String(at)}`, workspace), state, 100);
      }),
    );
    for (const one of ended) assert.equal(one.code, 0, JSON.stringify(one));
    const audits = new AuditFolder(path.join(state, 'lacuna/audit'), { hasher, clock });
    for (const agent of AGENTS) assert.deepEqual(audits.verify(hookSessionId(agent, 's')).faults, []);
    const decided = audits
      .sessions()
      .flatMap(({ sessionId }) => audits.verify(sessionId).records)
      .filter(({ type }) => type === 'decided');
    assert.equal(decided.length, 13);
  });
});
