import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Outcome } from '../../src/core/gate/outcome.js';
import { ContainerSandbox } from '../../src/executors/sandbox/container.js';
import { sayExercised } from '../support/exercised.js';
import { tightConfinement } from './permits.js';
import { textOf, Workspace } from './workspace.js';

const IMAGE = 'localhost/lacuna-test:1';

/** The engine of this machine that runs containers, and a static shell to make an image of without any registry. */
function findEngine(): string | null {
  const hasShell = existsSync('/bin/busybox') && spawnSync('ldd', ['/bin/busybox']).status !== 0;
  if (!hasShell) return null;
  for (const name of ['podman', 'docker']) {
    const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
    if (found !== '' && spawnSync(found, ['info'], { timeout: 20_000 }).status === 0) return found;
  }
  return null;
}

/** podman's usual runtime does not work under every kind of control groups; runc does, where it is installed. */
function preferRunc(): void {
  if (spawnSync('sh', ['-c', 'command -v runc']).status !== 0) return;
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'lacuna-conf-')), 'containers.conf');
  writeFileSync(file, '[engine]\nruntime = "runc"\n');
  process.env['CONTAINERS_CONF'] = file;
}

/** Why the engine cannot start even an empty command, in its own words; null when it can. */
function whyNot(program: string): string | null {
  const words = [
    'run',
    '--rm',
    '--pull',
    'never',
    '--network',
    'none',
    '--ulimit',
    'nofile=4096:4096',
    '--ulimit',
    'nproc=4096:4096',
  ];
  const tried = spawnSync(program, [...words, IMAGE, '/bin/sh', '-c', 'true'], { encoding: 'utf8', timeout: 30_000 });
  return tried.status === 0 ? null : tried.stderr.trim();
}

const engine = findEngine();

if (engine === null) {
  describe('container sandbox', () => {
    it('is not exercised: no container engine answers here, or there is no static busybox for an image', () => {
      sayExercised('containers: NOT exercised, no engine answers here or there is no static busybox for an image');
      assert.equal(engine, null);
    });
  });
} else {
  describe(`container sandbox (${path.basename(engine)}, @slow)`, function () {
    this.timeout(60_000);
    let ws: Workspace;
    let sandbox: ContainerSandbox;
    let trouble: string | null = null;

    /** Where the engine answers and still starts nothing, what is exercised is that this is said and nothing runs. */
    const exercised = (test: () => Promise<void>) => async (): Promise<void> => {
      if (trouble === null) return test();
      const outcome = await run('echo ran');
      assert.ok(outcome.type === 'failed', JSON.stringify(outcome));
      assert.match(outcome.message, /could not be started/);
    };

    before(() => {
      if (engine.endsWith('podman')) preferRunc();
      const folder = mkdtempSync(path.join(os.tmpdir(), 'lacuna-image-'));
      for (const name of ['bin', 'tmp', 'usr/bin']) mkdirSync(path.join(folder, name), { recursive: true });
      copyFileSync('/bin/busybox', path.join(folder, 'bin/busybox'));
      for (const name of ['sh', 'bash', 'cat', 'echo', 'sleep', 'mkdir', 'id', 'wget', 'touch', 'ls', 'head', 'seq'])
        symlinkSync('busybox', path.join(folder, 'bin', name));
      const archive = `${folder}.tar`;
      execFileSync('tar', ['-C', folder, '-cf', archive, '.']);
      execFileSync(engine, ['import', archive, IMAGE], { stdio: 'ignore' });
      rmSync(folder, { recursive: true });
      rmSync(archive);
      trouble = whyNot(engine);
      const version = spawnSync(engine, ['--version'], { encoding: 'utf8' }).stdout.trim();
      sayExercised(
        trouble === null
          ? `containers: ${version}`
          : `containers: NOT exercised, ${version} starts none here (${trouble.split('\n').at(-1) ?? ''})`,
      );
    });
    after(() => {
      spawnSync(engine, ['rmi', '-f', IMAGE]);
    });
    beforeEach(() => {
      sandbox = new ContainerSandbox({ program: engine, image: IMAGE, quarantine: path.join(os.tmpdir(), 'lacuna-q') });
      ws = new Workspace({ sandboxFor: () => sandbox });
    });
    afterEach(async () => {
      await sandbox.dispose();
      ws.dispose();
    });
    const run = (command: string, timeoutSeconds = 30): Promise<Outcome> =>
      ws.fill('ExecuteShell', { command, shell: 'sh', timeoutSeconds }, { confinement: tightConfinement });

    it(
      'writes in the workspace and nowhere else',
      exercised(async () => {
        const outcome = await run('echo in > in.txt; echo out > /out.txt; echo done');
        assert.match(textOf(outcome), /done/, JSON.stringify(outcome));
        assert.equal(readFileSync(ws.at('in.txt'), 'utf8'), 'in\n');
        assert.equal(existsSync('/out.txt'), false);
      }),
    );

    it(
      'hides secrets and has no network',
      exercised(async () => {
        ws.write('.env', 'KEY=planted-secret');
        assert.doesNotMatch(textOf(await run('cat .env')), /planted/);
        assert.doesNotMatch(textOf(await run('wget -T 2 -O- http://127.0.0.1:1/ ; echo over')), /HTTP/);
      }),
    );

    it(
      'is gone when its time is up',
      exercised(async () => {
        const outcome = await run('sleep 300', 2);
        assert.equal(outcome.type, 'timed-out');
        const left = execFileSync(engine, ['ps', '-a', '--filter', 'name=lacuna-', '--format', '{{.Names}}'], {
          encoding: 'utf8',
        });
        assert.equal(left.trim(), '');
      }),
    );

    it('says what it cannot do', async () => {
      const outcome = await ws.fill(
        'ExecuteShell',
        { command: 'true', shell: 'sh' },
        { confinement: { ...tightConfinement, hosts: ['a.example'] } },
      );
      assert.ok(outcome.type === 'unavailable');
      assert.match(outcome.message, /list of hosts/);
    });
  });
}
