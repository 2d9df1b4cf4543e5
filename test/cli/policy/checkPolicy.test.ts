import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { answerer, CHECK_FLAGS, settingsOf } from '../../../src/cli/check.js';
import { parseArguments, type Io } from '../../../src/cli/io.js';

/** One policy, by layer a list of rules or a whole file, with traces and what `lacuna check --policy` must answer to them. */
interface Scenario {
  readonly note: string;
  readonly organisation?: unknown;
  readonly user?: unknown;
  readonly workspace?: unknown;
  /** Flags besides `--policy`; a sandbox is at hand unless they say otherwise. */
  readonly flags?: readonly string[];
  readonly tests: readonly Test[];
}

/** `[command or step or list of them, verdicts of the last step, rule that must be among the first named]`. */
type Test = readonly [string | object | readonly (string | object)[], string | readonly string[], string?];

interface Step {
  readonly verdict: string;
  readonly rules: readonly { readonly id: string }[];
  readonly reason: string;
}

const scenarios = parse(
  readFileSync(path.join(import.meta.dirname, 'checkPolicy.cases.yaml'), 'utf8'),
) as readonly Scenario[];

/** Keeps the machine's own git settings out. */
const GIT_ENVIRONMENT = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };

/** Files of the workspace that all scenarios share, committed but for those that `.gitignore` names. */
const FILES: Readonly<Record<string, string>> = {
  '.gitignore': '.env\nbuild/\n',
  '.env': 'KEY=1\n',
  'a.txt': 'a\n',
  'src/a.ts': 'export const a = 1;\n',
  'docs/café/menu.md': 'menu\n',
  'secrets/key.txt': 'k\n',
  'secrets/deep/more.txt': 'k\n',
  'infra/prod/main.tf': 'x\n',
  'infra/prod/.hidden': 'x\n',
  'infra/dev/main.tf': 'x\n',
  'odd/[x].txt': 'x\n',
  'scripts/clean.sh': 'rm -r data\n',
  'scripts/leak.sh': 'cat .env\n',
  'data/rows.csv': 'a,b\n',
  'package.json': JSON.stringify({
    scripts: { test: 'rm -r data && curl https://far.example/x', leak: 'cat .env', deploy: 'git push origin main' },
  }),
  Makefile: 'check:\n\tcurl https://far.example/x\nship:\n\tgit push origin main\n',
};

describe('policies through lacuna check', () => {
  let workspace = '';
  before(() => {
    workspace = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-policies-')));
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
      writeFileSync(path.join(workspace, name), text);
    }
    const git = (...args: string[]): unknown =>
      execFileSync('git', args, { cwd: workspace, env: GIT_ENVIRONMENT, stdio: 'pipe' });
    git('init', '-q', '-b', 'topic');
    git('remote', 'add', 'origin', 'https://git.example/acme/shop.git');
    git('add', '-A');
    git('-c', 'user.name=t', '-c', 'user.email=t@t.example', 'commit', '-qm', 'one');
  });
  after(() => rmSync(workspace, { recursive: true, force: true }));

  for (const scenario of scenarios)
    it(scenario.note, async () => {
      const judge = judgeUnder(scenario, workspace);
      const wrong: string[] = [];
      for (const [what, expected, rule] of scenario.tests) {
        const step = await judge(Array.isArray(what) ? (what as (string | object)[]) : [what as string | object]);
        const verdicts = Array.isArray(expected) ? (expected as string[]) : [expected];
        const named = step.rules.map(({ id }) => id);
        if (!verdicts.includes(step.verdict) || (rule !== undefined && !named.includes(rule)))
          wrong.push(
            `${JSON.stringify(what)}: ${step.verdict} by ${named.join(', ')}, not ${verdicts.join(' or ')} by ${rule ?? 'any'}. ${step.reason}`,
          );
      }
      assert.deepEqual(wrong, []);
    });
});

const quiet: Io = {
  out: () => undefined,
  error: () => undefined,
  async *lines() {
    yield* await Promise.resolve([]);
  },
  isInteractive: false,
};

type Judge = (steps: readonly (string | object)[]) => Promise<Step>;

/** Judges traces under the policies of a scenario; the answer is that of the last step. */
function judgeUnder(scenario: Scenario, workspace: string): Judge {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lacuna-policy-'));
  const flags = (['organisation', 'user', 'workspace'] as const).flatMap((layer) => {
    const content = scenario[layer];
    if (content === undefined) return [];
    const file = path.join(folder, `${layer}.yaml`);
    const spec = Array.isArray(content) ? { version: 1, rules: content } : { version: 1, ...content };
    writeFileSync(file, stringify(spec));
    return ['--policy', `${layer}=${file}`];
  });
  const given = [...flags, ...(scenario.flags ?? [])];
  const all = given.includes('--sandbox') ? given : [...given, '--sandbox', 'available'];
  const answer = answerer(settingsOf(parseArguments(all, CHECK_FLAGS)), quiet);
  return async (steps) => {
    const line = {
      id: 'x',
      request: 'go on',
      workspace,
      home: '/home/dev',
      steps: steps.map((step) =>
        typeof step === 'string' ? { kind: 'ExecuteShell', params: { command: step } } : step,
      ),
    };
    const said = (await answer(JSON.stringify(line))) as { steps: readonly Step[] } | { error: string };
    if ('error' in said) throw new Error(said.error);
    const last = said.steps.at(-1);
    assert.ok(last);
    return last;
  };
}
