import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  EMPTY_BASELINE,
  ENOUGH,
  learn,
  parseBaseline,
  unusual,
  type Baseline,
} from '../../../src/core/session/baseline.js';
import { strictness } from '../../../src/core/policy/verdict.js';
import { judgeSteps, loadGrammars } from '../../support/sequences.js';

const day = Array.from({ length: 30 }, () => ['kind:ExecuteShell', 'program:git', 'host:registry.npmjs.org']);
const learnt = (sessions: number): Baseline => {
  let baseline = EMPTY_BASELINE;
  for (let i = 0; i < sessions; i++) baseline = learn(baseline, day);
  return baseline;
};

describe('baseline', () => {
  before(loadGrammars);

  it('calls nothing unusual before there is enough history', () => {
    assert.deepEqual(unusual(null, ['host:new.example'], 3), []);
    assert.deepEqual(unusual(learnt(ENOUGH.sessions - 1), ['host:new.example'], 3), []);
    assert.equal(unusual(learnt(ENOUGH.sessions), ['host:new.example'], 3).length, 1);
  });

  it('knows what it has seen, and what is everyday', () => {
    const baseline = learnt(ENOUGH.sessions);
    assert.deepEqual(unusual(baseline, ['host:registry.npmjs.org', 'changes:workspace', 'reads:home'], 3), []);
    assert.match(unusual(baseline, ['changes:home'], 3).join(), /changes home was never seen/);
  });

  it('finds a session that runs away', () => {
    assert.match(unusual(learnt(ENOUGH.sessions), ['kind:ReadFile'], 500).join(), /500 steps; usual are 30/);
  });

  it('counts what a session does once, however often it does it', () => {
    const flood = Array.from({ length: 5_000 }, () => ['kind:HttpRequest', 'host:evil.example']);
    const baseline = learn(learnt(ENOUGH.sessions), flood);
    assert.equal(baseline.words['host:evil.example'], 1);
  });

  it('stays within its bounds', () => {
    const wide = Array.from({ length: 9_000 }, (_, i) => [`host:h${i}.example`, `program:p${i}`]);
    const baseline = learn(learnt(3), wide);
    assert.ok(Object.keys(baseline.words).length <= 2_000);
    assert.ok(Object.keys(baseline.transitions).length <= 2_000);
    assert.ok('program:git' in baseline.words, 'what is frequent stays');
  });

  it('reads back what it wrote, and refuses what is broken', () => {
    const baseline = learnt(3);
    const back = parseBaseline(JSON.parse(JSON.stringify(baseline)));
    assert.deepEqual(back, { ok: true, value: baseline });
    assert.equal(parseBaseline({ ...baseline, words: { a: -1 } }).ok, false);
    assert.equal(parseBaseline({ ...baseline, more: 1 }).ok, false);
    assert.equal(parseBaseline(null).ok, false);
  });

  it('never loosens a verdict, however it was made', () => {
    const words = fc.dictionary(fc.constantFrom('host:a.example', 'changes:home', 'program:rm'), fc.nat({ max: 1e6 }));
    const baselines: fc.Arbitrary<Baseline> = fc.record({
      v: fc.constant(1 as const),
      sessions: fc.nat({ max: 1e6 }),
      steps: fc.nat({ max: 1e6 }),
      words,
      transitions: words,
      meanSteps: fc.double({ min: 0, max: 1e6, noNaN: true }),
      meanSquares: fc.double({ min: 0, max: 1e12, noNaN: true }),
    });
    const lines = fc.constantFrom('ls', 'rm ~/a', 'curl https://a.example', 'git push', 'cat .env', 'npm test');
    fc.assert(
      fc.property(lines, baselines, (line, baseline) => {
        const verdict = (change: { baseline?: Baseline }): number =>
          strictness(judgeSteps([line], { change }).steps[0]?.verdict ?? 'allow');
        assert.ok(verdict({ baseline }) >= verdict({}));
      }),
      { numRuns: 60 },
    );
  });

  it('asks about a departure, says what it is, and adds to the risk of the session', () => {
    const steps = ['curl -s https://registry.npmjs.org/x', 'curl -s https://github.com/a/b'];
    const { steps: said } = judgeSteps(steps, { change: { baseline: learnt(ENOUGH.sessions) } });
    assert.deepEqual(
      said.map(({ verdict }) => verdict),
      ['allow', 'ask'],
    );
    assert.deepEqual(said[1]?.findings, ['unusual']);
    assert.match(said[1]?.reason ?? '', /usual/);
  });
});
