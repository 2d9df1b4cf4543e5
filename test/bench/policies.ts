import { freshTerminal, type Analysis, type Effect, type SimpleCommand } from '../../src/core/effects/effect.js';
import type { Proposal } from '../../src/core/lacuna/lacuna.js';
import { compilePolicy, type CompiledPolicy } from '../../src/core/policy/compile.js';
import { decide } from '../../src/core/policy/decide.js';
import { decideOnce } from '../../src/core/policy/decideOnce.js';
import { defaultLayers } from '../../src/core/policy/load.js';
import type { RuleSpec } from '../../src/core/policy/schema.js';
import { contextOf } from '../../src/core/policy/testing/testCase.js';
import type { BenchRow } from './benchRow.js';
import { median } from './quantile.js';

const ROUNDS = 60;
const WARM_UP = 20;
const context = contextOf({ when: { kind: 'ExecuteShell', params: {} }, expect: 'allow' });

/** Rules as people write them, on paths, commands, hosts, packages, tools and refs in turn. None is like another. */
function rules(count: number): readonly RuleSpec[] {
  return Array.from({ length: count }, (_, index): RuleSpec => {
    const id = `rule-${String(index)}`;
    const name = `n${String(index)}`;
    switch (index % 8) {
      case 0:
        return { id, match: { effect: { op: ['write', 'delete'], path: `${name}/**` } }, verdict: 'ask' };
      case 1:
        return { id, match: { command: `${name} deploy **` }, verdict: 'deny' };
      case 2:
        return { id, match: { effect: { host: `*.${name}.example` } }, verdict: 'allow' };
      case 3:
        return { id, match: { effect: { op: 'install', package: `npm:${name}` } }, verdict: 'deny' };
      case 4:
        return { id, match: { kind: 'CallTool', tool: `${name}.create_*` }, verdict: 'ask' };
      case 5:
        return { id, match: { effect: { op: 'write', ref: `${name}/*`, remote: '*' } }, verdict: 'deny' };
      case 6:
        return { id, match: { command: `git push ** ${name}` }, verdict: 'ask' };
      default:
        return { id, match: { effect: { op: 'read', path: `**/${name}.dump` } }, verdict: 'ask' };
    }
  });
}

const compiled = (count: number): CompiledPolicy =>
  compilePolicy({
    ...defaultLayers(),
    workspace: [{ source: '.lacuna/policy.yaml', spec: { version: 1, rules: [...rules(count)] } }],
  });

/** A line of one command with effects on a path, a program, a host and a branch. */
function subject(index: number): { readonly proposal: Proposal; readonly analysis: Analysis } {
  const text = (word: string): SimpleCommand['argv'][number] => ({
    text: word,
    raw: word,
    certainty: 'exact',
    quoted: false,
  });
  const command: SimpleCommand = {
    program: 'git',
    argv: ['git', 'push', 'origin', `topic${String(index)}`].map(text),
    carrier: null,
    pipeline: 0,
    stage: 0,
    cwd: context.anchors.roots[0] ?? null,
    wrappers: [],
  };
  const effect = (op: Effect['op'], resource: Effect['resource']): Effect => ({
    op,
    resource,
    certainty: 'exact',
    reversible: 'checkpoint',
    traits: [],
    command: 0,
    note: '',
  });
  const path = (name: string): Effect['resource'] => ({
    type: 'path',
    path: `/home/dev/project/${name}`,
    place: 'workspace',
    git: 'tracked',
  });
  return {
    proposal: { kind: 'ExecuteShell', params: { command: command.argv.map(({ raw }) => raw).join(' ') } },
    analysis: {
      commands: [command],
      flows: [],
      terminal: freshTerminal(null),
      effects: [
        effect('execute', { type: 'process', process: 'git' }),
        effect('read', path(`src/part${String(index)}.ts`)),
        effect('write', path(`n${String(8 * index)}/a.ts`)),
        effect('write', { type: 'ref', remote: 'origin', ref: `topic${String(index)}` }),
        effect('network', { type: 'url', url: '', host: 'git.example', port: 443, method: null }),
      ],
    },
  };
}

/** Microseconds of decisions under each policy, the median of many; the policies take turns, so that all run the same code. */
function decisions(policies: readonly CompiledPolicy[]): readonly number[] {
  const micros = policies.map((): number[] => []);
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1)
    for (const [which, policy] of policies.entries())
      for (let index = 0; index < 20; index += 1) {
        const { proposal, analysis } = subject(index);
        const start = process.hrtime.bigint();
        decide(policy, proposal, analysis, context);
        if (round >= WARM_UP) micros[which]?.push(Number(process.hrtime.bigint() - start) / 1000);
      }
  return micros.map(median);
}

/** Milliseconds until a policy of 1,000 rules can decide, each time with fresh rules. */
function compiling(): number {
  const millis = Array.from({ length: 25 }, () => {
    const start = process.hrtime.bigint();
    const policy = compiled(1000);
    const { proposal, analysis } = subject(1);
    decide(policy, proposal, analysis, context);
    return Number(process.hrtime.bigint() - start) / 1e6;
  });
  return median(millis.slice(5));
}

/** What a live session pays for a decision that it has just taken, over what it costs the first time. */
function again(): number {
  const times = { first: [] as number[], again: [] as number[] };
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const policy = compiled(20);
    for (const which of ['first', 'again'] as const) {
      const { proposal, analysis } = subject(round);
      const start = process.hrtime.bigint();
      decideOnce(policy, proposal, analysis, context);
      if (round >= WARM_UP) times[which].push(Number(process.hrtime.bigint() - start) / 1000);
    }
  }
  return median(times.again) / median(times.first);
}

/** What many rules cost: a decision under 1,000 against one under 20, and compiling 1,000. */
export function bench(): Promise<readonly BenchRow[]> {
  const [few = NaN, many = NaN] = decisions([compiled(20), compiled(1000)]);
  return Promise.resolve([
    { name: 'decision under 1,000 rules: × 20 rules', ratio: many / few, budget: 2 },
    { name: 'decision on what was just decided: × first', ratio: again(), budget: null },
    { name: 'compiling 1,000 rules, ms', ratio: compiling(), budget: 150 },
  ]);
}
