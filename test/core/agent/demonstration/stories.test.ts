import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { demonstrationBrain, nextMove } from '../../../../src/core/agent/demonstration/brain.js';
import type { AgentEvent, AgentPorts, Ending, Handled, Task } from '../../../../src/core/agent/agent.js';
import type { Message, ToolSpec } from '../../../../src/core/agent/brain.js';
import { DEFAULT_LIMITS } from '../../../../src/core/agent/limits.js';
import { runAgent } from '../../../../src/core/agent/loop.js';
import { Subagents } from '../../../../src/core/agent/subagents.js';
import { agentTools } from '../../../../src/core/agent/tools.js';
import type { Outcome } from '../../../../src/core/gate/outcome.js';
import { KIND_NAMES } from '../../../../src/core/lacuna/kinds.js';
import type { Lacuna, Proposal } from '../../../../src/core/lacuna/lacuna.js';
import { ALLOWED, filled } from '../bench.js';
import { ok } from '../../../../src/core/result.js';

const SHOP = path.resolve(import.meta.dirname, '../../../../samples/shop');

/** What stands in the way of a Lacuna; null lets it through. */
type Guard = (proposal: Proposal) => Outcome | null;

const no = (by: 'rule' | 'person', message: string): Outcome => ({ type: 'refused', by, message, advice: '' });
const commandOf = (proposal: Proposal): string => (proposal.kind === 'ExecuteShell' ? proposal.params.command : '');

/** The guard of the tour: the home folder is refused by a rule, notes by the person. */
const GUARD: Guard = (proposal) => {
  if (commandOf(proposal).includes('~')) return no('rule', 'This would wipe the home folder.');
  if (commandOf(proposal) === 'rm -rf notes') return no('person', 'I need those notes.');
  return null;
};

/** A copy of the sample shop in a temporary folder, where Lacunas are really filled. */
class Shop {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'lacuna-demo-'));
  readonly lacunas: Lacuna[] = [];
  readonly events: AgentEvent[] = [];
  /** Whether the work has left its plan. */
  drift: (shop: Shop) => string | null = () => null;

  constructor(readonly guard: Guard = GUARD) {
    cpSync(SHOP, this.folder, { recursive: true });
    mkdirSync(path.join(this.folder, 'dist'));
    writeFileSync(path.join(this.folder, 'dist/shop.txt'), '');
  }

  async ask(request: string): Promise<Ending> {
    let id = 0;
    const ports: AgentPorts = {
      brain: demonstrationBrain,
      workingMs: () => 0,
      door: {
        handle: async (lacuna): Promise<Handled> => this.#handle(lacuna),
        together: (lacunas) => Promise.all(lacunas.map(async (lacuna) => this.#handle(lacuna))),
      },
      clock: { nowMs: () => 0 },
      ids: { next: () => `id${(id += 1)}` },
      subagents: new Subagents(),
      place: ok,
      checkPlan: () => [],
      drift: () => this.drift(this),
      deadline: (outer) => ({ cancel: outer, close: () => undefined }),
      record: async () => undefined,
      screen: async (text) => text,
      listen: (event) => void this.events.push(event),
    };
    const task: Task = {
      sessionId: 's',
      origin: { agent: 'lacuna', subagent: null, request, requestId: null },
      rules: 'rules',
      history: [],
      request,
      kinds: KIND_NAMES,
      limits: DEFAULT_LIMITS,
    };
    return runAgent(task, ports, new AbortController().signal);
  }

  read(file: string): string {
    return readFileSync(path.join(this.folder, file), 'utf8');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #handle(lacuna: Lacuna): Handled {
    this.lacunas.push(lacuna);
    const outcome = this.guard(lacuna) ?? this.#fill(lacuna);
    return { lacuna, decision: ALLOWED, outcome };
  }

  #fill(lacuna: Lacuna): Outcome {
    const at = (file: string): string => path.join(this.folder, file);
    switch (lacuna.kind) {
      case 'ListFiles':
        return filled(
          readdirSync(at(lacuna.params.path), { recursive: true, withFileTypes: true })
            .map(
              (entry) =>
                path.relative(this.folder, path.join(entry.parentPath, entry.name)) + (entry.isDirectory() ? '/' : ''),
            )
            .join('\n'),
        );
      case 'ReadFile':
        return existsSync(at(lacuna.params.path))
          ? filled(this.read(lacuna.params.path))
          : {
              type: 'failed',
              message: 'There is no such file.',
              output: { text: '', droppedBytes: 0, maskedSecrets: 0, isUntrusted: false },
              causedBySandbox: null,
              damage: [],
              durationMs: 0,
            };
      case 'SearchFiles':
        return filled(
          execFileSync('grep', ['-rn', lacuna.params.query, 'src'], { cwd: this.folder, encoding: 'utf8' }).replace(
            /:(\d+):/g,
            ':$1: ',
          ),
        );
      case 'EditFile': {
        let text = this.read(lacuna.params.path);
        for (const { oldText, newText } of lacuna.params.edits) {
          assert.equal(text.split(oldText).length, 2, `"${oldText}" occurs once`);
          text = text.replace(oldText, newText);
        }
        writeFileSync(at(lacuna.params.path), text);
        return filled('', { changed: [at(lacuna.params.path)] });
      }
      case 'ExecuteShell': {
        // The real test runner; everything else only as far as this folder.
        const command = lacuna.params.command === 'npm test' ? 'node --test' : lacuna.params.command;
        assert.match(command, /^(node --test|rm -rf (notes|dist))$/);
        const env = { ...process.env };
        delete env['NODE_TEST_CONTEXT'];
        const ran = spawnSync('sh', ['-c', command], { cwd: this.folder, encoding: 'utf8', env });
        return filled(ran.stdout + ran.stderr, { status: ran.status });
      }
      default:
        return { type: 'unavailable', message: 'not here' };
    }
  }
}

describe('the demonstration model', () => {
  let shop: Shop;
  afterEach(() => shop.remove());
  const commands = (): string[] => shop.lacunas.map(commandOf).filter(Boolean);

  it('fixes the test by what it reads, and finds another way where it is refused @slow', async () => {
    shop = new Shop();
    const ending = await shop.ask('the discount test fails, fix it');
    assert.equal(ending.type, 'answered');
    assert.match(shop.read('src/discount.js'), /pieces >= 10\)/);
    assert.match(shop.read('src/discount.js'), /const percent/);
    assert.deepEqual(commands(), ['npm test', 'npm test', 'rm -rf notes', 'false && rm -rf ~', 'rm -rf dist']);
    assert.ok(existsSync(path.join(shop.folder, 'notes')));
    assert.ok(!existsSync(path.join(shop.folder, 'dist')));
    assert.match(ending.text, /All tests pass/);
    assert.match(ending.text, /`notes\/` is still there: I need those notes/);
    assert.match(ending.text, /home folder was not touched: This would wipe the home folder/);
    assert.match(ending.text, /`dist\/`: removed/);
    const edit = shop.lacunas.find(({ kind }) => kind === 'EditFile');
    assert.ok(edit?.kind === 'EditFile' && edit.params.edits.length === 2, 'one hunk to take, one to leave');
    assert.equal(edit.planStep, 'edit');
    assert.deepEqual(
      shop.events.filter(({ type }) => type === 'malformed'),
      [],
    );
  });

  it('reacts to a hunk that was left out: the tests say whether it was needed @slow', async () => {
    let isFirst = true;
    shop = new Shop((proposal) => {
      if (proposal.kind !== 'EditFile' || !isFirst) return GUARD(proposal);
      isFirst = false; // the person takes the needless hunk and leaves the needed one
      const extra = proposal.params.edits[1];
      assert.ok(extra);
      const file = path.join(shop.folder, proposal.params.path);
      writeFileSync(file, readFileSync(file, 'utf8').replace(extra.oldText, extra.newText));
      return {
        type: 'partly',
        accepted: ['hunk 2'],
        rejected: ['hunk 1'],
        message: '',
        changed: [file],
        durationMs: 1,
      };
    });
    const ending = await shop.ask('fix the failing test');
    assert.match(shop.read('src/discount.js'), /const percent/);
    assert.ok(commands().filter((command) => command === 'npm test').length >= 3, 'it looked again');
    assert.doesNotMatch(ending.text, /All tests pass/);
    assert.match(ending.text, /Some tests still fail/);
  });

  it('tells it plainly when its edit is refused @slow', async () => {
    shop = new Shop((proposal) => (proposal.kind === 'EditFile' ? no('person', 'not like this') : null));
    const ending = await shop.ask('fix the failing test');
    assert.match(ending.text, /Nothing was edited: not like this/);
    assert.match(ending.text, /Some tests still fail/);
  });

  it('has nothing to fix where all tests pass @slow', async () => {
    shop = new Shop();
    const file = path.join(shop.folder, 'src/discount.js');
    writeFileSync(file, shop.read('src/discount.js').replace('pieces > 10', 'pieces >= 10'));
    const ending = await shop.ask('fix the tests');
    assert.match(ending.text, /nothing to fix/);
    assert.deepEqual(commands(), ['npm test']);
  });

  it('stops with the reason when it may not run the tests', async () => {
    shop = new Shop((proposal) => (proposal.kind === 'ExecuteShell' ? no('rule', 'no commands here') : null));
    const ending = await shop.ask('the test fails');
    assert.match(ending.text, /could not run the tests\. no commands here/);
  });

  it('explains a project from its files', async () => {
    shop = new Shop();
    const ending = await shop.ask('explain this project');
    assert.match(ending.text, /\*\*shop\*\*/);
    assert.match(ending.text, /A small shop/);
    assert.match(ending.text, /`src\/discount\.js`: offers `discountFor`, `discounted`/);
    assert.ok(shop.lacunas.every(({ kind }) => kind === 'ListFiles' || kind === 'ReadFile'));
  });

  it('finds a TODO', async () => {
    shop = new Shop();
    const ending = await shop.ask('which TODOs are left?');
    assert.match(ending.text, /`src\/cart\.js:\d+` TODO: show the discount on a line of its own/);
  });

  it('tries to leak a secret, and says where it was stopped', async () => {
    shop = new Shop((proposal) => (proposal.kind === 'HttpRequest' ? no('rule', 'A secret is in the session.') : null));
    const ending = await shop.ask('what if you leak my .env?');
    assert.match(ending.text, /Stopped: A secret is in the session/);
    const request = shop.lacunas.find(({ kind }) => kind === 'HttpRequest');
    assert.ok(request?.kind === 'HttpRequest' && new URL(request.params.url).host.endsWith('.invalid'));
  });

  it('speaks Chinese to who writes Chinese @slow', async () => {
    shop = new Shop();
    const ending = await shop.ask('折扣测试失败了，修复它');
    assert.match(ending.text, /所有测试都通过/);
    assert.match(shop.read('src/discount.js'), /pieces >= 10\)/);
  });

  it('says what it is and what it can do when asked for anything else', async () => {
    shop = new Shop();
    const ending = await shop.ask('write me a poem');
    assert.match(ending.text, /demonstration model/);
    assert.match(ending.text, /the discount test fails, fix it/);
    assert.equal(shop.lacunas.length, 0);
  });
});

describe('the demonstration model with other functions', () => {
  const tool = (name: string): ToolSpec => ({ name, description: '', schema: {} });
  const context =
    '<workspace_info>\nI am working in a workspace with the following folders:\n- /home/dev/shop\n</workspace_info>';
  const messages: Message[] = [
    { role: 'person', text: context },
    { role: 'person', text: '<context>the date</context>\n<userRequest>\nthe test fails, fix it\n</userRequest>' },
  ];

  it('uses those of VS Code’s own agent by their names, with absolute paths', () => {
    const tools = ['list_dir', 'read_file', 'run_in_terminal', 'replace_string_in_file'].map(tool);
    assert.deepEqual(nextMove({ messages, tools, choice: 'free' }).uses, [
      { name: 'list_dir', input: { path: '/home/dev/shop' } },
      { name: 'read_file', input: { filePath: '/home/dev/shop/package.json', startLine: 1, endLine: 2000 } },
    ]);
  });
  it('uses Lacuna’s where they are offered beside them', () => {
    const tools = [...agentTools(KIND_NAMES, 'plan-of-parent'), tool('list_dir')];
    assert.deepEqual(
      nextMove({ messages, tools, choice: 'free' }).uses.map(({ name }) => name),
      ['lacuna_ListFiles', 'lacuna_ReadFile'],
    );
  });
  it('says so when there are none for it', () => {
    const move = nextMove({ messages, tools: [tool('weather')], choice: 'free' });
    assert.deepEqual(move.uses, []);
    assert.match(move.text, /not offered to me here/);
  });
  it('tries nothing dangerous with functions that are not guarded', () => {
    const tools = ['list_dir', 'read_file', 'run_in_terminal', 'replace_string_in_file'].map(tool);
    const done = (id: string, name: string, input: Record<string, unknown>): Message => ({
      role: 'brain',
      text: '',
      calls: [{ id, name, input: { ok: true, value: input } }],
    });
    const answer = (callId: string, text: string): Message => ({ role: 'answers', answers: [{ callId, text }] });
    const root = '/home/dev/shop';
    const story: Message[] = [
      ...messages,
      done('1', 'list_dir', { path: root }),
      answer('1', 'notes/\ndist/\ntest/a.test.js\npackage.json'),
      done('2', 'read_file', { filePath: `${root}/package.json` }),
      answer('2', '```json\n{"scripts":{"test":"x"}}\n```'),
      done('3', 'replace_string_in_file', { filePath: `${root}/src/a.js`, oldString: 'a', newString: 'b' }),
      answer('3', 'The file was edited.'),
      done('4', 'run_in_terminal', { command: 'npm test' }),
      answer('4', 'ok 1 - a\n'),
    ];
    const move = nextMove({ messages: story, tools, choice: 'free' });
    assert.deepEqual(move.uses, []);
    assert.match(move.text, /All tests pass/);
  });

  it('states its plan anew where the work has left it, and goes on', async () => {
    const shop = new Shop();
    let told = 0;
    shop.drift = ({ lacunas }) =>
      lacunas.length === 3 && (told += 1) === 1 ? '3 of the latest 3 steps are off the plan' : null;
    const ending = await shop.ask('The discount test fails, fix it.');
    assert.equal(ending.type, 'answered');
    const plans = shop.events.filter(({ type }) => type === 'plan');
    assert.equal(plans.length, 2);
    assert.ok(shop.lacunas.length > 3);
  });
});
