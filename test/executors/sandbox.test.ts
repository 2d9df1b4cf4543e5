import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Outcome, SandboxCause } from '../../src/core/gate/outcome.js';
import type { Confinement } from '../../src/core/policy/decision.js';
import { sayExercised } from '../support/exercised.js';
import { tightConfinement } from './permits.js';
import { hasBubblewrap, SandboxedWorkspace } from './sandboxed.js';
import { textOf } from './workspace.js';

const isThere = (text: string): boolean =>
  execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' }).includes(text);

/** Whether a process with such a text is gone within a few seconds: what was killed takes a moment to be taken off the list. */
async function isGone(text: string): Promise<boolean> {
  const untilMs = Date.now() + 5_000;
  while (isThere(text)) {
    if (Date.now() > untilMs) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

const causeOf = (outcome: Outcome): SandboxCause | null => (outcome.type === 'failed' ? outcome.causedBySandbox : null);

if (!hasBubblewrap()) {
  describe('sandbox (bubblewrap)', () => {
    it('is not exercised: bubblewrap is missing or may not be used on this machine', () => {
      sayExercised('sandbox: NOT exercised, bubblewrap is missing or may not be used here');
      assert.equal(hasBubblewrap(), false);
    });
  });
} else {
  describe('sandbox (bubblewrap, exercised)', () => {
    let ws: SandboxedWorkspace;
    before(() => {
      sayExercised(`sandbox: ${execFileSync('bwrap', ['--version'], { encoding: 'utf8' }).trim()}`);
    });
    beforeEach(() => {
      ws = new SandboxedWorkspace();
      execFileSync('git', ['init', '-q'], { cwd: ws.root });
    });
    afterEach(async () => {
      await ws.close();
    });

    const run = (command: string, wider: Partial<Confinement> = {}, timeoutSeconds?: number): Promise<Outcome> =>
      ws.fill(
        'ExecuteShell',
        { command, ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }) },
        { confinement: { ...tightConfinement, ...wider } },
      );

    it('runs what stays in the workspace, git included', async () => {
      ws.write('a.txt', 'a');
      const outcome = await run(
        'echo b > b.txt && mkdir -p d && mv a.txt d/ && git add -A && git -c user.name=x -c user.email=x@x commit -qm c && git log --oneline | wc -l',
      );
      assert.ok(outcome.type === 'filled', textOf(outcome));
      assert.equal(outcome.output.text.trim(), '1');
      assert.equal(readFileSync(ws.at('b.txt'), 'utf8'), 'b\n');
      assert.equal(existsSync(ws.at('d/a.txt')), true);
    });

    it('stops a write outside and says which wider leave would help', async () => {
      const target = path.join(ws.outside, 'evil.txt');
      // It lies in /tmp, whose contents are not to be seen from inside: the write goes to the sandbox's own.
      await run(`echo evil > ${target}`);
      assert.equal(existsSync(target), false);
      const etc = await run('echo evil > /etc/lacuna-evil');
      assert.deepEqual([causeOf(etc)?.type, causeOf(etc)?.subject], ['write', '/etc/lacuna-evil']);
      assert.equal(existsSync('/etc/lacuna-evil'), false);
    });

    it('lets it write where policy opens a folder', async () => {
      const opened = path.join(ws.outside, 'opened');
      mkdirSync(opened);
      const outcome = await run(`echo ok > ${opened}/f`, { writable: [opened] });
      assert.equal(outcome.type, 'filled');
      assert.equal(readFileSync(path.join(opened, 'f'), 'utf8'), 'ok\n');
    });

    it('keeps secrets unreadable, in the workspace, by link, and where policy says', async () => {
      ws.write('.env', 'KEY=planted-1');
      ws.write('sub/.env.local', 'KEY=planted-2');
      const extra = ws.write('private/notes.txt', 'planted-3');
      symlinkSync('.env', ws.at('innocent'));
      for (const command of ['cat .env', 'cat innocent', 'cat sub/.env.local', `cat ${extra}`, 'grep -r planted .']) {
        const outcome = await run(command, { unreadable: [ws.at('private')] });
        assert.doesNotMatch(JSON.stringify(outcome), /planted-\d/, command);
      }
      const read = await run('cat .env');
      assert.deepEqual([causeOf(read)?.type, causeOf(read)?.subject], ['read', ws.at('.env')]);
      assert.equal(readFileSync(ws.at('.env'), 'utf8'), 'KEY=planted-1');
    });

    it('lets what policy keeps from change be read only', async () => {
      ws.write('db/001.sql', 'first');
      ws.write('db/new/002.sql', 'second');
      ws.write('free.txt', 'free');
      for (const command of [
        'echo x >> db/001.sql',
        'echo x > db/003.sql',
        'rm -r db',
        'mv db gone',
        'mv db/new/002.sql .',
        'sed -i s/f/g/ db/001.sql',
        'cd db && ln -sf /dev/null 001.sql',
      ]) {
        await run(command, { unwritable: ['db/**'] });
        assert.equal(readFileSync(ws.at('db/001.sql'), 'utf8'), 'first', command);
        assert.equal(readFileSync(ws.at('db/new/002.sql'), 'utf8'), 'second', command);
        assert.equal(existsSync(ws.at('db/003.sql')), false, command);
      }
      const outcome = await run('cat db/001.sql; echo more >> free.txt', { unwritable: ['db/**'] });
      assert.equal(textOf(outcome).trim(), 'first');
      assert.equal(readFileSync(ws.at('free.txt'), 'utf8'), 'freemore\n');
      const told = await run('echo x >> db/001.sql', { unwritable: ['**/*.sql'] });
      assert.deepEqual([causeOf(told)?.type, causeOf(told)?.subject], ['write', ws.at('db/001.sql')]);
    });

    it('hides the state of the guard', async () => {
      writeFileSync(path.join(ws.state, 'key'), 'guard-key');
      assert.doesNotMatch(textOf(await run(`cat ${ws.state}/key; ls ${ws.state}`)), /guard-key|key\n/);
    });

    it('hands on no token', async () => {
      const before = process.env['LACUNA_TEST_API_TOKEN'];
      process.env['LACUNA_TEST_API_TOKEN'] = 'tok-in-env';
      try {
        assert.doesNotMatch(
          textOf(await run('env; cat /proc/1/environ /proc/self/environ | tr "\\0" "\\n"')),
          /tok-in-env/,
        );
      } finally {
        if (before === undefined) delete process.env['LACUNA_TEST_API_TOKEN'];
      }
    });

    it('does not reach a server of this machine', async () => {
      let hits = 0;
      const server = http.createServer((_request, response) => {
        hits += 1;
        response.end('reached');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      try {
        const outcome = await run(
          `curl -s -m 3 http://127.0.0.1:${String(port)}/ || wget -T 3 -O- http://127.0.0.1:${String(port)}/`,
        );
        assert.equal(hits, 0);
        assert.equal(causeOf(outcome)?.type, 'network');
        const raw = await run(`exec 3<>/dev/tcp/127.0.0.1/${String(port)} && echo connected`);
        assert.doesNotMatch(textOf(raw), /^connected/m);
      } finally {
        server.close();
      }
    });

    it('reaches a listed host through the shared proxy, and no other', async () => {
      const server = http.createServer((_request, response) => response.end('reached'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const url = `http://localhost:${String(port)}/`;
      try {
        const listed = await run(`curl -sS -m 5 ${url}`, { hosts: [`localhost:${String(port)}`] });
        assert.match(textOf(listed), /reached/);
        const other = await run(`curl -sSf -m 5 ${url}`, { hosts: ['127.0.0.9'] });
        assert.doesNotMatch(textOf(other), /reached/);
        const named = await run('curl -sSf -m 5 http://elsewhere.example/', { hosts: ['api.example'] });
        assert.deepEqual([causeOf(named)?.type, causeOf(named)?.subject], ['network', 'elsewhere.example']);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });

    it('keeps what makes something run later as it is', async () => {
      ws.write('.vscode/settings.json', '{}');
      ws.write('.lacuna/policy.yaml', 'version: 1');
      ws.write('packages/a/.claude/settings.json', '{}');
      for (const target of [
        '.git/config',
        '.git/hooks/pre-commit',
        '.vscode/settings.json',
        '.vscode/tasks.json',
        '.lacuna/policy.yaml',
        'packages/a/.claude/settings.json',
      ]) {
        const outcome = await run(`echo evil >> ${target}`);
        assert.equal(causeOf(outcome)?.type, 'write', `${target}: ${textOf(outcome)}`);
      }
      for (const trick of [
        'mv .git g && mkdir .git && cp -r g/. .git/ && echo evil > .git/hooks/pre-commit',
        'mv .vscode v; mkdir .vscode; echo evil > .vscode/tasks.json',
        'mv packages p; mkdir -p packages/a/.claude; echo evil > packages/a/.claude/settings.json',
        'git config core.fsmonitor evil',
      ])
        await run(trick);
      const left = spawnSync('grep', ['-rl', 'evil', ws.root], { encoding: 'utf8' });
      assert.equal(left.stdout, '');
    });

    it('takes back what makes something run later and was not there', async () => {
      const outcome = await run('mkdir -p .vscode && echo evil > .vscode/tasks.json; ln -s /etc/passwd .mcp.json');
      assert.equal(causeOf(outcome)?.type, 'write');
      assert.deepEqual(readdirSync(ws.root), ['.git']);
      assert.match(textOf(outcome), /taken back/);
      const aside = path.join(ws.state, 'quarantine', ws.root, '.vscode/tasks.json');
      assert.equal(readFileSync(aside, 'utf8'), 'evil\n');
    });

    it('leaves a new repository whole, but for hooks that run', async () => {
      const outcome = await run(
        'git init -q sub && printf "#!/bin/sh\\nevil" > sub/.git/hooks/post-checkout && chmod +x sub/.git/hooks/post-checkout',
      );
      assert.match(textOf(outcome), /taken back/);
      assert.equal(existsSync(ws.at('sub/.git/config')), true);
      assert.equal(existsSync(ws.at('sub/.git/hooks/post-checkout')), false);
    });

    it('gives it a temporary folder of its own that lasts for the session', async () => {
      await run('echo mine > /tmp/note');
      assert.equal(textOf(await run('cat /tmp/note; ls -d /tmp/n*')), 'mine\n/tmp/note\n');
      assert.equal(existsSync('/tmp/note'), false);
    });

    it('leaves no daemon behind', async () => {
      const mark = `95${String(process.pid)}.5`;
      const outcome = await run(`(setsid nohup env -i sleep ${mark} >/dev/null 2>&1 &); echo started`);
      assert.equal(textOf(outcome), 'started\n');
      assert.equal(isThere(`sleep ${mark}`), false);
    });

    it('ends what sleeps for ever', async () => {
      const mark = `94${String(process.pid)}.5`;
      const outcome = await run(`trap '' TERM; setsid sleep ${mark} & sleep ${mark}; sleep ${mark}`, {}, 0.3);
      assert.equal(outcome.type, 'timed-out');
      assert.equal(isThere(`sleep ${mark}`), false);
    });

    it('stops a fork bomb at its number of processes', async () => {
      const mark = `93${String(process.pid)}.5`;
      const outcome = await run(`for i in $(seq 1 400); do sleep ${mark} & done; wait`, { processes: 60 }, 15);
      assert.equal(causeOf(outcome)?.type, 'process', textOf(outcome));
      assert.equal(isThere(`sleep ${mark}`), false);
    });

    for (const [what, bomb] of [
      ['of a shell', 'bomb() { bomb | bomb & }; bomb; sleep 20'],
      ['of a program', `node -e 'for (;;) require("child_process").spawn("sleep", ["6" + process.pid])'`],
    ] as const)
      it(`stops a real fork bomb ${what}`, async function () {
        this.timeout(40_000);
        const outcome = await run(bomb, { processes: 60 }, 15);
        assert.equal(causeOf(outcome)?.type, 'process', textOf(outcome));
        assert.ok(await isGone('bomb() {'));
        assert.ok(await isGone('require("child_process").spawn("sleep"'));
      });

    it('stops what takes too much memory', async () => {
      const outcome = await run(
        `node -e 'const a=[]; for(;;) a.push(Buffer.alloc(16<<20, 1))'`,
        { memoryMiB: 300 },
        15,
      );
      assert.equal(causeOf(outcome)?.type, 'memory', textOf(outcome));
    });

    it('stops a file at its size, and a disk that fills', async () => {
      const one = await run('head -c 9000000 /dev/zero > big', { fileSizeMiB: 4 });
      assert.equal(causeOf(one)?.type, 'file-size', textOf(one));
      const many = await run(
        'for i in $(seq 1 2000); do head -c 1000000 /dev/zero > f$i; done',
        { fileSizeMiB: 2 },
        20,
      );
      assert.equal(causeOf(many)?.type, 'disk', textOf(many));
    });

    it('stops a print without end', async () => {
      const outcome = await run('yes | head -c 1000000000');
      assert.equal(causeOf(outcome)?.type, 'output', textOf(outcome).slice(0, 200));
      assert.ok(outcome.type === 'failed' && outcome.output.text.length < 200_000);
    });

    it('fails like any command when the command fails of itself', async () => {
      for (const command of ['exit 3', 'cat nowhere', 'false']) {
        const outcome = await run(command);
        assert.ok(outcome.type === 'filled', command);
        assert.notEqual(outcome.status, 0);
      }
    });
  });
}
