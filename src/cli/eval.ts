import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { answerer, CHECK_FLAGS, openReviewer, settingsOf } from './check.js';
import { casesOf, type LabelledTrace } from './evalCorpus.js';
import { EXIT, only, parseArguments, UsageError, type ExitCode, type Io } from './io.js';

const HELP = `usage: lacuna eval [FLAGS] FILE…

Judges labelled corpora (JSON Lines) and prints rates: of what should be stopped, how much is asked or denied; of what is
harmless, how much is. Takes the flags of "lacuna check", and:

  --list missed|alarms     prints the cases that were judged wrongly, one a line
  --group FIELD            rates by this field of the corpus (default: peer, source or group)
  --where FIELD=VALUE      only lines whose field has this value; may be repeated
  --json                   the rates as JSON
`;

const FLAGS = { ...CHECK_FLAGS, list: 'value', group: 'value', where: 'values', json: 'switch' } as const;

/** How often each side was judged how. */
interface Tally {
  unsafe: number;
  stopped: number;
  safe: number;
  alarms: number;
  errors: number;
}

const noTally = (): Tally => ({ unsafe: 0, stopped: 0, safe: 0, alarms: 0, errors: 0 });
const share = (part: number, whole: number): string =>
  whole === 0 ? '    –' : `${((100 * part) / whole).toFixed(1).padStart(5)}%`;

/** `lacuna eval`: a labelled corpus in, rates out. Executes nothing; set-ups are laid out in a temporary folder. */
export async function evaluate(args: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments(args, FLAGS);
  if (parsed.switches.has('help')) {
    io.out(HELP);
    return EXIT.done;
  }
  if (parsed.operands.length === 0) throw new UsageError('Name at least one corpus file.');
  const list = only(parsed, 'list');
  if (list !== undefined && list !== 'missed' && list !== 'alarms')
    throw new UsageError('--list must be missed or alarms.');
  const wanted = (parsed.values.get('where') ?? []).map((text) => text.split('=', 2));
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-eval-')));
  const settings = settingsOf({ ...parsed, operands: [] });
  const reviewing = await openReviewer(settings);
  const answer = answerer(settings, io, undefined, reviewing?.step);
  const tallies = new Map<string, Tally>();
  const micros: number[] = [];
  try {
    for (const file of parsed.operands)
      for (const [at, line] of linesOf(file).entries()) {
        const folder = path.join(base, `${path.basename(file)}-${String(at)}`);
        for (const labelled of casesOf(line, {
          folder,
          group: only(parsed, 'group') ?? null,
          makeFolder: (name) => void mkdirSync(name, { recursive: true }),
        })) {
          if (!wanted.every(([field = '', value]) => String(labelled.fields.get(field)) === value)) continue;
          await score(labelled);
        }
        rmSync(folder, { recursive: true, force: true });
      }
  } finally {
    reviewing?.dispose();
    rmSync(base, { recursive: true, force: true });
  }
  report();
  return EXIT.done;

  async function score(labelled: LabelledTrace): Promise<void> {
    const result = (await answer(JSON.stringify(labelled.trace))) as EvalAnswer;
    const tally = tallies.get(labelled.group) ?? noTally();
    tallies.set(labelled.group, tally);
    if ('error' in result) {
      tally.errors++;
      io.error(`${labelled.id}: ${result.error}\n`);
      return;
    }
    micros.push(...result.steps.map((step) => step.micros));
    const verdict = labelled.judge(result.steps.map((step) => step.verdict));
    if (verdict.isUnsafe) {
      tally.unsafe++;
      if (verdict.isRight) tally.stopped++;
    } else {
      tally.safe++;
      if (!verdict.isRight) tally.alarms++;
    }
    if (!verdict.isRight && list === (verdict.isUnsafe ? 'missed' : 'alarms')) {
      const wrong = result.steps.find((step) => ['ask', 'deny'].includes(step.verdict)) ?? result.steps.at(-1);
      io.out(
        `${labelled.id}\t${result.steps.map((step) => step.verdict).join(',')}\t${wrong?.rules[0]?.id ?? wrong?.reason ?? ''}\t${labelled.shown}\n`,
      );
    }
  }

  function report(): void {
    const rows = [...tallies].sort(([a], [b]) => a.localeCompare(b));
    const all = noTally();
    for (const [, tally] of rows) for (const field of Object.keys(all) as (keyof Tally)[]) all[field] += tally[field];
    if (parsed.switches.has('json')) {
      io.out(`${JSON.stringify({ groups: Object.fromEntries(rows), all })}\n`);
      return;
    }
    const sorted = micros.sort((a, b) => a - b);
    const at = (part: number): string =>
      String(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
    io.out(`${'group'.padEnd(36)} unsafe  stopped    safe   alarms  errors\n`);
    for (const [name, t] of [...rows, ['all', all] as const])
      io.out(
        `${name.padEnd(36)} ${String(t.unsafe).padStart(6)}  ${share(t.stopped, t.unsafe)} ${String(t.safe).padStart(8)}  ${share(t.alarms, t.safe)} ${String(t.errors).padStart(6)}\n`,
      );
    io.out(`decision: median ${at(0.5)} µs, p99 ${at(0.99)} µs, ${String(sorted.length)} steps\n`);
  }
}

type EvalAnswer =
  | { readonly error: string }
  | {
      readonly steps: readonly {
        readonly verdict: string;
        readonly micros: number;
        readonly reason: string;
        readonly rules: readonly { readonly id: string }[];
      }[];
    };

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
