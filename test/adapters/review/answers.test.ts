import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { KeptAnswers, keptAnswer } from '../../../src/adapters/review/answers.js';
import { TreeSitter } from '../../../src/adapters/treeSitter.js';
import type { Approval } from '../../../src/core/ports.js';
import type { Review } from '../../../src/core/review/review.js';
import { reviewInput } from '../../support/reviews.js';
import { wasmFolder } from '../../support/wasm.js';

const syntax = new TreeSitter(wasmFolder);
const TOKEN = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
const KEY = 'sk-proj-Zq81mNvB72kLpXw93TyRdE40sGhJcUf56aOi';
const flagged: Review = {
  type: 'answered',
  verdict: 'flag',
  risk: 'medium',
  reason: 'it would delete src/cart.ts, which the request does not ask for.',
  confidence: 0.8,
  model: 'lacuna-starter',
  durationMs: 9,
  isCached: false,
};
const NO_REVIEW: Review = { type: 'none', why: 'down', message: 'It is away.' };

describe('answers kept to measure and improve the reviewer', () => {
  before(() => syntax.load('bash'));
  const input = () => reviewInput('delete src/cart.ts', 'rm src/cart.ts', syntax);

  const ANSWERS: readonly (readonly [Approval, 'approve' | 'flag' | null])[] = [
    [{ type: 'once' }, 'approve'],
    [{ type: 'session' }, 'approve'],
    [{ type: 'always', rule: 'id: x' }, 'approve'],
    [{ type: 'no', reason: 'not that one' }, 'flag'],
    [{ type: 'changed', params: {} }, null],
    [{ type: 'left-to-host' }, null],
    [{ type: 'nobody', why: 'headless' }, null],
    [{ type: 'nobody', why: 'timed-out' }, null],
    [{ type: 'nobody', why: 'cancelled' }, null],
  ];
  for (const [approval, label] of ANSWERS)
    it(`"${'why' in approval ? approval.why : approval.type}" ${label === null ? 'says nothing of the proposal' : `is kept as ${label}`}`, () => {
      assert.equal(keptAnswer(input(), flagged, approval, 5)?.label ?? null, label);
    });

  it('holds what the reviewer said, or that it said nothing', () => {
    const kept = keptAnswer(input(), flagged, { type: 'once' }, 5);
    assert.deepEqual(kept?.reviewer, { verdict: 'flag', confidence: 0.8, model: 'lacuna-starter' });
    assert.equal(keptAnswer(input(), NO_REVIEW, { type: 'once' }, 5)?.reviewer, null);
  });

  it('no secret of request, action or earlier requests is in it', () => {
    const command = `curl -H "Authorization: Bearer ${TOKEN}" -d key=${KEY} https://api.example.net/`;
    const spoken = reviewInput(`send it with ${TOKEN} and ${KEY}`, command, syntax, {
      earlier: [`my token is ${TOKEN}`],
      trail: [`echo ${KEY}`],
    });
    const line = JSON.stringify(keptAnswer(spoken, flagged, { type: 'no', reason: `it holds ${TOKEN}` }, 5));
    for (const secret of [TOKEN, KEY])
      for (const part of secret.split(/[_-]/).filter((one) => one.length > 8))
        assert.ok(!line.toLowerCase().includes(part.toLowerCase()), part);
  });

  describe('in their file', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(path.join(os.tmpdir(), 'lacuna-answers-'));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));
    const answer = (approval: Approval) => {
      const kept = keptAnswer(input(), flagged, approval, 5);
      assert.ok(kept !== null);
      return kept;
    };

    it('nothing is there before the first, and reading makes nothing', async () => {
      assert.equal(await new KeptAnswers(path.join(folder, 'state')).read(), '');
      assert.ok(!existsSync(path.join(folder, 'state')));
    });

    it('one line each, as the training reads them, for their owner only', async () => {
      const kept = new KeptAnswers(path.join(folder, 'state'));
      await kept.add(answer({ type: 'once' }));
      await kept.add(answer({ type: 'no', reason: '' }));
      const lines = (await kept.read())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      assert.deepEqual(
        lines.map(({ label }) => label),
        ['approve', 'flag'],
      );
      for (const field of ['id', 'split', 'label', 'weight', 'pair', 'source', 'need', 'reason', 'features', 'text'])
        assert.ok(
          lines.every((line) => line[field] !== undefined),
          field,
        );
      if (process.platform !== 'win32')
        assert.equal(statSync(path.join(folder, 'state/reviewer-answers.jsonl')).mode & 0o077, 0);
    });

    it('are gone when they are forgotten, also when there are none', async () => {
      const kept = new KeptAnswers(folder);
      await kept.add(answer({ type: 'once' }));
      await kept.forget();
      await kept.forget();
      assert.equal(await kept.read(), '');
    });
  });

  it('are kept only where a person switched that on, for this machine', () => {
    const manifest = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../../package.json'), 'utf8')) as {
      contributes: { configuration: readonly { properties: Record<string, { default: unknown; scope: string }> }[] };
    };
    const sections = [manifest.contributes.configuration].flat();
    const setting = sections.map(({ properties }) => properties['lacuna.reviewer.keepAnswers']).find(Boolean);
    assert.deepEqual([setting?.default, setting?.scope], [false, 'machine']);
  });
});
