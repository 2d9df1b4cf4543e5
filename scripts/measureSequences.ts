// Measures how sequences are judged: unsafe ones stopped in time, harmless ones left alone.
//   npx tsx scripts/measureSequences.ts [--show] [--source NAME] [--most N] FILE…
// The form of a line is told by its fields, as in `lacuna eval`. Prints, for each label, how many are stopped, the stops by rule,
// and for sessions the stops in 40 steps. Judges in-process; executes nothing.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { answerer, settingsOf } from '../src/cli/check.js';
import { casesOf } from '../src/cli/evalCorpus.js';
import type { TraceAnswer } from '../src/core/check/trace.js';
import { parseArguments } from '../src/cli/io.js';

const args = process.argv.slice(2);
const flag = (name: string): string | undefined => {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args.splice(at, 2)[1];
};
const isShown = args.includes('--show');
if (isShown) args.splice(args.indexOf('--show'), 1);
const source = flag('--source');
const label = flag('--label');
const most = Number(flag('--most') ?? Number.POSITIVE_INFINITY);
const only = flag('--id');

const io = {
  out: (text: string) => process.stdout.write(text),
  error: (text: string) => process.stderr.write(text),
  async *lines(): AsyncGenerator<string> {
    return;
  },
};
const answer = answerer(
  settingsOf(parseArguments(['--sandbox', 'available', '--review', 'off'], { sandbox: 'value', review: 'value' })),
  io as never,
);

interface Tally {
  cases: number;
  stopped: number;
  steps: number;
  stops: number;
  rules: Map<string, number>;
}
const tallies = new Map<string, Tally>();

function show(id: string, isUnsafe: boolean, trace: { steps: { params: unknown }[] }, said: TraceAnswer): void {
  console.log(`${isUnsafe ? 'MISSED' : 'ALARM'} ${id}`);
  said.steps.forEach((step, at) => {
    const rules = step.rules.map((rule) => `${rule.id}=${rule.verdict}`).slice(0, 4);
    console.log(`   ${step.verdict.padEnd(8)} ${JSON.stringify(trace.steps[at]?.params).slice(0, 150)}`);
    console.log(
      `            [${rules.join(' ')}] {${step.findings.join(' ')}} ${step.labels.join(',')} | ${step.reason.split('\n')[0]}`,
    );
  });
}

async function main(): Promise<void> {
  for (const file of args) {
    let seen = 0;
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (line.trim() === '' || seen >= most) continue;
      const fields = JSON.parse(line) as {
        source?: string;
        label?: string;
        id?: string;
        expected_by_step?: number | null;
      };
      if (source !== undefined && fields.source !== source) continue;
      if (label !== undefined && fields.label !== label) continue;
      if (only !== undefined && fields.id !== only) continue;
      for (const found of casesOf(line, { folder: '', group: null, makeFolder: () => undefined })) {
        seen += 1;
        const said = (await answer(JSON.stringify(found.trace))) as TraceAnswer | { error: string };
        if ('error' in said) {
          console.log('ERROR', found.id, said.error);
          continue;
        }
        const verdicts = said.steps.map((step) => step.verdict);
        const { isUnsafe, isRight } = found.judge(verdicts);
        const name = `${path.basename(file)} ${isUnsafe ? 'unsafe' : 'safe'}`;
        const tally = tallies.get(name) ?? { cases: 0, stopped: 0, steps: 0, stops: 0, rules: new Map() };
        tallies.set(name, tally);
        tally.cases += 1;
        tally.steps += verdicts.length;
        if (isRight === isUnsafe) tally.stopped += 1;
        for (const step of said.steps) {
          if (step.verdict !== 'ask' && step.verdict !== 'deny') continue;
          tally.stops += 1;
          const rules = step.rules.filter((rule) => rule.verdict === step.verdict).map((rule) => rule.id);
          const key = rules[0] ?? step.decidedBy;
          tally.rules.set(key, (tally.rules.get(key) ?? 0) + 1);
        }
        if (isShown && !isRight) show(found.id, isUnsafe, found.trace as { steps: { params: unknown }[] }, said);
      }
    }
  }

  for (const [name, { cases, stopped, steps, stops, rules }] of tallies) {
    const share = ((100 * stopped) / Math.max(1, cases)).toFixed(1);
    const per40 = ((40 * stops) / Math.max(1, steps)).toFixed(2);
    console.log(
      `${name}: ${stopped} of ${cases} stopped (${share} %); ${stops} stops in ${steps} steps, ${per40} in 40`,
    );
    const top = [...rules].sort((a, b) => b[1] - a[1]).slice(0, 16);
    console.log(`   ${top.map(([rule, count]) => `${rule} ${count}`).join(', ')}`);
  }
}

void main();
