// Measures what Lacuna costs, each thing against a yardstick measured in the same run, and prints one table.
//   npm run bench                 all that is done within a minute
//   npm run bench -- --all        the slow ones too
//   npm run bench -- --strict     exit code 1 when something is over its budget
//   CORPUS=file npm run bench -- corpus   one's own lines: JSON Lines with a command each
//   npm run bench -- cold hook    only the parts whose names hold one of these words
import { bench as analysis } from '../test/bench/analysis.js';
import type { BenchRow } from '../test/bench/benchRow.js';
import { bench as checkpoints } from '../test/bench/checkpoints.js';
import { bench as coldStart } from '../test/bench/coldStart.js';
import { bench as corpus } from '../test/bench/corpus.js';
import { bench as decisions } from '../test/bench/decisions.js';
import { bench as editorHost } from '../test/bench/editorHost.js';
import { bench as hookRoundTrip } from '../test/bench/hookRoundTrip.js';
import { bench as policies } from '../test/bench/policies.js';
import { bench as reviewer } from '../test/bench/reviewer.js';
import { bench as sandbox } from '../test/bench/sandbox.js';
import { main, say, step } from './say.js';

/** How much of the benchmarks runs. */
interface Extent {
  readonly isAll: boolean;
}

const PARTS: Readonly<Record<string, (extent: Extent) => Promise<readonly BenchRow[]>>> = {
  decisions,
  policies,
  analysis,
  corpus,
  'cold start and hook': coldStart,
  'editor host': editorHost,
  'hook through an engine': hookRoundTrip,
  reviewer,
  sandbox,
  // Plants 20,000 files, and lets git add them as often as rounds are asked for.
  checkpoints: ({ isAll }) => checkpoints(isAll ? 3 : 1),
};

const FLAGS = ['--all', '--strict'];

main(async () => {
  const given = process.argv.slice(2);
  const unknown = given.filter((arg) => arg.startsWith('-') && !FLAGS.includes(arg));
  if (unknown.length > 0) {
    say(`There is no flag ${unknown.join(', ')}. Flags: ${FLAGS.join(', ')}`);
    return 2;
  }
  const isAll = given.includes('--all');
  const words = given.filter((arg) => !arg.startsWith('-'));
  const rows: BenchRow[] = [];
  for (const [name, part] of Object.entries(PARTS)) {
    if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
    rows.push(...(await step(name, () => part({ isAll }))));
  }
  say('');
  for (const line of table(rows)) say(line);
  if (!isAll) say('\nThe longest session is measured with --all, and more rounds of checkpoints.');
  return given.includes('--strict') && rows.some(isOver) ? 1 : 0;
});

const isOver = ({ ratio, budget }: BenchRow): boolean => budget !== null && !(ratio <= budget);

const shown = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

function table(rows: readonly BenchRow[]): readonly string[] {
  const width = Math.max(4, ...rows.map(({ name }) => name.length));
  const line = (name: string, measured: string, budget: string, said: string): string =>
    `${name.padEnd(width)}  ${measured.padStart(9)}  ${budget.padStart(9)}  ${said}`.trimEnd();
  return [
    line('what', 'measured', 'budget', ''),
    ...rows.map((row) => {
      const { name, ratio, budget } = row;
      if (budget === null) return line(name, shown(ratio), '', '');
      return line(name, shown(ratio), shown(budget), isOver(row) ? 'over' : 'ok');
    }),
  ];
}
