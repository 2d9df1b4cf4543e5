import path from 'node:path';
import { lookAtFileSystem } from '../../adapters/facts.js';
import { policyFiles, WORKSPACE_POLICY } from '../../adapters/policyFiles.js';
import { TreeSitter } from '../../adapters/treeSitter.js';
import { analyse } from '../../core/effects/analyse.js';
import { freshTerminal } from '../../core/effects/effect.js';
import { compilePolicy, type PolicyLayers } from '../../core/policy/compile.js';
import { lintPolicy } from '../../core/policy/lint.js';
import { standsIn } from '../../core/policy/lintText.js';
import { layersOf, loadSources, type WrittenLayer } from '../../core/policy/load.js';
import { packFileIn } from '../../core/policy/packFile.js';
import { parsePolicy, type ParsedPolicy } from '../../core/policy/parse.js';
import { problemLine, type PolicyProblem } from '../../core/policy/problem.js';
import { runTests, type Analyse, type TestResult } from '../../core/policy/testing/runTests.js';
import { EXIT, parseArguments, UsageError, type ExitCode, type Io } from '../io.js';
import { wasmFolder } from '../wasm.js';

const HELP = `usage: lacuna policy test [--json] [[LAYER=]FILE…]

Runs the tests in policy files, each file in its layer over the built-in packs.
LAYER is organisation, user, workspace (the default) or pack, for a built-in pack.
Without a file: ${WORKSPACE_POLICY} of the current folder.
Exit code 1 when a test fails, 2 when a file cannot be used.
`;

/** What came of one file. */
interface FileReport {
  readonly file: string;
  readonly problems: readonly PolicyProblem[];
  readonly results: readonly TestResult[];
  /** Null when the file could not be used. */
  readonly parsed: ParsedPolicy | null;
}

/** `lacuna policy test`: exit code 1 when a test fails. */
export async function policyTest(args: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments(args, { json: 'switch', help: 'switch' });
  if (parsed.switches.has('help')) {
    io.out(HELP);
    return EXIT.done;
  }
  const run = await analyser();
  const named = parsed.operands.length > 0 ? parsed.operands : [WORKSPACE_POLICY];
  const reports: FileReport[] = [];
  for (const file of named) reports.push(await testFile(file, run));
  if (parsed.switches.has('json')) io.out(`${JSON.stringify(reports.map(asJson))}\n`);
  else print(reports, io);
  if (reports.some((report) => report.parsed === null)) return EXIT.unusable;
  return reports.some((report) => report.results.some(({ isPassed }) => !isPassed)) ? EXIT.failed : EXIT.done;
}

/** Analysis on made-up facts, with the grammar loaded. */
async function analyser(): Promise<Analyse> {
  const syntax = new TreeSitter(wasmFolder());
  await syntax.load('bash');
  return (proposal, facts) => analyse(proposal, { facts, syntax, terminal: freshTerminal(facts.roots[0] ?? null) });
}

async function testFile(operand: string, run: Analyse): Promise<FileReport> {
  const [, layer = 'workspace', file = operand] = /^(organisation|user|workspace|pack)=(.+)$/s.exec(operand) ?? [];
  const text = policyFiles.readText(path.resolve(file));
  if (text.type === 'absent') throw new UsageError(`There is no file ${file}.`);
  if (text.type !== 'text')
    throw new UsageError(text.type === 'too-large' ? `${file} is larger than 1 MiB.` : `${file}: ${text.message}.`);
  const parsed = parsePolicy(file, text.text);
  if (!parsed.ok) return { file, problems: parsed.error, results: [], parsed: null };
  const loaded = await layersFor(layer, file, parsed.value);
  if ('problems' in loaded) return { file, problems: loaded.problems, results: [], parsed: null };
  const results = runTests(compilePolicy(loaded), parsed.value.spec.tests ?? [], run);
  const facts = lookAtFileSystem({ roots: [workspaceOf(path.resolve(file))] });
  const problems = layer === 'pack' ? [] : lintPolicy(file, parsed.value, standsIn(facts));
  return { file, problems, results, parsed: parsed.value };
}

/** The folder whose `.lacuna` a file lies in, else the current one. */
const workspaceOf = (file: string): string => {
  const folder = path.dirname(file);
  return (path.basename(folder) === '.lacuna' ? path.dirname(folder) : process.cwd()).replaceAll('\\', '/');
};

async function layersFor(
  layer: string,
  file: string,
  parsed: ParsedPolicy,
): Promise<PolicyLayers | { readonly problems: readonly PolicyProblem[] }> {
  if (layer === 'pack') return packFileIn(layersOf([], { isTrusted: true }), file, parsed.spec);
  const source = { layer: layer as WrittenLayer, path: path.resolve(file).replaceAll('\\', '/'), name: file };
  const loaded = await loadSources([source], policyFiles);
  const problems = loaded.flatMap((one) => one.problems);
  return problems.length > 0 ? { problems } : layersOf(loaded, { isTrusted: true });
}

function print(reports: readonly FileReport[], io: Io): void {
  let passed = 0;
  let failed = 0;
  for (const { file, problems, results, parsed } of reports) {
    for (const problem of problems) io.out(`${problemLine(problem)}\n`);
    for (const result of results) {
      if (result.isPassed) {
        passed += 1;
        continue;
      }
      failed += 1;
      const place = parsed?.place(['tests', result.index]) ?? { line: 1, column: 1 };
      io.out(`${file}:${String(place.line)}:${String(place.column)}: ${result.name}: ${result.message}\n`);
    }
    if (parsed !== null && results.length === 0) io.out(`${file}: it has no tests.\n`);
  }
  // Of files that could not be used, their problems say it all.
  if (reports.every(({ parsed }) => parsed === null)) return;
  io.out(`${String(passed)} passed, ${String(failed)} failed\n`);
}

const asJson = ({ file, problems, results, parsed }: FileReport): unknown => ({
  file,
  problems,
  tests: results.map(({ name, index, isPassed, message, decision }) => ({
    name,
    line: parsed?.place(['tests', index]).line ?? 1,
    passed: isPassed,
    message,
    verdict: decision?.verdict ?? null,
    rules: decision?.rules.filter(({ lost }) => lost === null).map(({ id }) => id) ?? [],
  })),
});
