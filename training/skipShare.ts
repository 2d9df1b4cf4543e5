// How many steps of recorded sessions would be put to the reviewer: npx tsx training/skipShare.ts SESSIONS_JSONL
import { readFileSync } from 'node:fs';
import { casesOf } from '../src/cli/evalCorpus.js';
import { reviewInputOf } from '../src/core/review/input.js';
import { skipReason } from '../src/core/review/need.js';
import { Judging } from './judging.js';

async function main(): Promise<void> {
  const [file = ''] = process.argv.slice(2);
  const judging = new Judging();
  const count = { steps: 0, reviewed: 0, commands: 0, reviewedCommands: 0 };
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const [labelled] = casesOf(line, { folder: '/nowhere', group: null, makeFolder: () => undefined });
    if (labelled === undefined) continue;
    for (const step of await judging.steps(labelled.trace)) {
      const isReviewed = skipReason(reviewInputOf(step.judged, step.state, step.nowMs)) === null;
      const isCommand = step.judged.lacuna.kind === 'ExecuteShell';
      count.steps += 1;
      count.reviewed += isReviewed ? 1 : 0;
      count.commands += isCommand ? 1 : 0;
      count.reviewedCommands += isReviewed && isCommand ? 1 : 0;
    }
  }
  const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
  process.stdout.write(
    `${String(count.steps)} steps, ${share(count.reviewed, count.steps)} reviewed; ${String(count.commands)} commands, ${share(count.reviewedCommands, count.commands)} reviewed\n`,
  );
}

void main();
