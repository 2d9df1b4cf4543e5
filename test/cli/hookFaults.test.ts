import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { publishCard } from '../../src/adapters/engine/directory.js';
import { listenForHooks } from '../../src/adapters/engine/server.js';
import { hookCommand } from '../../src/hooks/setup/command.js';
import { HOOK_AGENTS, type HookAgent } from '../../src/hooks/hookEvent.js';
import { hookBundle } from '../support/hookBundle.js';
import { isStopped, shellCall, type Ended } from '../support/hosts.js';

/** For calls that are judged, on a machine that has other things to do; and for engines that never answer. */
const DEADLINE_S = 25;
const SHORT_S = 3;

/** The hook process as a host starts it, when something around it is broken: for each agent the call must not go on. */
describe('a hook process in trouble @slow', function () {
  this.timeout(60_000);
  if (process.platform === 'win32') return;
  let bundle: string;
  let base: string;
  let workspace: string;
  let state: string;
  const open: { close(): unknown }[] = [];
  const sockets = new Set<Socket>();
  let sequence = 0;

  before(async function () {
    this.timeout(120_000);
    bundle = hookBundle();
    base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lac-')));
    workspace = path.join(base, 'w');
    state = path.join(base, 's');
    for (const folder of [workspace, state]) mkdirSync(folder);
    await hook('claude'); // the first start of a build writes down what V8 has compiled
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    for (const one of open.splice(0)) one.close();
    rmSync(path.join(state, 'lacuna/engines'), { recursive: true, force: true });
  });
  after(() => rmSync(base, { recursive: true, force: true, maxRetries: 20 }));

  /** A run of the start script. `begin` sees the process, and what it is given may be kept from it. */
  interface Start {
    readonly input?: string | Buffer | null;
    readonly cwd?: string;
    readonly bundle?: string;
    readonly environment?: NodeJS.ProcessEnv;
    readonly limit?: string;
    readonly deadlineS?: number;
    readonly begin?: (child: ChildProcess) => void;
  }

  async function hook(
    agent: HookAgent,
    start: Start = {},
  ): Promise<Ended & { readonly ms: number; readonly stderr: string }> {
    const line = `${start.limit ?? ''} sh '${start.bundle ?? bundle}/plugin/hook.sh' --agent ${agent} --deadline ${String(start.deadlineS ?? DEADLINE_S)}`;
    const child = spawn('/bin/sh', ['-c', line], {
      cwd: start.cwd ?? workspace,
      env: { PATH: process.env['PATH'], HOME: base, XDG_STATE_HOME: state, ...start.environment },
      stdio: 'pipe',
    });
    const began = performance.now();
    const texts = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
    child.stdin.on('error', () => undefined); // one that ends early does not read to the end
    const input = start.input === undefined ? JSON.stringify(shellCall(agent, 'echo hello', workspace)) : start.input;
    if (input !== null) child.stdin.end(input);
    start.begin?.(child);
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    child.stdin.destroy();
    return { code, ...texts, ms: performance.now() - began };
  }

  /** A session of its own: refusals make one stricter. */
  const fresh = (): string => `s${String((sequence += 1))}`;

  /** Every agent's host must stop the call, and hear so in time. */
  async function allAreStopped(start: Start | ((agent: HookAgent) => Start) = {}): Promise<void> {
    await Promise.all(
      HOOK_AGENTS.map(async (agent) => {
        const given = typeof start === 'function' ? start(agent) : start;
        const ended = await hook(agent, given);
        const told = `${agent}: ${JSON.stringify(ended)}`;
        assert.ok(isStopped(agent, ended), told);
        assert.match(ended.stdout + ended.stderr, /lacuna|Asks first/i, told);
        assert.ok(ended.ms < ((given.deadlineS ?? DEADLINE_S) + 6) * 1000, told);
      }),
    );
  }

  /** A listener at the address that a card names, which is no engine of ours. */
  async function impostor(behave: (socket: Socket) => void): Promise<void> {
    const address = path.join(base, `${String((sequence += 1))}.sock`);
    const server: Server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      behave(socket);
    });
    await new Promise<void>((resolve) => server.listen(address, resolve));
    open.push(server);
    card(address);
  }
  const card = (address: string): void => {
    publishCard(path.join(state, 'lacuna'), { pid: process.pid, address, secret: 'x', roots: [workspace] });
  };

  it('nothing is broken: a harmless call goes on, for each agent', async () => {
    await Promise.all(
      HOOK_AGENTS.map(async (agent) => {
        const ended = await hook(agent);
        assert.equal(ended.code, 0, `${agent}: ${JSON.stringify(ended)}`);
        assert.equal(isStopped(agent, ended), false, `${agent}: ${JSON.stringify(ended)}`);
      }),
    );
  });

  it('the engine is dead: judged alone, and what is forbidden is stopped', async () => {
    card(path.join(base, 'nobody.sock'));
    await allAreStopped((agent) => ({ input: JSON.stringify(shellCall(agent, 'rm -rf ~', workspace)) }));
  });

  it('the engine hangs', async () => {
    await impostor(() => undefined);
    await allAreStopped({ deadlineS: SHORT_S });
  });

  it('the engine says that it is alive and never answers', async () => {
    await impostor((socket) => {
      const heart = setInterval(() => socket.write('\n'), 200);
      socket.on('close', () => clearInterval(heart));
    });
    await allAreStopped({ deadlineS: SHORT_S });
  });

  it('the engine answers garbage', async () => {
    await impostor((socket) => void socket.end('{"stdout": {"permission": "allow"}}\n'));
    await allAreStopped();
  });

  it('the engine answers no JSON', async () => {
    await impostor((socket) => void socket.end('allow\n'));
    await allAreStopped();
  });

  it('the engine hangs up', async () => {
    await impostor((socket) => void socket.destroy());
    await allAreStopped();
  });

  it('the engine answers in the middle of a word', async () => {
    await impostor((socket) => void socket.end('{"stdout":"{}","std'));
    await allAreStopped();
  });

  it('the secret is wrong', async () => {
    const folder = path.join(state, 'lacuna');
    open.push(
      await listenForHooks(folder, [workspace], () => Promise.resolve({ stdout: '{}', stderr: '', exitCode: 0 })),
    );
    const file = path.join(folder, 'engines', `${String(process.pid)}.json`);
    const known = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...known, secret: 'guessed' }));
    await allAreStopped();
  });

  it('nothing can be written: no folder for the state', async () => {
    const file = path.join(base, 'a-file');
    writeFileSync(file, '');
    await allAreStopped({ environment: { XDG_STATE_HOME: file } });
  });

  it('nothing can be written: the disk is full', async () => {
    // Files may not grow: what a full disk does to a program, without one.
    await allAreStopped({ limit: 'ulimit -f 0;' });
  });

  it('the call is of ten million bytes', async () => {
    const rest = 'a'.repeat(10_000_000);
    await allAreStopped((agent) => ({ input: JSON.stringify(shellCall(agent, `rm -rf ~; echo ${rest}`, workspace)) }));
  });

  for (const [name, input] of Object.entries({
    'no JSON': 'rm -rf',
    'half of it': '{"hook_event_name":"PreToolUse","tool_na',
    nothing: '',
    'a list': '[1,2]',
    'no event that is known, and no tool': '{"a":1}',
  }))
    it(`the call is ${name}`, () => allAreStopped({ input }));

  it('the call is in UTF-16', async () => {
    await allAreStopped((agent) => ({
      input: Buffer.from(`\ufeff${JSON.stringify(shellCall(agent, 'rm -rf ~', workspace, fresh()))}`, 'utf16le'),
    }));
  });

  it('the call begins with a mark of its encoding: it is read all the same', async () => {
    await Promise.all(
      HOOK_AGENTS.map(async (agent) => {
        const call = (command: string): string =>
          `\ufeff${JSON.stringify(shellCall(agent, command, workspace, fresh()))}`;
        const [fine, bad] = await Promise.all([
          hook(agent, { input: call('echo hello') }),
          hook(agent, { input: call('rm -rf ~') }),
        ]);
        assert.equal(isStopped(agent, fine), false, `${agent}: ${JSON.stringify(fine)}`);
        assert.ok(isStopped(agent, bad), `${agent}: ${JSON.stringify(bad)}`);
      }),
    );
  });

  it('the host sends the call and does not close its end', async () => {
    // Whether more comes cannot be known: the deadline answers.
    await allAreStopped((agent) => ({
      input: null,
      deadlineS: SHORT_S,
      begin: ({ stdin }) => stdin?.write(JSON.stringify(shellCall(agent, 'echo hello', workspace, fresh()))),
    }));
  });

  it('the host closes its end late', async () => {
    const ended = await hook('claude', {
      input: null,
      begin: ({ stdin }) => {
        const text = JSON.stringify(shellCall('claude', 'echo hello', workspace, fresh()));
        stdin?.write(text.slice(0, 20));
        setTimeout(() => stdin?.end(text.slice(20)), 1500);
      },
    });
    assert.equal(isStopped('claude', ended), false, JSON.stringify(ended));
  });

  it('there is no home', async () => {
    await allAreStopped((agent) => ({
      environment: { HOME: undefined },
      input: JSON.stringify(shellCall(agent, 'rm -rf /', workspace, fresh())),
    }));
  });

  it('the folder in which it was started is gone', async () => {
    const gone = path.join(base, 'gone-folder');
    await allAreStopped((agent) => ({
      limit: `mkdir -p '${gone}' && cd '${gone}' && rmdir '${gone}';`,
      input: JSON.stringify(shellCall(agent, 'rm -rf ~', gone, fresh())),
    }));
  });

  for (const name of ['with spaces', 'ünïcode 日本', 'line\nbreak', "it's $HOME `x`"])
    it(`the workspace is called ${JSON.stringify(name)}`, async () => {
      const folder = path.join(base, name);
      mkdirSync(folder);
      await allAreStopped((agent) => ({
        cwd: folder,
        input: JSON.stringify(shellCall(agent, 'rm -rf ~', folder, fresh())),
      }));
      const ended = await hook('claude', {
        cwd: folder,
        input: JSON.stringify(shellCall('claude', 'echo hello', folder, fresh())),
      });
      assert.equal(isStopped('claude', ended), false, JSON.stringify(ended));
    });

  it('the folder of the state is somebody else’s', async function () {
    if (process.getuid?.() === 0) {
      // Root may write everywhere: a folder that nobody may write is the nearest that can be had.
      const sealed = path.join(base, 'sealed');
      mkdirSync(sealed);
      writeFileSync(path.join(sealed, 'lacuna'), '');
      await allAreStopped({ environment: { XDG_STATE_HOME: sealed } });
      return;
    }
    const theirs = path.join(base, 'theirs');
    mkdirSync(theirs, { mode: 0o500 });
    await allAreStopped({ environment: { XDG_STATE_HOME: theirs } });
  });

  it('the path of the socket is too long: no window can be asked, and the call is judged alone', async () => {
    card(path.join(base, 'x'.repeat(200)));
    await allAreStopped((agent) => ({ input: JSON.stringify(shellCall(agent, 'rm -rf ~', workspace, fresh())) }));
    const ended = await hook('claude', {
      input: JSON.stringify(shellCall('claude', 'echo hello', workspace, fresh())),
    });
    assert.equal(isStopped('claude', ended), false, JSON.stringify(ended));
  });

  it('two windows have the folder open, and the first is gone: the other answers', async () => {
    card(path.join(base, 'nobody.sock'));
    const state2 = path.join(state, 'lacuna');
    const known = readFileSync(path.join(state2, 'engines', `${String(process.pid)}.json`), 'utf8');
    let asked = 0;
    open.push(
      await listenForHooks(state2, [workspace], () => {
        asked += 1;
        return Promise.resolve({ stdout: '{}', stderr: 'no', exitCode: 2 });
      }),
    );
    writeFileSync(path.join(state2, 'engines', '1.json'), known, { mode: 0o600 });
    const ended = await hook('claude');
    assert.equal(ended.code, 2, JSON.stringify(ended));
    assert.equal(asked, 1);
  });

  it('the clock has gone back since the session began', async () => {
    const call = (command: string): string => JSON.stringify(shellCall('claude', command, workspace, 'clock'));
    await hook('claude', { input: call('echo first') });
    // Their times are ahead of ours from now on.
    const audit = path.join(state, 'lacuna/audit/hook-claude-clock.jsonl');
    utimesSync(audit, new Date(Date.now() + 86_400_000), new Date(Date.now() + 86_400_000));
    const lock = path.join(state, 'lacuna/locks');
    for (const name of readdirSync(lock)) utimesSync(path.join(lock, name), 2 ** 31 - 2, 2 ** 31 - 2);
    const [fine, bad] = [
      await hook('claude', { input: call('echo then') }),
      await hook('claude', { input: call('rm -rf ~') }),
    ];
    assert.equal(isStopped('claude', fine), false, JSON.stringify(fine));
    assert.ok(isStopped('claude', bad), JSON.stringify(bad));
  });

  it('the extension is taken away for another version while a call waits', async () => {
    const old = path.join(base, 'old-version');
    cpSync(bundle, old, { recursive: true });
    const ended: Promise<Ended>[] = [];
    await impostor((socket) => {
      socket.once('data', () => {
        rmSync(old, { recursive: true, force: true });
        socket.destroy();
      });
    });
    for (const agent of HOOK_AGENTS) {
      if (!existsSync(old)) cpSync(bundle, old, { recursive: true });
      ended.push(hook(agent, { bundle: old }));
      const one = await ended.at(-1);
      assert.ok(one !== undefined && isStopped(agent, one), `${agent}: ${JSON.stringify(one)}`);
    }
  });

  it('the call never ends', () => allAreStopped({ input: null, deadlineS: SHORT_S }));

  it('the process is killed in the middle', async () => {
    await impostor((socket) => {
      // The hook process has come so far that it asks: now it is ended, as by a system without memory.
      socket.once('data', () => {
        for (const pid of nodesBelow(process.pid)) process.kill(pid, 'SIGKILL');
      });
    });
    for (const agent of HOOK_AGENTS) {
      const ended = await hook(agent);
      assert.ok(isStopped(agent, ended), `${agent}: ${JSON.stringify(ended)}`);
    }
  });

  it('the host gives up: the process ends, and the engine is told', async () => {
    let hungUp: () => void = () => undefined;
    const told = new Promise<void>((resolve) => (hungUp = resolve));
    await impostor((socket) => {
      socket.on('close', () => hungUp());
      socket.once('data', () => {
        for (const child of started) child.kill('SIGKILL');
      });
    });
    const started: ChildProcess[] = [];
    const ended = hook('vscode', { begin: (child) => void started.push(child) });
    await told;
    assert.ok((await ended).ms < 9000, 'by itself, not since the engine was silent');
  });

  it('there is no Node', async () => {
    const tools = path.join(base, 'bin');
    mkdirSync(tools);
    for (const name of ['cat', 'dirname', 'sh'])
      writeFileSync(path.join(tools, name), `#!/bin/sh\nexec /bin/${name} "$@"\n`, { mode: 0o755 });
    writeFileSync(path.join(tools, 'dirname'), '#!/bin/sh\necho "${1%/*}"\n', { mode: 0o755 });
    await allAreStopped({ environment: { PATH: tools } });
  });

  it('the start script is gone: the command line in the settings ends as a block', async () => {
    for (const agent of HOOK_AGENTS.filter((one) => one !== 'vscode')) {
      const line = hookCommand(path.join(base, 'gone/lacuna/hook.sh'), agent, 'call', 'linux');
      const child = spawn('/bin/sh', ['-c', line], { stdio: 'ignore' });
      assert.equal(await new Promise((resolve) => child.on('close', resolve)), 2, agent);
    }
  });

  /** Node processes that a process started, directly or not. */
  function nodesBelow(parent: number): readonly number[] {
    const children = `/proc/${String(parent)}/task/${String(parent)}/children`;
    const pids = existsSync(children)
      ? readFileSync(children, 'utf8').trim().split(' ').filter(Boolean).map(Number)
      : [];
    return pids.flatMap((pid) => {
      const name = existsSync(`/proc/${String(pid)}/cmdline`)
        ? readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8')
        : '';
      return [...(/hook\.js/.test(name) && !/^(\/bin\/)?sh/.test(name) ? [pid] : []), ...nodesBelow(pid)];
    });
  }
});
