import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import { TreeSitter } from '../../../src/adapters/treeSitter.js';
import { answerer, CHECK_FLAGS, settingsOf, type Seen } from '../../../src/cli/check.js';
import { parseArguments } from '../../../src/cli/io.js';
import type { Decision } from '../../../src/core/policy/decision.js';
import { openSession } from '../../../src/core/gate/openSession.js';
import { liveEngine, type LiveEngine } from '../../support/liveEngine.js';
import { wasmFolder } from '../../support/wasm.js';

const PLAIN = ['ls -la src', 'rm -rf / && echo gone'];
/** The grammar is wanted by the line itself, or only by what a plain line carries. */
const WANTING = ['x=src; ls "$x"', 'rm -rf "$HOME"', "bash -c 'for f in a b; do ls $f; done'", 'ls $(rm -rf ~)'];
const none = new AbortController().signal;
const silent = {
  out: () => undefined,
  error: () => undefined,
  isInteractive: false,
  lines: async function* (): AsyncIterable<string> {
    yield* [];
  },
};

describe('a grammar that loads when it is wanted', () => {
  let live: LiveEngine;
  before(async () => {
    live = await liveEngine({ ask: () => Promise.resolve({ type: 'nobody', why: 'headless' }) });
  });
  after(() => live.remove());

  it('is told of by what was asked while it was not there', async () => {
    const syntax = new TreeSitter(wasmFolder);
    assert.equal(await syntax.catchUp(), false);
    assert.equal(syntax.parse('bash', 'ls'), null);
    const first = syntax.catchUp();
    // Another one, while the first still waits.
    assert.equal(syntax.parse('bash', 'ls'), null);
    assert.deepEqual(await Promise.all([first, syntax.catchUp()]), [true, true]);
    assert.equal(syntax.parse('bash', 'ls')?.type, 'program');
    assert.equal(await syntax.catchUp(), false);
  });

  it('rejects for everyone who wants it while it cannot be loaded', async () => {
    const syntax = new TreeSitter(path.join(os.tmpdir(), 'lacuna-no-such-folder'));
    for (const line of ['ls', 'pwd']) {
      assert.equal(syntax.parse('bash', line), null);
      await assert.rejects(syntax.catchUp());
    }
  });

  let sessions = 0;
  /** What a new session with a parser decides on lines that come all at once. */
  async function decide(syntax: TreeSitter, lines: readonly string[]): Promise<readonly Decision[]> {
    sessions += 1;
    const { gate } = await openSession({ sessionId: `s${sessions}`, mode: 'balanced' }, { ...live.engine, syntax });
    const considered = lines.map((command) => {
      const lacuna = gate.open({
        proposal: { kind: 'ExecuteShell', params: { command } },
        origin: { agent: 'cli', subagent: null, request: 'go on', requestId: null },
        parentId: null,
        depth: 0,
        description: '',
        planStep: null,
      });
      return gate.consider(lacuna, none);
    });
    return (await Promise.all(considered)).map(({ decision }) => decision);
  }
  const said = (decisions: readonly Decision[]): unknown =>
    decisions.map(({ verdict, decidedBy, reason, risk }) => ({ verdict, decidedBy, reason, risk }));

  it('changes nothing in what a session decides, be it alone or all at once', async () => {
    const loaded = new TreeSitter(wasmFolder);
    await loaded.load('bash');
    for (const lines of [...[...PLAIN, ...WANTING].map((line) => [line]), [...WANTING, ...PLAIN]])
      assert.deepEqual(
        said(await decide(new TreeSitter(wasmFolder), lines)),
        said(await decide(loaded, lines)),
        lines.join(' ¶ '),
      );
  });

  it('that is missing gives no verdict on what wants it, which is never an allow, and is not missed by the rest', async () => {
    const missing = (): TreeSitter => new TreeSitter(path.join(os.tmpdir(), 'lacuna-no-such-folder'));
    for (const line of WANTING) {
      const [decision] = await decide(missing(), [line]);
      assert.equal(decision?.decidedBy, 'failure', line);
      assert.ok(['ask', 'deny'].includes(decision.verdict), line);
    }
    const decisions = await decide(missing(), PLAIN);
    assert.deepEqual(
      decisions.map(({ verdict }) => verdict),
      ['allow', 'deny'],
    );
  });

  it('lets a trace be judged again, and tells of the judgement that counts only', async () => {
    const settings = settingsOf(parseArguments(['--sandbox', 'available'], CHECK_FLAGS));
    const seen: Seen[] = [];
    const answer = answerer(settings, silent, (one) => seen.push(one));
    const steps = [...PLAIN, ...WANTING].map((command) => ({ kind: 'ExecuteShell', params: { command } }));
    const line = JSON.stringify({ id: 'x', workspace: live.root, steps });
    const timeless = (value: unknown): string => JSON.stringify(value).replace(/"micros":\d+/g, '');
    const early = timeless(await answer(line));
    assert.equal(seen.length, steps.length);
    assert.equal(early, timeless(await answer(line)));
    assert.equal(seen.length, 2 * steps.length);
  });
});
