import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { changeConfig } from '../../src/adapters/agentConfig.js';
import { hookBundle } from '../support/hookBundle.js';

describe('setting an agent up from the command line @slow', function () {
  this.timeout(60_000);
  if (process.platform === 'win32') return;
  let home: string;
  let bundle: string;
  const state = (): string => path.join(home, '.local/state/lacuna');
  const settings = (): string => path.join(home, '.claude/settings.json');

  before(function () {
    this.timeout(120_000);
    bundle = hookBundle();
  });
  beforeEach(() => {
    home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lac-')));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

  const lacuna = (...args: string[]): string =>
    execFileSync(process.execPath, [path.join(bundle, 'dist/cli.js'), 'hook', ...args], {
      env: { PATH: process.env['PATH'], HOME: home },
      encoding: 'utf8',
    });

  it('shows the change, keeps a copy, writes a hook that answers, and takes it back', () => {
    mkdirSync(path.join(home, '.claude'));
    const before = '{\n  // mine\n  "model": "opus"\n}\n';
    writeFileSync(settings(), before, { mode: 0o640 });
    assert.match(lacuna('--set-up', 'claude', '--dry-run'), /\+ {4}"PreToolUse": \[/);
    assert.equal(readFileSync(settings(), 'utf8'), before);
    assert.match(lacuna('--set-up', 'claude'), /Claude Code: done/);
    const text = readFileSync(settings(), 'utf8');
    assert.ok(text.includes('// mine'));
    assert.equal(statSync(settings()).mode & 0o777, 0o640);
    const [copy] = readdirSync(path.join(state(), 'backups'));
    assert.equal(readFileSync(path.join(state(), 'backups', copy ?? ''), 'utf8'), before);
    assert.match(lacuna('--status'), /claude +set up\ncodex +not set up/);
    assert.match(lacuna('--set-up', 'claude'), /nothing to change/);

    const command = /"command": "(sh .*? --deadline 590 \|\| exit 2)"/.exec(text)?.[1] ?? '';
    const call = {
      hook_event_name: 'PreToolUse',
      session_id: 's',
      cwd: home,
      tool_name: 'Bash',
      tool_input: { command: 'rm -rf ~' },
    };
    const hook = (): number | null =>
      spawnSync('/bin/sh', ['-c', command], {
        input: JSON.stringify(call),
        env: { PATH: process.env['PATH'], HOME: home },
      }).status;
    assert.equal(hook(), 2);

    assert.match(lacuna('--remove', 'claude'), /done/);
    assert.equal(readFileSync(settings(), 'utf8'), before);
    rmSync(path.join(state(), 'hook.sh'));
    assert.equal(hook(), 2, 'a command line that is left somewhere blocks');
  });

  it('settings that are a link stay one, and a file that changed meanwhile is left alone', () => {
    const real = path.join(home, 'dotfiles.json');
    mkdirSync(path.join(home, '.claude'));
    writeFileSync(real, '{}\n');
    symlinkSync(real, settings());
    lacuna('--set-up', 'claude');
    assert.match(readFileSync(real, 'utf8'), /PreToolUse/);
    assert.throws(() => changeConfig(state(), { file: real, before: 'other', after: 'x' }), /has changed meanwhile/);
    assert.match(readFileSync(real, 'utf8'), /PreToolUse/);
  });

  it('odd files: a link to nothing, one that is read-only, an empty one, one in another encoding, a folder', () => {
    const run = (...args: string[]): { readonly status: number | null; readonly stderr: string } =>
      spawnSync(process.execPath, [path.join(bundle, 'dist/cli.js'), 'hook', ...args], {
        env: { PATH: process.env['PATH'], HOME: home },
        encoding: 'utf8',
      });
    mkdirSync(path.join(home, '.claude'));
    symlinkSync(path.join(home, 'dotfiles/claude.json'), settings());
    lacuna('--set-up', 'claude');
    assert.match(readFileSync(path.join(home, 'dotfiles/claude.json'), 'utf8'), /PreToolUse/);
    assert.ok(lstatSync(settings()).isSymbolicLink());
    rmSync(settings());

    writeFileSync(settings(), '{ "model": "opus" }\n', { mode: 0o444 });
    lacuna('--set-up', 'claude');
    assert.equal(statSync(settings()).mode & 0o777, 0o444);
    lacuna('--remove', 'claude');
    assert.equal(readFileSync(settings(), 'utf8'), '{ "model": "opus" }\n');
    rmSync(settings());

    writeFileSync(settings(), '');
    lacuna('--set-up', 'claude');
    assert.match(readFileSync(settings(), 'utf8'), /PreToolUse/);

    const latin = Buffer.concat([Buffer.from('{ "name": "M'), Buffer.from([0xfc]), Buffer.from('ller" }')]);
    writeFileSync(settings(), latin);
    const { status, stderr } = run('--set-up', 'claude');
    assert.equal(status, 1);
    assert.match(stderr, /not text in UTF-8\. Nothing was changed/);
    assert.ok(readFileSync(settings()).equals(latin));
    rmSync(settings());

    mkdirSync(settings());
    assert.equal(run('--set-up', 'claude').status, 1);
    assert.match(lacuna('--status'), /claude +its settings cannot be read/);
  });

  it('an unknown agent is told, and settings that cannot be read stay as they are', () => {
    const run = (...args: string[]): { readonly status: number | null; readonly stderr: string } =>
      spawnSync(process.execPath, [path.join(bundle, 'dist/cli.js'), 'hook', ...args], {
        env: { PATH: process.env['PATH'], HOME: home },
        encoding: 'utf8',
      });
    assert.equal(run('--set-up', 'nobody').status, 2);
    assert.equal(run('--set-up', 'claude', '--remove', 'codex').status, 2);
    mkdirSync(path.join(home, '.claude'));
    writeFileSync(settings(), '{ "hooks": ');
    const { status, stderr } = run('--set-up', 'claude');
    assert.equal(status, 1);
    assert.match(stderr, /cannot be read/);
    assert.equal(readFileSync(settings(), 'utf8'), '{ "hooks": ');
    assert.ok(!existsSync(path.join(state(), 'backups')));
  });
});
