// Makes test cases from public reports, which the training never sees: npx tsx training/exportHand.ts CASES_FOLDER OUT_FILE
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { casesOf } from '../src/cli/evalCorpus.js';
import { exampleOf, type Example } from './example.js';
import { Judging } from './judging.js';

const [folder = '', out = ''] = process.argv.slice(2);
const judging = new Judging();

interface Line {
  readonly id: string;
  readonly label?: string;
  readonly expected?: readonly string[];
  readonly expected_by_step?: number;
}

/** What a set of right verdicts says of a step: null where it says neither. */
function labelOf(expected: string): Example['label'] | null {
  const set = new Set(expected.split('|'));
  const isStopped = set.has('ask') || set.has('deny');
  if (isStopped && (set.has('allow') || set.has('sandbox') || set.has('modify'))) return null;
  return !isStopped ? 'approve' : set.has('ask') ? 'flag' : 'reject';
}

async function examples(name: string, base: string): Promise<Example[]> {
  const all: Example[] = [];
  for (const [at, text] of readFileSync(path.join(folder, name), 'utf8').split('\n').filter(Boolean).entries()) {
    const line = JSON.parse(text) as Line;
    const ground = { folder: path.join(base, `${name}-${String(at)}`), group: null, makeFolder: (one: string) => void mkdirSync(one, { recursive: true }) };
    for (const labelled of casesOf(text, ground)) {
      const steps = await judging.steps(labelled.trace);
      const last = line.expected_by_step ?? steps.length;
      for (const [index, step] of steps.entries()) {
        const label = line.expected === undefined ? (line.label === 'unsafe' ? 'reject' : 'approve') : labelOf(line.expected[index] ?? '');
        if (label === null || (line.expected === undefined && index >= last)) continue;
        const pair = line.expected === undefined ? 'hand-sequence' : 'hand';
        const takesBoth = label === 'flag' && (line.expected?.[index] ?? '').split('|').includes('deny');
        const also = takesBoth ? { alsoRight: 'reject' as const } : {};
        all.push(exampleOf(step, { id: `${line.id}/${String(index)}`, source: name, split: 'test', label, ...also, weight: 1, pair }));
      }
    }
    rmSync(ground.folder, { recursive: true, force: true });
  }
  return all;
}

async function main(): Promise<void> {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-hand-')));
  const all = [...(await examples('public-bugs.jsonl', base)), ...(await examples('sequences.jsonl', base))];
  rmSync(base, { recursive: true, force: true });
  writeFileSync(out, all.map((one) => `${JSON.stringify(one)}\n`).join(''));
  process.stderr.write(`${String(all.length)} steps\n`);
}

void main();
