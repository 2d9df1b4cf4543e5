import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync, writeFileSync, chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { BackgroundCommands } from '../../src/executors/process/background.js';
import type { TerminalState } from '../../src/core/effects/effect.js';
import { freshTerminal } from '../../src/core/effects/effect.js';
import { analysisWith } from './analysis.js';
import { collector, noCancel, noObligations, permitFor, tightConfinement } from './permits.js';
import { textOf, Workspace } from './workspace.js';

/** Whether a process with this text in its arguments runs. */
const isThere = (text: string): boolean =>
  execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' }).includes(text);

describe('ExecuteShell without isolation', () => {
  let ws: Workspace;
  const background = new BackgroundCommands();
  beforeEach(() => {
    ws = new Workspace({ background });
  });
  afterEach(async () => {
    await background.dispose();
    ws.dispose();
  });

  it('runs a line in the workspace and gives its status and both outputs in order', async () => {
    const outcome = await ws.fill('ExecuteShell', { command: 'pwd; echo err >&2; echo out; exit 3' });
    assert.ok(outcome.type === 'filled');
    assert.equal(outcome.status, 3);
    assert.equal(outcome.output.text, `${ws.root}\nerr\nout\n`);
    assert.equal(outcome.output.isUntrusted, true);
  });

  it('does not run start-up files, and hands on no variable that runs something', async () => {
    const evil = ws.write('evil.sh', 'echo evil');
    const guarded = new Workspace({ environment: () => ({ PATH: process.env['PATH'], BASH_ENV: evil, ENV: evil }) });
    assert.equal(textOf(await guarded.fill('ExecuteShell', { command: 'echo good' })), 'good\n');
    guarded.dispose();
  });

  it('is in the terminal that was judged', async () => {
    mkdirSync(ws.at('sub'));
    const word = { text: "it's", raw: '', certainty: 'exact', quoted: false } as const;
    const terminal: TerminalState = {
      ...freshTerminal(ws.at('sub')),
      variables: new Map([['who', word]]),
      aliases: new Map([['greet', 'echo hello']]),
    };
    const there = new Workspace({ terminalOf: () => terminal });
    assert.equal(
      textOf(await there.fill('ExecuteShell', { command: 'pwd; greet $who' })),
      `${ws.at('sub')}\nhello it's\n`,
    );
    there.dispose();
  });

  it('ends at its time with all it started', async () => {
    const mark = `98${String(process.pid)}.5`;
    const outcome = await ws.fill('ExecuteShell', { command: `sleep ${mark} & sleep ${mark}`, timeoutSeconds: 0.2 });
    assert.equal(outcome.type, 'timed-out');
    assert.equal(isThere(`sleep ${mark}`), false);
  });

  it('ends when it is cancelled', async () => {
    const controller = new AbortController();
    setTimeout(() => {
      controller.abort();
    }, 100);
    const outcome = await ws.fill('ExecuteShell', { command: 'sleep 30' }, { cancel: controller.signal });
    assert.equal(outcome.type, 'cancelled');
  });

  it('leaves no daemon behind, also one that left its session', async () => {
    const mark = `97${String(process.pid)}.5`;
    const outcome = await ws.fill('ExecuteShell', {
      command: `(setsid sleep ${mark} >/dev/null 2>&1 &) ; nohup setsid bash -c 'sleep ${mark}' >/dev/null 2>&1 & disown; echo done`,
    });
    assert.match(textOf(outcome), /^done\n\n?\[lacuna\] \d+ processes that it had left running were ended/);
    assert.equal(isThere(`sleep ${mark}`), false);
  });

  it('keeps head and tail of a long output', async () => {
    const outcome = await ws.fill('ExecuteShell', { command: 'echo first; seq 1 200000; echo last' });
    assert.ok(outcome.type === 'filled' && outcome.output.droppedBytes > 1_000_000);
    assert.match(outcome.output.text, /^first\n1\n[^]*bytes left out[^]*\nlast\n$/);
  });

  it('shows broken bytes and control sequences as harmless text', async () => {
    const outcome = await ws.fill('ExecuteShell', {
      command: String.raw`printf '\xff\033[31mred\033]0;title\007\000\n50%%\r100%%\n'`,
    });
    assert.equal(textOf(outcome), '\ufffdred\ufffd\n100%\n');
  });

  it('runs in the background, can be looked at and stopped', async () => {
    const mark = `96${String(process.pid)}.5`;
    const outcome = await ws.fill('ExecuteShell', { command: `echo up; sleep ${mark}`, background: true });
    assert.match(textOf(outcome), /^It runs in the background as (bg-\d+)/);
    const [command] = background.list().filter(({ isRunning }) => isRunning);
    assert.ok(command);
    assert.equal(background.output(command.id)?.text, 'up\n');
    assert.equal(await background.stop(command.id), true);
    assert.equal(isThere(`sleep ${mark}`), false);
    assert.equal(background.list().find(({ id }) => id === command.id)?.isRunning, false);
  });

  it('answers a background command that ends at once like any other', async () => {
    const outcome = await ws.fill('ExecuteShell', { command: 'echo no; exit 4', background: true });
    assert.ok(outcome.type === 'filled');
    assert.equal(outcome.status, 4);
  });

  it('attaches a credential that the agent never sees', async () => {
    const withKey = new Workspace({ secrets: { get: () => Promise.resolve('s3cr3t-value') } });
    const outcome = await withKey.fill(
      'ExecuteShell',
      { command: 'echo "$API_KEY"; test "$API_KEY" = "Bearer s3cr3t-value"' },
      {
        obligations: {
          ...noObligations,
          credentials: [
            { from: { type: 'secret', key: 'k' }, into: { type: 'variable', name: 'API_KEY', template: 'Bearer {}' } },
          ],
        },
      },
    );
    assert.ok(outcome.type === 'filled');
    assert.equal(outcome.status, 0);
    assert.doesNotMatch(outcome.output.text, /s3cr3t/);
    assert.ok(outcome.output.maskedSecrets > 0);
    withKey.dispose();
  });

  it('is void when a script it runs has changed', async () => {
    const script = ws.write('go.sh', 'echo good');
    const effects = [
      {
        op: 'execute',
        resource: { type: 'path', path: script, place: 'workspace', git: 'none' },
        certainty: 'exact',
        reversible: 'no',
        traits: [],
        command: 0,
        note: '',
      },
    ] as const;
    const run = { command: 'bash go.sh' } as const;
    const swap = (): void => {
      writeFileSync(script, 'echo evil > evil.txt');
    };
    assert.equal((await ws.fill('ExecuteShell', run, { effects, between: swap })).type, 'void');
    writeFileSync(script, 'echo good');
    assert.equal(
      (await ws.fill('ExecuteShell', run, { effects, atLook: (look) => look === 1 && swap() })).type,
      'void',
    );
    assert.equal(existsSync(ws.at('evil.txt')), false);
  });

  it('is void when a name on PATH leads to another program', async () => {
    const bin = path.join(ws.outside, 'bin');
    mkdirSync(bin);
    const tool = path.join(bin, 'lacuna-test-tool');
    writeFileSync(tool, '#!/bin/sh\necho good');
    chmodSync(tool, 0o755);
    const before = process.env['PATH'];
    process.env['PATH'] = `${bin}:${before ?? ''}`;
    try {
      const bound = await ws.bindings.bind(
        ...analysisWith('ExecuteShell', { command: 'lacuna-test-tool' }, 'lacuna-test-tool', ws.root),
      );
      const permit = permitFor('ExecuteShell', { command: 'lacuna-test-tool' }, { world: ws.bindings, binding: bound });
      writeFileSync(path.join(bin, 'other'), '#!/bin/sh\necho evil');
      chmodSync(path.join(bin, 'other'), 0o755);
      execFileSync('rm', [tool]);
      symlinkSync('other', tool);
      const outcome = await ws.executors.ExecuteShell.fill(permit, noCancel, collector());
      assert.equal(outcome.type, 'void');
    } finally {
      process.env['PATH'] = before;
    }
  });

  it('is void on a second use and after its time', async () => {
    const permit = permitFor('ExecuteShell', { command: 'echo x >> count' });
    await ws.executors.ExecuteShell.fill(permit, noCancel, collector());
    const again = await ws.executors.ExecuteShell.fill(permit, noCancel, collector());
    assert.ok(again.type === 'void' && again.why === 'spent');
    const late = permitFor('ExecuteShell', { command: 'echo x >> count' }, { expiresAtMs: 0 });
    const outcome = await ws.executors.ExecuteShell.fill(late, noCancel, collector());
    assert.ok(outcome.type === 'void' && outcome.why === 'expired');
    assert.equal(readFileSync(ws.at('count'), 'utf8'), 'x\n');
  });

  it('does not run without isolation what may run in isolation only', async () => {
    const outcome = await ws.fill('ExecuteShell', { command: 'touch ran' }, { confinement: tightConfinement });
    assert.equal(outcome.type, 'unavailable');
    assert.equal(existsSync(ws.at('ran')), false);
  });
});
