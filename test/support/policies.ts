import assert from 'node:assert/strict';
import path from 'node:path';
import { stringify } from 'yaml';
import { installedWasm, TreeSitter } from '../../src/adapters/treeSitter.js';
import { analyse } from '../../src/core/effects/analyse.js';
import { freshTerminal } from '../../src/core/effects/effect.js';
import type { PolicyLayers } from '../../src/core/policy/compile.js';
import type { LayerFile } from '../../src/core/policy/layerFile.js';
import { parsePolicy } from '../../src/core/policy/parse.js';
import { problemLine } from '../../src/core/policy/problem.js';
import type { Analyse } from '../../src/core/policy/testing/runTests.js';

/** Analysis without a parser: for tests that give their effects themselves, and for kinds other than shell lines. */
export const analyseBare: Analyse = (proposal, facts) =>
  analyse(proposal, { facts, syntax: { parse: () => null }, terminal: freshTerminal(facts.roots[0] ?? null) });

/** Analysis with the real parser, loaded once for all tests. */
export async function analyseReally(): Promise<Analyse> {
  const syntax = new TreeSitter(installedWasm(path.resolve(import.meta.dirname, '../..')));
  await syntax.load('bash');
  return (proposal, facts) => analyse(proposal, { facts, syntax, terminal: freshTerminal(facts.roots[0] ?? null) });
}

/** A policy file from its rules, parsed as a person's file is. */
export function fileOf(source: string, content: unknown): LayerFile {
  const spec = Array.isArray(content) ? { version: 1, rules: content } : { version: 1, ...(content as object) };
  const parsed = parsePolicy(source, stringify(spec));
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.error.map(problemLine).join('\n'));
  return { source, spec: parsed.value.spec };
}

/** Layers with nothing in them. */
export const noLayers: PolicyLayers = { organisation: [], user: [], workspace: [], packs: [] };
