import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { check } from '../../src/cli/check.js';
import type { Io } from '../../src/cli/io.js';
import { main } from '../../src/cli/main.js';
import type { TraceAnswer } from '../../src/core/check/trace.js';

/** A small folder in which the kernel lets nobody make a file, root included. */
const KERNEL = '/sys/power';

/** Whatever is wrong with what it is given, the command line says what it is and what to do, and goes on where it can. */
describe('bad input', function () {
  this.timeout(30_000);
  let folder = '';
  let work = '';
  const said = { out: '', error: '' };
  const io = (...lines: readonly object[]): Io => ({
    out: (text) => void (said.out += text),
    error: (text) => void (said.error += text),
    async *lines() {
      for (const line of await Promise.resolve(lines)) yield JSON.stringify(line);
    },
    isInteractive: false,
  });
  const judge = async (trace: object, ...flags: readonly string[]): Promise<TraceAnswer> => {
    await check(flags, io({ id: 't', workspace: work, ...trace }));
    return JSON.parse(said.out) as TraceAnswer;
  };
  /** One real Lacuna through the gate; its exit code. Decision and outcome are in what was said. */
  const run = (lacuna: object, ...flags: readonly string[]): Promise<number> =>
    main(
      [
        'run',
        '--workspace',
        work,
        '--state',
        path.join(folder, 'state'),
        '--headless',
        '--json',
        ...flags,
        '--lacuna',
        JSON.stringify(lacuna),
      ],
      io(),
    );
  const shell = (command: string): object => ({ kind: 'ExecuteShell', params: { command } });

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-bad-')));
    work = path.join(folder, 'work');
    mkdirSync(work);
    [said.out, said.error] = ['', ''];
  });
  afterEach(() => {
    chmodSync(work, 0o700);
    rmSync(folder, { recursive: true, force: true });
  });

  it('a broken policy file is told with its line and column, and the built-in policy stays in force', async () => {
    mkdirSync(path.join(work, '.lacuna'));
    writeFileSync(path.join(work, '.lacuna/policy.yaml'), 'version: 1\nrules:\n  - id: x\n    verdict: perhaps\n');
    const answer = await judge({ steps: [shell('rm -rf ~')] });
    assert.match(said.error, /\.lacuna\/policy\.yaml:4:\d+: .*(allow|verdict)/);
    assert.equal(answer.final, 'deny');
  });

  it('a workspace that is not there: a trace is judged by its text, a run says so', async () => {
    const answer = await judge({ workspace: '/nowhere/at/all', steps: [shell('ls')] });
    assert.equal(answer.steps.length, 1);
    assert.equal(await main(['run', '--workspace', '/nowhere/at/all', '--', 'ls'], io()), 2);
    assert.match(said.error, /There is no folder \/nowhere\/at\/all/);
  });

  it('a folder without git: work that no commit holds is asked about', async () => {
    writeFileSync(path.join(work, 'a.txt'), 'a');
    const answer = await judge({ steps: [shell('rm a.txt')] });
    assert.equal(answer.final, 'ask');
    assert.notEqual(answer.steps[0]?.reason, '');
  });

  it('no sandbox: what would run in it is asked about', async () => {
    const trace = { steps: [shell('./unknown-program --now')] };
    assert.notEqual((await judge(trace, '--sandbox', 'none')).final, 'allow');
    said.out = '';
    assert.ok(['sandbox', 'ask'].includes((await judge(trace, '--sandbox', 'available')).final));
  });

  it('a binary file is not read as text', async () => {
    writeFileSync(path.join(work, 'a.bin'), Buffer.from([0, 1, 2, 255, 0]));
    await run({ kind: 'ReadFile', params: { path: 'a.bin' } });
    assert.match(said.out, /binary/i);
  });

  it('a huge file is not read whole, and the agent is told how to go on', async () => {
    writeFileSync(path.join(work, 'huge.log'), Buffer.alloc(80 * 1024 * 1024, 'x\n'));
    await run({ kind: 'ReadFile', params: { path: 'huge.log' } });
    assert.ok(said.out.length < 2 * 1024 * 1024, `${said.out.length} characters came back`);
    assert.match(said.out, /startLine|lines|large|dropped/i);
  });

  it('a malformed trace is answered, and the rest go on', async () => {
    await check([], io({ id: 'bad', steps: 'none' }, { id: 'good', workspace: work, steps: [shell('ls')] }));
    const [bad, good] = said.out.trim().split('\n');
    assert.match(bad ?? '', /"id":"bad","error":/);
    assert.match(good ?? '', /"id":"good","final":/);
  });

  const isRoot = process.getuid?.() === 0;
  if (!isRoot || existsSync(KERNEL))
    it('a folder that may not be written: it stays as it was, and the failure says why', async () => {
      if (isRoot) work = KERNEL;
      else chmodSync(work, 0o500);
      const before = readdirSync(work);
      assert.equal(await run({ kind: 'WriteFile', params: { path: 'b.txt', content: 'b' } }), 1);
      assert.match(said.out, /the operating system does not permit it|read-only/);
      assert.deepEqual(readdirSync(work), before);
    });
});
