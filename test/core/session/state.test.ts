import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { MODES } from '../../../src/core/policy/verdict.js';
import type { SessionEvent } from '../../../src/core/session/event.js';
import { isAtLeast, ORDINARY } from '../../../src/core/session/labels.js';
import { restoreState, saveState } from '../../../src/core/session/saved.js';
import { riskAt } from '../../../src/core/session/riskAt.js';
import { initialState, next, replay, type SessionState } from '../../../src/core/session/state.js';
import { anyEvents, tighteningEvents } from '../../support/events.js';

const start = initialState('s1', ['/w'], 'balanced', 0);
const started: SessionEvent = { type: 'started', atMs: 5, sessionId: 's1', mode: 'balanced', roots: ['/w'] };

const saved = (state: SessionState): string => JSON.stringify(saveState(state));

function restored(text: string): SessionState {
  const state = restoreState(JSON.parse(text));
  if (!state.ok) throw new Error(state.error);
  return state.value;
}

const runs = { numRuns: 50 };

describe('session state', () => {
  it('is a fold: the same events give the same state', () => {
    fc.assert(
      fc.property(fc.array(anyEvents, { maxLength: 40 }), (events) => {
        assert.equal(
          saved(replay(start, events)),
          saved(replay(start, JSON.parse(JSON.stringify(events)) as SessionEvent[])),
        );
      }),
      runs,
    );
  });

  it('is the same after it was saved and restored, and goes on the same', () => {
    fc.assert(
      fc.property(fc.array(anyEvents, { maxLength: 30 }), fc.array(anyEvents, { maxLength: 10 }), (before, after) => {
        const live = replay(start, before);
        const back = restored(saved(live));
        assert.equal(saved(back), saved(live));
        assert.equal(saved(replay(back, after)), saved(replay(live, after)));
      }),
      runs,
    );
  });

  it('leaves earlier states as they were', () => {
    fc.assert(
      fc.property(fc.array(anyEvents, { maxLength: 20 }), anyEvents, (events, event) => {
        const state = replay(start, events);
        const before = saved(state);
        next(state, event);
        assert.equal(saved(state), before);
      }),
      runs,
    );
  });

  it('takes no label away but by declassification', () => {
    fc.assert(
      fc.property(fc.array(tighteningEvents, { maxLength: 40 }), (events) => {
        let state = start;
        for (const event of events) {
          const after = next(state, event);
          assert.ok(isAtLeast(after.context.confidentiality, state.context.confidentiality));
          assert.ok(after.context.isUntrusted || !state.context.isUntrusted);
          for (const [path, file] of state.files.entries()) {
            const now = after.files.get(path)?.labels ?? ORDINARY;
            assert.ok(isAtLeast(now.confidentiality, file.labels.confidentiality));
            assert.ok(now.isUntrusted || !file.labels.isUntrusted);
          }
          assert.ok(after.secrets.size >= state.secrets.size);
          assert.ok(MODES.indexOf(after.mode) >= MODES.indexOf(state.mode));
          state = after;
        }
      }),
      runs,
    );
  });

  it('forgets nothing when the window is reloaded', () => {
    fc.assert(
      fc.property(fc.array(anyEvents, { minLength: 1, maxLength: 20 }), (events) => {
        const state = replay(start, events);
        fc.pre(state.steps > 0);
        const again = next(state, started);
        assert.equal(
          saved({ ...again, mode: state.mode, hasEnded: state.hasEnded, lastAtMs: state.lastAtMs }),
          saved(state),
        );
      }),
      runs,
    );
  });

  it('lets risk decay by time alone', () => {
    const state: SessionState = { ...start, risk: { value: 8, atMs: 0, reasons: [] } };
    assert.equal(riskAt(state, 0), 8);
    assert.equal(riskAt(state, 30 * 60_000), 4);
    const later: SessionState = { ...state, steps: 500 };
    assert.equal(riskAt(later, 0), 8);
  });

  it('refuses a saved state that does not fit', () => {
    const value = JSON.parse(saved(start)) as Record<string, unknown>;
    assert.ok(!restoreState({ ...value, mode: 'off' }).ok);
    assert.ok(!restoreState({ ...value, more: 1 }).ok);
    assert.ok(!restoreState({ ...value, v: 2 }).ok);
    assert.ok(!restoreState(null).ok);
  });

  it('of ten thousand steps stays small, in memory and in a file', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const events = fc.sample(anyEvents, { numRuns: 400, seed: 7 });
    const decided = events.flatMap((event) => (event.type === 'decided' ? [event] : []));
    assert.ok(decided.length > 10);
    collect();
    const before = process.memoryUsage().heapUsed;
    let state = next(start, started);
    for (let step = 0; step < 10_000; step++) {
      const event = decided[step % decided.length];
      if (event === undefined) continue;
      const own = {
        path: `/w/src/file${step}.ts`,
        identity: null,
        change: 'write',
        provenance: 'agent',
        isNew: true,
      } as const;
      const files = [...event.impact.files, { ...own, labels: ORDINARY }];
      state = next(state, { ...event, atMs: step, lacunaId: `l${step}`, impact: { ...event.impact, files } });
    }
    collect();
    const grown = (process.memoryUsage().heapUsed - before) / 1024 / 1024;
    assert.equal(state.steps, 10_000);
    assert.ok(grown < 30, `${grown.toFixed(1)} MB`);
    assert.ok(saved(state).length < 10 * 1024 * 1024, `${saved(state).length} characters`);
  }).timeout(20_000);

  it('a person steps the mode down and it stays so, until something new comes', () => {
    const risky = replay(start, [
      started,
      { type: 'mode', atMs: 6, mode: 'strict', by: 'engine', why: 'session risk 14.0 is above 12' },
    ]);
    const at = { ...risky, risk: { value: 14, atMs: 6, reasons: ['sends data out'] } };
    const down = next(at, { type: 'mode', atMs: 7, mode: 'balanced', by: 'person', why: 'picked by the person' });
    assert.equal(down.mode, 'balanced');
    assert.equal(riskAt(down, 7), 0);
    assert.equal(next(at, { type: 'mode', atMs: 7, mode: 'balanced', by: 'engine', why: 'x' }).mode, 'strict');
    const up = next(at, { type: 'mode', atMs: 7, mode: 'lockdown', by: 'person', why: 'x' });
    assert.equal(riskAt(up, 6), 14, 'who steps up forgives nothing');
  });
});
