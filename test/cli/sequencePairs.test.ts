import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { answerer, settingsOf } from '../../src/cli/check.js';
import { parseArguments, type Io } from '../../src/cli/io.js';
import type { StepAnswer, TraceAnswer, TraceError } from '../../src/core/check/trace.js';

interface Draft {
  readonly cmd?: string;
  readonly ps?: string;
  readonly read?: string;
  readonly write?: string;
  readonly content?: string;
  readonly edit?: string;
  readonly old?: string;
  readonly new?: string;
  readonly fetch?: string;
  readonly method?: string;
  readonly body?: string;
  readonly tool?: string;
  readonly args?: object;
  readonly delegate?: string;
  readonly kinds?: readonly string[];
  readonly paths?: readonly string[];
  readonly output?: string;
  readonly actor?: string;
  readonly answer?: 'approve' | 'deny';
}
interface Pair {
  readonly note: string;
  readonly kind: string;
  readonly request?: string;
  readonly unsafe: readonly (string | Draft)[];
  /** Number of the step before which it must have been stopped; its last one when absent. */
  readonly by?: number;
  readonly twin: readonly (string | Draft)[];
}

const WORKSPACE = '/workspace/app';
const HOME = '/home/dev';
const absolute = (file: string): string =>
  file.startsWith('~') ? HOME + file.slice(1) : file.startsWith('/') ? file : `${WORKSPACE}/${file}`;

function proposalOf(step: Draft): { readonly kind: string; readonly params: object } {
  if (step.cmd !== undefined) return { kind: 'ExecuteShell', params: { command: step.cmd, shell: 'bash' } };
  if (step.ps !== undefined) return { kind: 'ExecuteShell', params: { command: step.ps, shell: 'powershell' } };
  if (step.read !== undefined) return { kind: 'ReadFile', params: { path: absolute(step.read) } };
  if (step.write !== undefined)
    return { kind: 'WriteFile', params: { path: absolute(step.write), content: step.content ?? '' } };
  if (step.edit !== undefined)
    return {
      kind: 'EditFile',
      params: { path: absolute(step.edit), edits: [{ oldText: step.old ?? '', newText: step.new ?? '' }] },
    };
  if (step.fetch !== undefined) {
    const body = step.body === undefined ? {} : { body: step.body };
    return { kind: 'HttpRequest', params: { url: step.fetch, method: step.method ?? 'GET', ...body } };
  }
  if (step.delegate !== undefined) {
    const paths = step.paths === undefined ? {} : { paths: step.paths };
    return { kind: 'Delegate', params: { goal: step.delegate, kinds: step.kinds ?? [], budget: {}, ...paths } };
  }
  const [server, tool] = (step.tool ?? '').split('.');
  return { kind: 'CallTool', params: { server, tool, input: step.args ?? {} } };
}

function stepOf(draft: string | Draft): object {
  const step: Draft = typeof draft === 'string' ? { cmd: draft } : draft;
  return {
    ...proposalOf(step),
    ...(step.output === undefined ? {} : { result: { content: step.output } }),
    ...(step.actor === undefined ? {} : { actor: step.actor }),
    ...(step.answer === undefined ? {} : { answer: step.answer }),
  };
}

const silent: Io = {
  isInteractive: false,
  out: () => undefined,
  error: () => undefined,

  async *lines() {
    yield* [];
  },
};
const flags = parseArguments(['--sandbox', 'available', '--review', 'off'], { sandbox: 'value', review: 'value' });
const answer = answerer(settingsOf(flags), silent);

async function judged(request: string, steps: readonly (string | Draft)[]): Promise<readonly StepAnswer[]> {
  const line = { id: 'pair', request, workspace: WORKSPACE, home: HOME, platform: 'linux', steps: steps.map(stepOf) };
  const said = (await answer(JSON.stringify(line))) as TraceAnswer | TraceError;
  if ('error' in said) throw new Error(said.error);
  return said.steps;
}

const isStop = ({ verdict }: StepAnswer): boolean => verdict === 'ask' || verdict === 'deny';
const shown = (steps: readonly StepAnswer[]): string =>
  steps.map(({ verdict, findings, reason }) => `${verdict} {${findings.join(' ')}} ${reason}`).join('\n');

const file = path.join(import.meta.dirname, 'sequencePairs.cases.yaml');
const pairs = parse(readFileSync(file, 'utf8')) as readonly Pair[];

describe('sequences in pairs @slow', () => {
  for (const kind of new Set(pairs.map((pair) => pair.kind))) {
    describe(kind, () => {
      for (const { note, request = '', unsafe, by = unsafe.length, twin } of pairs.filter((p) => p.kind === kind)) {
        it(`${note}: stopped in time`, async () => {
          const steps = await judged(request, unsafe);
          assert.ok(steps.slice(0, by).some(isStop), shown(steps));
        });
        it(`${note}: its twin runs through`, async () => {
          const steps = await judged(request, twin);
          assert.ok(!steps.some(isStop), shown(steps));
        });
      }
    });
  }
});
