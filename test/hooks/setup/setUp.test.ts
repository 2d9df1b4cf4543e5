import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse } from 'yaml';
import { AGENT_SET_UPS, SET_UP_AGENTS, type SetUpAgent, type SetUpPlace } from '../../../src/hooks/setup/agents.js';
import { hookFileOf, planSetUp, setUpState, type SetUpWish } from '../../../src/hooks/setup/plan.js';

interface Case {
  readonly note: string;
  readonly agent: SetUpAgent;
  readonly before: string | null;
  readonly holds?: readonly string[];
  /** Whether nothing but an empty object is left at the end, so that the file goes. */
  readonly gone?: boolean;
}
const cases = parse(readFileSync(path.join(import.meta.dirname, 'setUp.cases.yaml'), 'utf8')) as readonly Case[];

const place: SetUpPlace = {
  platform: 'linux',
  home: '/home/dev',
  environment: () => null,
  launcher: "/home/dev/.local/state/lacuna/it's here/hook.sh",
};
const server = { command: 'node', args: ['/opt/lacuna/cli.js', 'mcp'] };

/** A machine's files: what a plan would make of them. */
class Disk {
  readonly files = new Map<string, string>();
  readonly read = (file: string): string | null => this.files.get(file) ?? null;

  apply(agent: SetUpAgent, wish: SetUpWish, at = place): number {
    const { changes, unreadable } = planSetUp(agent, wish, at, server, this.read);
    assert.deepEqual(unreadable, []);
    for (const { file, after } of changes)
      if (after === null) this.files.delete(file);
      else this.files.set(file, after);
    return changes.length;
  }
}

describe('setting up other agents', () => {
  for (const { note, agent, before, holds = [], gone = false } of cases)
    it(`${agent}, ${note}: twice is once, and taken back is as before`, () => {
      const disk = new Disk();
      const file = hookFileOf(agent, place);
      if (before !== null) disk.files.set(file, before);
      assert.equal(disk.apply(agent, 'hooks'), 1);
      const text = disk.read(file) ?? '';
      for (const part of holds) assert.ok(text.includes(part), text);
      assert.equal(setUpState(agent, place, server, disk.read), 'guarded');
      assert.equal(disk.apply(agent, 'hooks'), 0);
      assert.equal(disk.apply(agent, 'nothing'), 1);
      assert.equal(disk.read(file), gone ? null : before);
      assert.equal(setUpState(agent, place, server, disk.read), 'not-guarded');
    });

  for (const agent of SET_UP_AGENTS)
    it(`${agent}: every event has one hook of ours, and its deadline is before the host's`, () => {
      const disk = new Disk();
      disk.apply(agent, 'hooks');
      const { hooks } = parseJsonc(disk.read(hookFileOf(agent, place)) ?? '') as { hooks: Record<string, unknown[]> };
      for (const { event } of AGENT_SET_UPS[agent].hooks(place)) {
        assert.equal(hooks[event]?.length, 1, event);
        const text = JSON.stringify(hooks[event]);
        const deadline = Number(/--deadline (\d+)/.exec(text)?.[1]);
        const timeout = Number(/"timeout(?:Sec)?":(\d+)/.exec(text)?.[1]);
        assert.ok(deadline > 0 && deadline < (timeout > 10_000 ? timeout / 1000 : timeout), text);
        assert.match(text, /hook\.sh' --agent \w+ --deadline \d+ \|\| exit 2/);
        assert.match(text, /it'\\\\''s here/, 'a quote in the path is kept from the shell');
      }
    });

  it('an older hook of ours is replaced, in its group those of others stay', () => {
    const disk = new Disk();
    const old = { type: 'command', command: 'node /old/lacuna.lacuna-0.0.9/dist/hook.js --agent claude' };
    const text = JSON.stringify({
      hooks: {
        PreToolUse: [{ matcher: 'Bash', hooks: [old, { type: 'command', command: 'lint.sh' }] }, { hooks: [old] }],
        Stop: [{ hooks: [old] }],
      },
    });
    disk.files.set(hookFileOf('claude', place), text);
    assert.equal(setUpState('claude', place, server, disk.read), 'stale');
    disk.apply('claude', 'hooks');
    const { hooks } = parseJsonc(disk.read(hookFileOf('claude', place)) ?? '') as { hooks: Record<string, unknown[]> };
    assert.deepEqual(hooks['PreToolUse']?.[0], { matcher: 'Bash', hooks: [{ type: 'command', command: 'lint.sh' }] });
    assert.equal(hooks['PreToolUse']?.length, 2);
    assert.equal(hooks['Stop'], undefined, 'an event that we no longer need');
    assert.doesNotMatch(JSON.stringify(hooks), /0\.0\.9/);
  });

  it('a file that cannot be read is left alone', () => {
    for (const text of ['{ "hooks": [', '[]', 'nonsense']) {
      const { changes, unreadable } = planSetUp('claude', 'hooks-and-server', place, server, () => text);
      assert.deepEqual(changes, []);
      assert.deepEqual(unreadable, ['/home/dev/.claude/settings.json', '/home/dev/.claude.json']);
      assert.equal(
        setUpState('claude', place, server, () => text),
        'unreadable',
      );
    }
  });

  it('what a person keeps where hooks or servers belong is not written over', () => {
    for (const text of [
      '{ "hooks": [] }',
      '{ "hooks": null }',
      '{ "hooks": "mine" }',
      '{ "hooks": { "PreToolUse": { "mine": 1 } } }',
    ])
      assert.deepEqual(
        planSetUp('claude', 'hooks', place, server, (file) => (file.endsWith('settings.json') ? text : null)),
        {
          changes: [],
          unreadable: ['/home/dev/.claude/settings.json'],
        },
      );
    for (const text of ['{ "mcpServers": [] }', '{ "mcpServers": null }']) {
      const plan = planSetUp('claude', 'hooks-and-server', place, server, (file) =>
        file.endsWith('.claude.json') ? text : null,
      );
      assert.deepEqual(plan, { changes: [], unreadable: ['/home/dev/.claude.json'] });
    }
  });

  it('the configuration of Codex keeps every other line when the server comes and goes', () => {
    const toml = '# mine\nmodel = "m" # fast\n\n[tui]\ntheme = "dark"\n';
    const disk = new Disk();
    disk.files.set('/home/dev/.codex/config.toml', toml);
    assert.equal(disk.apply('codex', 'hooks-and-server'), 2);
    const text = disk.read('/home/dev/.codex/config.toml') ?? '';
    assert.ok(text.startsWith(toml), text);
    assert.match(text, /\[mcp_servers\.lacuna\]\ncommand = "node"\nargs = \["\/opt\/lacuna\/cli\.js","mcp"\]\n$/);
    assert.equal(disk.apply('codex', 'hooks-and-server'), 0);
    disk.files.set('/home/dev/.codex/config.toml', `${text}\n[later]\nx = 1\n`);
    disk.apply('codex', 'nothing');
    assert.equal(disk.read('/home/dev/.codex/config.toml'), `${toml}\n[later]\nx = 1\n`);
  });

  it('servers of others stay when ours comes and goes', () => {
    for (const agent of ['claude', 'copilot', 'gemini', 'cursor'] as const) {
      const disk = new Disk();
      disk.apply(agent, 'hooks-and-server');
      disk.apply(agent, 'nothing');
      assert.deepEqual([...disk.files], [], agent);
    }
    const disk = new Disk();
    const text = '{\n  "mcpServers": {\n    "other": { "command": "x" } // theirs\n  }\n}\n';
    disk.files.set('/home/dev/.cursor/mcp.json', text);
    disk.apply('cursor', 'hooks-and-server');
    assert.match(disk.read('/home/dev/.cursor/mcp.json') ?? '', /\/\/ theirs[\s\S]*"lacuna"/);
    disk.apply('cursor', 'nothing');
    assert.equal(disk.read('/home/dev/.cursor/mcp.json'), text);
  });

  it('folders that the environment puts elsewhere are followed', () => {
    const environment = (name: string): string | null => (name === 'CODEX_HOME' ? '/srv/codex' : null);
    assert.equal(hookFileOf('codex', { ...place, environment }), '/srv/codex/hooks.json');
    assert.equal(hookFileOf('claude', { ...place, environment }), '/home/dev/.claude/settings.json');
  });

  it('on Windows the command file is called, without a shell of another system', () => {
    const windows: SetUpPlace = {
      ...place,
      platform: 'win32',
      launcher: 'C:\\Users\\dev\\AppData\\Local\\lacuna\\hook.cmd',
    };
    const text = JSON.stringify(AGENT_SET_UPS.copilot.hooks(windows));
    assert.match(text, /"powershell":"& \\"C:/);
    assert.doesNotMatch(text, /"bash"|exit 2/);
  });
});
