import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const src = path.resolve(import.meta.dirname, '../src');

/** Which rooms a room may import from. Imports point inward only (src/ARCHITECTURE.md). */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: ['core'],
  adapters: ['adapters', 'core'],
  executors: ['executors', 'core'],
  hooks: ['hooks', 'core'],
  vscode: ['vscode', 'core', 'adapters', 'executors', 'hooks'],
  cli: ['cli', 'core', 'adapters', 'executors', 'hooks'],
};

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.split(path.sep).join('/'));

/** Imports of a file: relative ones as paths below src, others as they are written. Sees what lint was told to ignore. */
function importsOf(file: string): string[] {
  const text = readFileSync(path.join(src, file), 'utf8');
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) =>
      fileName.startsWith('.') ? path.posix.join(path.posix.dirname(file), fileName).replace(/\.js$/, '.ts') : fileName,
    );
}
const graph = new Map(files.map((file) => [file, importsOf(file)]));
const roomOf = (file: string): string => file.split('/')[0] ?? '';

describe('architecture', () => {
  it('imports point inward only', () => {
    const outward = [...graph].flatMap(([file, imports]) =>
      imports
        .filter((target) => files.includes(target) && !(MAY_IMPORT[roomOf(file)] ?? []).includes(roomOf(target)))
        .map((target) => `${file} → ${target}`),
    );
    assert.deepEqual(outward, []);
  });

  it('only the two composition roots import executors', () => {
    const strangers = [...graph].flatMap(([file, imports]) =>
      imports
        .filter((target) => roomOf(target) === 'executors' && !['executors', 'vscode', 'cli'].includes(roomOf(file)))
        .map((target) => `${file} → ${target}`),
    );
    assert.deepEqual(strangers, []);
  });

  it('the core knows neither node nor the editor', () => {
    const foreign = [...graph].flatMap(([file, imports]) =>
      roomOf(file) === 'core'
        ? imports
            .filter((target) => /^(node:|vscode$|fs$|path$|os$)/.test(target))
            .map((target) => `${file} → ${target}`)
        : [],
    );
    assert.deepEqual(foreign, []);
  });

  it('only src/vscode knows the editor', () => {
    const foreign = [...graph].filter(([file, imports]) => roomOf(file) !== 'vscode' && imports.includes('vscode'));
    assert.deepEqual(
      foreign.map(([file]) => file),
      [],
    );
  });

  it('only the gate mints permits', () => {
    const minters = files.filter((file) =>
      /\bmint\s*\(|\{[^}]*\bmint\b[^}]*\}\s*from/.test(
        readFileSync(path.join(src, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''),
      ),
    );
    assert.deepEqual(
      minters.filter((file) => !['core/gate/permit.ts', 'core/gate/gate.ts'].includes(file)),
      [],
    );
  });

  it('has no cycle', () => {
    const state = new Map<string, 'open' | 'done'>();
    const cycles: string[] = [];
    const visit = (file: string, trail: readonly string[]): void => {
      if (state.get(file) === 'done') return;
      if (state.get(file) === 'open') {
        cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
        return;
      }
      state.set(file, 'open');
      for (const target of graph.get(file) ?? []) if (graph.has(target)) visit(target, [...trail, file]);
      state.set(file, 'done');
    };
    for (const file of files) visit(file, []);
    assert.deepEqual(cycles, []);
  });

  it('every relative import names a file that is there', () => {
    const lost = [...graph].flatMap(([file, imports]) =>
      imports
        .filter((t) => /^[a-z]+\//.test(t) && t.endsWith('.ts') && !files.includes(t))
        .map((t) => `${file} → ${t}`),
    );
    assert.deepEqual(lost, []);
  });
});
