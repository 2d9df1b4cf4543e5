import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { standardSources } from '../../../src/adapters/policyFiles.js';
import type { Decision } from '../../../src/core/policy/decision.js';
import { openSession, type Engine, type Session } from '../../../src/core/gate/openSession.js';
import type { Outcome } from '../../../src/core/gate/outcome.js';
import { widen, widerFor } from '../../../src/core/gate/wider.js';
import type { Approval, Question } from '../../../src/core/ports.js';
import { createExecutors } from '../../../src/executors/all.js';
import { LinuxSandbox } from '../../../src/executors/sandbox/linux.js';
import { hasBubblewrap } from '../../executors/sandboxed.js';
import { tightConfinement } from '../../executors/permits.js';
import { liveEngine, type LiveEngine } from '../../support/liveEngine.js';

const none = new AbortController().signal;

describe('the narrowest leave that gets past a wall', () => {
  let live: LiveEngine;
  before(async () => {
    live = await liveEngine({ ask: () => Promise.resolve({ type: 'nobody', why: 'headless' }) });
    mkdirSync(path.join(live.home, '.cache/tool'), { recursive: true });
    live.put('.vscode/settings.json', '{}');
  });
  after(() => live.remove());
  const wider = (type: 'write' | 'network' | 'read' | 'memory', subject: string | null) =>
    widerFor({ type, subject, message: '' }, live.engine.look());

  it('is a host', () => {
    assert.deepEqual(wider('network', 'Registry.NPMJS.org'), { type: 'host', host: 'registry.npmjs.org' });
    assert.equal(wider('network', null), null);
    assert.equal(wider('network', 'not a host/'), null);
  });

  it('is a path that is there, or the folder in which it would be', () => {
    const cache = path.join(live.home, '.cache/tool');
    assert.deepEqual(wider('write', cache), { type: 'path', path: cache });
    assert.deepEqual(wider('write', `${cache}/new.bin`), { type: 'path', path: cache });
    const settings = path.join(live.root, '.vscode/tasks.json');
    assert.deepEqual(wider('write', settings), { type: 'path', path: settings });
  });

  it('is never the whole home, the system, or what no path names', () => {
    for (const subject of [`${live.home}/new.txt`, '/new.txt', '/etc/new.conf', '/usr/new', 'relative/x', null])
      assert.equal(wider('write', subject), null, String(subject));
  });

  it('is none for walls that only policy sets', () => {
    for (const type of ['memory', 'read'] as const) assert.equal(wider(type, '/x/y'), null);
  });

  it('leaves everything else of the isolation as it is', () => {
    const opened = widen({ ...tightConfinement, hosts: ['a.example'] }, [
      { type: 'host', host: 'b.example' },
      { type: 'path', path: '/x' },
    ]);
    assert.deepEqual(opened, { ...tightConfinement, hosts: ['a.example', 'b.example'], writable: ['/x'] });
  });
});

if (hasBubblewrap())
  describe('a command that its isolation made fail (bubblewrap, exercised)', () => {
    let live: LiveEngine;
    let sandbox: LinuxSandbox;
    let engine: Engine;
    let answers: Approval[];
    let questions: Question[];

    beforeEach(async () => {
      [answers, questions] = [[], []];
      live = await liveEngine({
        ask: (question) => {
          questions.push(question);
          return Promise.resolve(answers.shift() ?? { type: 'nobody', why: 'headless' });
        },
      });
      sandbox = new LinuxSandbox({
        hidden: [live.state],
        quarantine: path.join(live.state, 'quarantine'),
        resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
      });
      engine = {
        ...live.engine,
        circumstances: () => ({ ...live.engine.circumstances(), hasSandbox: true }),
        sandbox: () => tightConfinement,
        executors: createExecutors({ facts: { look: live.engine.look }, sandboxFor: () => sandbox }),
      };
    });
    afterEach(async () => {
      await sandbox.dispose();
      live.remove();
    });

    const pass = async ({ gate }: Session, command: string): Promise<{ outcome: Outcome; decision: Decision }> => {
      const lacuna = gate.open({
        proposal: { kind: 'ExecuteShell', params: { command } },
        origin: { agent: 'cli', subagent: null, request: '', requestId: null },
        parentId: null,
        depth: 0,
        description: '',
        planStep: null,
      });
      return gate.pass(lacuna, none, { output: () => undefined });
    };
    const session = (): Promise<Session> => openSession({ sessionId: 's', mode: 'balanced' }, engine);
    const records = (type: string): number =>
      live.audits.verify('s').records.filter((record) => record.type === type).length;
    /** A program that nobody can look into: it runs isolated. */
    const opaque = (line: string): string => {
      live.put('tool.sh', `#!/bin/sh\n${line}\n`);
      return 'eval "$(tail -n 1 tool.sh)"';
    };

    it('fails with the wall that it ran into, and without a person stays so', async () => {
      const { outcome, decision } = await pass(await session(), opaque('echo x > /var/lib/lacuna-test'));
      assert.equal(decision.verdict, 'sandbox', decision.reason);
      assert.ok(outcome.type === 'failed');
      assert.equal(outcome.causedBySandbox?.type, 'write');
    });

    describe('may be let past it by a person', () => {
      let outside = '';
      let command = '';
      beforeEach(() => {
        // Not in /tmp, which is another one inside.
        outside = mkdtempSync(path.join(os.homedir(), '.lacuna-wider-'));
        command = opaque(`echo x >> ${outside}/made.txt`);
      });
      afterEach(() => rmSync(outside, { recursive: true, force: true }));
      const made = (): string | null =>
        existsSync(path.join(outside, 'made.txt')) ? readFileSync(path.join(outside, 'made.txt'), 'utf8') : null;

      it('once: exactly that path, as a Lacuna of its own, and the next time it is asked again', async () => {
        answers = [{ type: 'once' }];
        const open = await session();
        const { outcome, decision } = await pass(open, command);
        assert.equal(outcome.type, 'filled', JSON.stringify(outcome));
        assert.equal(made(), 'x\n');
        assert.deepEqual([decision.verdict, decision.confinement?.writable], ['sandbox', [outside]]);
        assert.match(
          questions[0]?.decision.reason ?? '',
          /does not let it write .*made\.txt\. Shall it write .* and all in it/,
        );
        assert.deepEqual([records('proposed'), records('asked'), records('outcome')], [2, 1, 2]);
        const [first, second] = open.ledger.entries;
        assert.equal(second?.lacuna.parentId, first?.lacuna.id);
        assert.equal((await pass(open, command)).outcome.type, 'failed');
        assert.deepEqual([questions.length, made()], [2, 'x\n']);
        assert.deepEqual(live.audits.verify('s').faults, []);
      });

      it('for the session: the next time nobody is asked', async () => {
        answers = [{ type: 'session' }];
        const open = await session();
        await pass(open, command);
        assert.equal((await pass(open, command)).outcome.type, 'filled');
        assert.deepEqual([questions.length, made()], [1, 'x\nx\n']);
      });

      it('or not: the agent reads the reason, and nothing was done', async () => {
        answers = [{ type: 'no', reason: 'write into the workspace' }];
        const { outcome } = await pass(await session(), command);
        assert.ok(outcome.type === 'failed');
        assert.match(outcome.message, /said no: write into the workspace/);
        assert.equal(made(), null);
      });

      it('and an approver that breaks leaves the outcome as it is', async () => {
        engine = { ...engine, approver: { ask: () => Promise.reject(new Error('broken')) } };
        const { outcome } = await pass(await session(), command);
        assert.ok(outcome.type === 'failed');
        assert.match(outcome.message, /could not be offered: broken/);
        assert.equal(made(), null);
      });

      it('but not past what policy forbids: then nobody is asked', async () => {
        live.put(
          '.lacuna/policy.yaml',
          `version: 1\nrules:\n  - { id: not-there, match: { effect: { op: [write, delete], path: "${outside}/**" } }, verdict: deny }\n`,
        );
        await engine.policy.load(standardSources([live.root]));
        answers = [{ type: 'once' }];
        const { outcome } = await pass(await session(), command);
        assert.ok(outcome.type === 'failed', JSON.stringify(outcome));
        assert.match(outcome.message, /Policy does not let it write/);
        assert.deepEqual([questions.length, made()], [0, null]);
      });

      it('to a host, and to no other', async () => {
        const server = http.createServer((_request, response) => response.end('reached'));
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        const { port } = server.address() as AddressInfo;
        try {
          answers = [{ type: 'once' }];
          const fetch = opaque(`curl -sSf -m 5 http://localhost:${String(port)}/`);
          const { outcome, decision } = await pass(await session(), fetch);
          assert.ok(outcome.type === 'filled', JSON.stringify(outcome));
          assert.match(outcome.output.text, /reached/);
          assert.deepEqual(decision.confinement?.hosts, ['localhost']);
        } finally {
          server.closeAllConnections();
          server.close();
        }
      });
    });
  });
