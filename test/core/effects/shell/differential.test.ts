import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { installedWasm, TreeSitter } from '../../../../src/adapters/treeSitter.js';
import { freshTerminal, type Analysis } from '../../../../src/core/effects/effect.js';
import { analyseShell } from '../../../../src/core/effects/shell/analyseShell.js';
import { nameMatches } from '../../../../src/core/effects/shell/glob.js';
import { LineMaker } from '../../../support/bashLines.js';
import { factsOf } from '../../../support/facts.js';

/** How many lines; `LINES=100000 SEED=7 RANGE=wide npx mocha …` runs more, and stranger ones, by hand. */
const LINES = Number(process.env['LINES'] ?? '5000');
const SEED = Number(process.env['SEED'] ?? '1');
const BATCH = 250;
const root = path.resolve(import.meta.dirname, '../../../..');

/**
 * Runs the lines of a batch, each in a folder and a shell of its own, with nothing on PATH. Whatever is not found is written down
 * instead; those that carry another command hand it on, as the real ones would.
 */
const DRIVER = String.raw`
PATH=/nowhere
shopt -u sourcepath
command_not_found_handle() {
  builtin printf '%s\t%s\n' "$LINE_NUMBER" "$1" >&9
  case $1 in
    env) shift; while [[ $1 == *=* ]]; do builtin export "$1"; shift; done; "$@" ;;
    nohup | xargs) shift; "$@" ;;
    nice | sudo) shift 3; "$@" ;;
    stdbuf) shift 2; "$@" ;;
    timeout) shift; if [[ $1 == -s ]]; then shift 2; fi; shift; "$@" ;;
    bash | sh)
      if [[ $2 == -*c ]]; then local code=$3; shift 3; if (( $# > 0 )); then shift; fi; builtin eval "$code"
      elif (( $# == 1 )); then local code; IFS= builtin read -r -d '' code; builtin set --; builtin eval "$code"; fi ;;
    cat) local text; IFS= builtin read -r -d '' text; builtin printf %s "$text" ;;
  esac
}
exec 9>>"$BOX/log"
for file in "$BOX"/lines/*; do
  LINE_NUMBER=${'$'}{file##*/}
  builtin cd "$BOX/work/$LINE_NUMBER" || builtin exit 1
  line=$(<"$file")
  ( ulimit -t 2; builtin eval "$line" ) </dev/null >/dev/null 2>&1
done
builtin wait
`;

interface Observed {
  /** Programs that were called, by number of the line. */
  readonly programs: ReadonlyMap<number, ReadonlySet<string>>;
  /** Files that stood in the folder afterwards. */
  readonly files: ReadonlyMap<number, readonly string[]>;
}

const hasBwrap = spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status === 0;

/** Puts the lines into a throw-away folder and lets bash run them. In bubblewrap nothing else can be written and no network is there. */
function observe(lines: readonly string[]): Observed {
  const box = mkdtempSync(path.join(os.tmpdir(), 'lacuna-differential-'));
  try {
    mkdirSync(path.join(box, 'lines'));
    writeFileSync(path.join(box, 'log'), '');
    lines.forEach((line, at) => {
      writeFileSync(path.join(box, 'lines', String(at)), line);
      mkdirSync(path.join(box, 'work', String(at)), { recursive: true });
    });
    writeFileSync(path.join(box, 'driver'), DRIVER);
    const cage = [
      '--ro-bind',
      '/',
      '/',
      '--dev',
      '/dev',
      '--proc',
      '/proc',
      '--bind',
      box,
      box,
      '--unshare-all',
      '--die-with-parent',
    ];
    const [program, args] = hasBwrap
      ? ['bwrap', [...cage, '/bin/bash', `${box}/driver`]]
      : ['/bin/bash', [`${box}/driver`]];
    spawnSync(program, args, { env: { BOX: box }, timeout: 60_000, stdio: 'ignore' });
    const programs = new Map<number, Set<string>>();
    for (const entry of readFileSync(path.join(box, 'log'), 'utf8').split('\n')) {
      const [at, name] = entry.split('\t');
      if (name === undefined) continue;
      const found = programs.get(Number(at)) ?? new Set<string>();
      programs.set(Number(at), found.add(name));
    }
    const files = new Map(lines.map((_line, at) => [at, readdirSync(path.join(box, 'work', String(at)))]));
    return { programs, files };
  } finally {
    rmSync(box, { recursive: true, force: true });
  }
}

/** Whether an effect says that something was not understood, which covers whatever ran. */
const isCovered = ({ effects }: Analysis): boolean =>
  effects.some(
    ({ op, resource }) =>
      op === 'unknown' && resource.type === 'unknown' && !/^program \S+ is not known$/.test(resource.what),
  );

/** What ran and was not foreseen: neither among the commands nor among what was peeled off them, nor covered. */
function unforeseen(analysis: Analysis, programs: ReadonlySet<string>, files: readonly string[]): string[] {
  if (isCovered(analysis)) return [];
  const known = new Set(
    analysis.commands.flatMap(({ program, argv, wrappers }) => [program, argv[0]?.text ?? '', ...wrappers]),
  );
  const written = analysis.effects.flatMap(({ op, resource, certainty }) =>
    op === 'write' && resource.type === 'path' ? [{ name: path.posix.basename(resource.path), certainty }] : [],
  );
  const isForeseen = (file: string): boolean =>
    written.some(({ name, certainty }) => (certainty === 'pattern' ? nameMatches(name, file, true) : name === file));
  // A file of a name that cannot be known before is foreseen as such.
  const mayWriteAny = analysis.effects.some(({ op, certainty }) => op === 'write' && certainty === 'dynamic');
  return [
    ...[...programs].filter((name) => !known.has(name)).map((name) => `ran ${name}`),
    ...files.filter((name) => !mayWriteAny && !isForeseen(name)).map((name) => `wrote ${name}`),
  ];
}

describe('bash, beside the real one', () => {
  it(`foresees what ${LINES} generated lines run and write @slow`, async function () {
    this.timeout(600_000);
    const syntax = new TreeSitter(installedWasm(root));
    await syntax.load('bash');
    const facts = factsOf();
    const maker = new LineMaker(SEED, process.env['RANGE'] === 'wide' ? 'wide' : 'usual');
    const missed: string[] = [];
    let covered = 0;
    let ran = 0;
    for (let start = 0; start < LINES; start += BATCH) {
      const lines = Array.from({ length: Math.min(BATCH, LINES - start) }, () => maker.line());
      const { programs, files } = observe(lines);
      lines.forEach((line, at) => {
        const analysis = analyseShell(
          { command: line, shell: 'bash' },
          { facts, syntax, terminal: freshTerminal(facts.roots[0] ?? null) },
        );
        const seen = programs.get(at) ?? new Set<string>();
        if (seen.size > 0) ran += 1;
        if (isCovered(analysis)) covered += 1;
        const surprises = unforeseen(analysis, seen, files.get(at) ?? []);
        if (surprises.length > 0) missed.push(`${surprises.join(', ')}\n${line}`);
      });
    }
    assert.deepEqual(missed.slice(0, 10), [], `${missed.length} of ${LINES} lines did something unforeseen`);
    // The test would prove nothing if little ran, or if most lines were waved off as not understood.
    assert.ok(ran > LINES / 2, `only ${ran} of ${LINES} lines ran anything`);
    assert.ok(covered < LINES / 4, `${covered} of ${LINES} lines were not understood`);
    process.stdout.write(`      ${ran} lines ran something, ${covered} were not understood in full\n`);
  });
});
