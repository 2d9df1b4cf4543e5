import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { repository } from './host/place.js';
import { runSuite } from './host/suite.js';
import { run } from './run.js';
import { main, say } from './say.js';
import { buildHostSuites } from './suites.js';
import { buildNeighbour } from './testExtension.js';

/** What a part of the tests came to. A check (types, lint) counts as one test. */
interface Tally {
  readonly passed: number;
  readonly failed: number;
}

const npx = (...args: string[]): (() => Promise<Tally>) => check(() => shown('npx', args));
const tallyFile = path.join(repository, 'out/tally.jsonl');
/** What suites say of the back ends that they used, or could not. */
const exercisedFile = path.join(repository, 'out/exercised.txt');

/** Parts of `npm test`, in order. `npm test -- unit host` runs only those named. */
const PARTS: Readonly<Record<string, () => Promise<Tally>>> = {
  types: npx('tsc', '-p', '.', '--noEmit'),
  'types-core': npx('tsc', '-p', 'src/core/tsconfig.json', '--noEmit'),
  lint: npx('eslint', 'src', 'test', 'scripts'),
  format: npx('prettier', '--check', 'src', 'test', 'scripts', '*.{js,mjs,json}'),
  unit: counted(() => shown('npx', ['mocha', 'test/**/*.test.ts', '--reporter', 'test/support/tally.ts'])),
  build: check(() => shown('node', ['esbuild.js'])),
  host: counted(inHost),
  ui: counted(() => shown('npx', ['mocha', 'test/ui/*.ui.ts', '--reporter', 'test/support/tally.ts'])),
};

main(async () => {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !Object.hasOwn(PARTS, name));
  if (unknown.length > 0) {
    say(`There is no part called ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}`);
    return 2;
  }
  mkdirSync(path.dirname(tallyFile), { recursive: true });
  rmSync(exercisedFile, { force: true });
  const results: (Tally & { name: string; seconds: number })[] = [];
  for (const [name, part] of Object.entries(PARTS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    say(`\n── ${name} ──`);
    const startMs = Date.now();
    results.push({ name, ...(await part()), seconds: Math.round((Date.now() - startMs) / 1000) });
  }
  say('');
  for (const { name, passed, failed, seconds } of results) {
    say(`${name.padEnd(12)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed  ${seconds} s`);
  }
  if (existsSync(exercisedFile)) say(`\nReally used by the tests:\n${readFileSync(exercisedFile, 'utf8').trimEnd()}`);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  say(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});

async function shown(program: string, args: readonly string[]): Promise<number> {
  return (
    await run(program, args, {
      cwd: repository,
      show: 'output',
      env: { ...process.env, LACUNA_TALLY: tallyFile, LACUNA_EXERCISED: exercisedFile },
    })
  ).code;
}

/** A part that is one yes or no. */
function check(work: () => Promise<number>): () => Promise<Tally> {
  return async () => ((await work()) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
}

/** A part whose mocha run writes its counts. A run that ended badly without a failed test, or without counts, is one failure. */
function counted(work: () => Promise<number>): () => Promise<Tally> {
  return async () => {
    rmSync(tallyFile, { force: true });
    const code = await work();
    const lines = existsSync(tallyFile) ? readFileSync(tallyFile, 'utf8').trim().split('\n') : [];
    const tallies = lines.map((line) => JSON.parse(line) as Tally);
    const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
    const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
    const isLost = tallies.length === 0 || (code !== 0 && failed === 0);
    return { passed, failed: failed + (isLost ? 1 : 0) };
  };
}

/** A window that the suites run in: what is open there, and which of them are for it. */
interface World {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
  /** Plants what is to be opened into an empty folder; gives back what to open. */
  readonly plant: (folder: string) => string;
  /** Other extensions that are there. */
  readonly neighbours?: () => Promise<readonly string[]>;
}

const WORLDS: readonly World[] = [
  {
    name: 'plain',
    settings: {},
    env: { LACUNA_GREP: process.env['LACUNA_GREP'] ?? '' },
    plant: (folder) => folder,
  },
  {
    name: 'folders',
    settings: {},
    env: { LACUNA_WORLD: 'folders', LACUNA_GREP: 'in several folders' },
    plant: (folder) => {
      for (const name of ['alpha', 'beta']) mkdirSync(path.join(folder, name));
      const file = path.join(folder, 'two.code-workspace');
      writeFileSync(file, JSON.stringify({ folders: [{ path: 'alpha' }, { path: 'beta' }] }));
      return file;
    },
  },
  {
    name: 'untrusted',
    settings: { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' },
    env: { LACUNA_WORLD: 'untrusted', LACUNA_GREP: 'in restricted mode' },
    plant: (folder) => folder,
  },
  {
    name: 'neighbours',
    // Rules and session alone: what the reviewer thinks of a tool is not what is tried here. Nobody is there to answer.
    settings: { 'lacuna.mcpServer': true, 'lacuna.reviewer.model': 'off', 'lacuna.approvals.timeoutMinutes': 0.02 },
    env: { LACUNA_WORLD: 'neighbours', LACUNA_GREP: 'beside another extension' },
    plant: (folder) => {
      cpSync(path.join(repository, 'test/host/neighbour/workspace'), folder, { recursive: true });
      return folder;
    },
    neighbours: async () => [await buildNeighbour()],
  },
];

/** Runs the suites in each kind of window, or in the one that `LACUNA_WORLD` names; stops at the first that is red. */
async function inHost(): Promise<number> {
  const entry = await buildHostSuites();
  const only = process.env['LACUNA_WORLD'];
  for (const { settings, env, plant, neighbours } of WORLDS.filter(({ name }) => only === undefined || name === only)) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'lacuna-workspace-'));
    try {
      const code = await runSuite({
        entry,
        workspace: plant(folder),
        settings,
        env: { LACUNA_TALLY: tallyFile, ...env },
        timeoutMs: 180_000,
        neighbours: (await neighbours?.()) ?? [],
      });
      if (code !== 0) return code;
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }
  return 0;
}
