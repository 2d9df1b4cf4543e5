import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sha256OfFile } from '../../../src/adapters/review/models.js';
import { ReviewerProcess, type ModelChoice } from '../../../src/adapters/review/process.js';

const program = path.join(import.meta.dirname, 'children/child.mjs');
const never = new AbortController().signal;
const DEADLINES = { loadMs: 6000, verdictMs: 1500, reasonMs: 700 };

const choiceOf = (file: string, change: Partial<ModelChoice>): ModelChoice => ({
  path: file,
  sha256: null,
  thresholds: { flagAt: 0.5, rejectAt: 0.5 },
  temperature: 1,
  contextTokens: 512,
  threads: 1,
  memoryMiB: 1000,
  deadlines: DEADLINES,
  ...change,
});

describe("the reviewer's process", () => {
  let folder: string;
  let nowMs: number;
  let open: ReviewerProcess[];

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'lacuna-review-'));
    [nowMs, open] = [1000, []];
  });
  afterEach(() => {
    for (const one of open) one.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  function start(name: string, change: Partial<ModelChoice> = {}, content = 'GGUF and more'): ReviewerProcess {
    const file = path.join(folder, `${name}.gguf`);
    writeFileSync(file, content);
    const one = new ReviewerProcess(choiceOf(file, change), { program, nowMs: () => nowMs, sha256: sha256OfFile });
    open.push(one);
    return one;
  }
  const think = (one: ReviewerProcess) => one.think({ text: 'request: x' }, never);

  it('answers with probabilities, and stays warm', async () => {
    const one = start('fine');
    assert.equal(one.pid, null, 'nothing runs before it is needed');
    const first = await think(one);
    assert.ok(first.type === 'thought' && Math.abs(first.probabilities.approve - 0.95) < 1e-6);
    const { pid } = one;
    await think(one);
    assert.equal(one.pid, pid);
    assert.deepEqual(one.state.type, 'ready');
  });

  it('brings the reason that the model chose, when it is one of the list', async () => {
    const flagged = await think(start('flags'));
    assert.ok(flagged.type === 'thought' && flagged.reason === 'other-target');
    const odd = await think(start('bad-reason'));
    assert.ok(odd.type === 'thought' && odd.reason === null);
  });

  it('a reason that does not come costs the reason, not the verdict', async () => {
    const one = start('no-reason');
    const thought = await think(one);
    assert.ok(thought.type === 'thought' && thought.reason === null && thought.probabilities.flag > 0.8);
    assert.equal(one.pid, null);
  });

  const FAILURES = [
    ['dies-loading', 'down'],
    ['no-engine', 'missing'],
    ['truncated', 'down'],
    ['babbles', 'nonsense'],
    ['hangs', 'slow'],
    ['dies', 'down'],
    ['killed', 'down'],
    ['garbage', 'nonsense'],
    ['off-topic', 'nonsense'],
    ['too-long', 'nonsense'],
    ['other-id', 'nonsense'],
  ] as const;
  for (const [name, why] of FAILURES)
    it(`a process that ${name.replaceAll('-', ' ')} is no verdict within the deadline`, async () => {
      const one = start(name);
      const before = performance.now();
      const thought = await think(one);
      assert.deepEqual([thought.type, thought.type === 'none' && thought.why], ['none', why]);
      assert.ok(thought.type === 'none' && thought.message.length > 10);
      // Room for the start of a process on a busy machine.
      assert.ok(performance.now() - before < DEADLINES.loadMs + DEADLINES.verdictMs + 3000);
    });

  it('a process that hangs while it loads is no verdict within the deadline', async () => {
    const thought = await think(start('hangs-loading', { deadlines: { ...DEADLINES, loadMs: 500 } }));
    assert.deepEqual([thought.type, thought.type === 'none' && thought.why], ['none', 'slow']);
  });

  it('what uses too much memory is ended, and its answer counts', async () => {
    const one = start('fills-memory');
    assert.equal((await think(one)).type, 'thought');
    assert.equal(one.pid, null);
  });

  it('one that runs out of memory is no verdict that says so, and is started again later', async () => {
    const file = path.join(folder, 'runs-out-of-memory.gguf');
    writeFileSync(file, 'GGUF and more');
    const one = new ReviewerProcess(choiceOf(file, { deadlines: { ...DEADLINES, verdictMs: 6000 } }), {
      program,
      execArgv: ['--max-old-space-size=24'],
      nowMs: () => nowMs,
      sha256: sha256OfFile,
    });
    open.push(one);
    const thought = await think(one);
    assert.ok(
      thought.type === 'none' && thought.why === 'down' && /memory/.test(thought.message),
      JSON.stringify(thought),
    );
    assert.equal(one.pid, null);
    nowMs += 1001;
    assert.equal((await one.warm())?.type ?? 'ready', 'ready');
  });

  it('a file that is not there, is no model, or is another one than was chosen starts nothing', async () => {
    const gone = start('gone');
    rmSync(path.join(folder, 'gone.gguf'));
    const wrong = start('wrong', {}, 'PK\u0003\u0004');
    const changed = start('changed', { sha256: 'a'.repeat(64) });
    for (const one of [gone, wrong, changed]) {
      const thought = await think(one);
      assert.ok(thought.type === 'none' && thought.why === 'down' && /again/.test(thought.message));
      assert.equal(one.pid, null);
    }
  });

  it('starts again after a failure, but not at once and not ever faster', async () => {
    const one = start('dies');
    await think(one);
    const waiting = await think(one);
    assert.ok(waiting.type === 'none' && /tried again in/.test(waiting.message));
    assert.equal(one.pid, null);
    nowMs += 1001;
    const again = await think(one);
    assert.ok(again.type === 'none' && !/tried again/.test(again.message));
    nowMs += 1001;
    const longer = await think(one);
    assert.ok(longer.type === 'none' && /tried again in/.test(longer.message));
  });

  it('where no engine can run it is not tried again', async () => {
    const one = start('no-engine');
    await think(one);
    nowMs += 1e9;
    const again = await think(one);
    assert.ok(again.type === 'none' && again.why === 'missing');
    assert.equal(one.pid, null);
  });

  it('one that was fine and then hangs is ended', async () => {
    const one = start('hangs-second');
    assert.equal((await think(one)).type, 'thought');
    const second = await think(one);
    assert.ok(second.type === 'none' && second.why === 'slow');
    assert.equal(one.pid, null);
  });

  it('many at once are answered one after the other', async () => {
    const one = start('fine');
    const all = await Promise.all(Array.from({ length: 8 }, () => think(one)));
    assert.ok(all.every(({ type }) => type === 'thought'));
  });

  it('after its end there is no process and no answer', async () => {
    const one = start('fine');
    await think(one);
    const pid = one.pid ?? 0;
    one.dispose();
    assert.equal((await think(one)).type, 'none');
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.throws(() => process.kill(pid, 0), /ESRCH/);
  });

  it('says how it is at each change', async () => {
    const one = start('dies');
    const states: string[] = [];
    one.onChange((state) => states.push(state.type));
    await think(one);
    assert.deepEqual(states, ['starting', 'ready', 'failed']);
  });
});
