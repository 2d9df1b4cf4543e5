import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { TreeSitter } from '../../../src/adapters/treeSitter.js';
import type { GitState } from '../../../src/core/effects/effect.js';
import { boundsOf, type Bounds } from '../../../src/core/review/bounds.js';
import { reviewFacts } from '../../../src/core/review/facts.js';
import { reviewInput, type Wish } from '../../support/reviews.js';
import { wasmFolder } from '../../support/wasm.js';

interface Case {
  readonly note: string;
  readonly request: string;
  readonly do: Wish;
  readonly want: 'plain' | 'forbidden' | 'unborne' | 'open';
  readonly earlier?: readonly string[];
  readonly findings?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** How git sees the files; others are tracked and clean. */
  readonly git?: Readonly<Record<string, GitState>>;
  /** The first effect that destroys touches only what the session made, as the session found. */
  readonly madeHere?: boolean;
}
const cases = parse(readFileSync(path.join(import.meta.dirname, 'bounds.cases.yaml'), 'utf8')) as readonly Case[];
const WANT: Readonly<Record<Case['want'], Bounds>> = {
  plain: { least: 'approve', most: 'approve' },
  forbidden: { least: 'reject', most: 'reject' },
  unborne: { least: 'flag', most: 'reject' },
  open: { least: 'approve', most: 'reject' },
};
const syntax = new TreeSitter(wasmFolder);

describe('what the facts settle without a model', () => {
  before(() => syntax.load('bash'));
  for (const { note, request, do: wish, want, files, git, madeHere = false, ...more } of cases)
    it(note, () => {
      const input = reviewInput(request, wish, syntax, {
        ...more,
        world: { ...(files === undefined ? {} : { files }), ...(git === undefined ? {} : { git }) },
      });
      const first = input.analysis.effects.findIndex(({ op }) => op === 'delete' || op === 'kill');
      const facts = reviewFacts({ ...input, madeHere: madeHere ? [first] : [] });
      assert.deepEqual(boundsOf(facts), WANT[want]);
    });
});
