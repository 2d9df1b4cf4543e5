import assert from 'node:assert/strict';
import fc from 'fast-check';
import { freshTerminal, type Analysis, type Effect, type SimpleCommand } from '../../../src/core/effects/effect.js';
import type { Proposal } from '../../../src/core/lacuna/lacuna.js';
import { compilePolicy, type CompiledPolicy, type PolicyLayers } from '../../../src/core/policy/compile.js';
import type { PolicyContext } from '../../../src/core/policy/context.js';
import { decide } from '../../../src/core/policy/decide.js';
import { decideOnce } from '../../../src/core/policy/decideOnce.js';
import type { Decision } from '../../../src/core/policy/decision.js';
import { judgeEffect } from '../../../src/core/policy/judgeEffect.js';
import type { LayerFile } from '../../../src/core/policy/layerFile.js';
import type { MatchSpec, RuleSpec } from '../../../src/core/policy/schema.js';
import type { Subject } from '../../../src/core/policy/subject.js';
import { contextOf } from '../../../src/core/policy/testing/testCase.js';
import { strictness, VERDICTS, type Verdict } from '../../../src/core/policy/verdict.js';
import { noLayers } from '../../support/policies.js';

// A small world in which rules and effects meet often.
const names = ['a', 'b', 'B'];
const glob = fc.oneof(
  fc
    .array(fc.constantFrom('a', 'b', 'B', '*', '**', '?', 'a*'), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join('/')),
  fc.constantFrom('/home/dev/project/a', '~/x/**', '../b', '/**', '{a,b}/**'),
);
const flat: fc.Arbitrary<MatchSpec> = fc.record(
  {
    effect: fc.record(
      {
        op: fc.subarray(['read', 'write', 'delete', 'execute', 'network'] as const, { minLength: 1 }),
        path: glob,
        trait: fc.constantFrom('secret' as const, 'catastrophic' as const),
        host: fc.constantFrom('x.example', '*.example', '10.0.0.0/8'),
      },
      { requiredKeys: [] },
    ),
    command: fc.constantFrom('rm **', 'rm -rf *', 'git push ** a', '* a', 'ls'),
    context: fc.constantFrom({ branch: 'main' }, { user: 'x' }, { mode: 'strict' as const }, { headless: false }),
    labels: fc.constantFrom('secret' as const),
  },
  { requiredKeys: [] },
);
const match: fc.Arbitrary<MatchSpec> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<MatchSpec>({}) },
  { weight: 5, arbitrary: flat },
  fc.record({ any: fc.array(flat, { minLength: 1, maxLength: 2 }) }),
  fc.record({ not: flat }),
  fc.record({ all: fc.array(flat, { minLength: 1, maxLength: 2 }), not: flat }),
);
const verdict = fc.constantFrom<Verdict>('allow', 'sandbox', 'ask', 'deny');
let count = 0;
const rule = (priority: fc.Arbitrary<number>): fc.Arbitrary<RuleSpec> =>
  fc
    .record({
      match,
      verdict,
      priority,
      firm: fc.boolean(),
      clearable: fc.boolean(),
      onFailure: fc.constantFrom('ask' as const, 'deny' as const),
      overrides: fc.subarray(['pack-0', 'pack-1', 'pack-2']),
    })
    .map((spec) => ({ ...spec, id: `r${String(count++)}` }));
const rules = (priority = fc.constantFrom(-5, 0, 0, 5)): fc.Arbitrary<RuleSpec[]> =>
  fc.array(rule(priority), { maxLength: 4 });
const packRules = rules().map((list) => list.map((spec, index) => ({ ...spec, id: `pack-${String(index)}` })));

const command = (argv: readonly string[]): SimpleCommand => ({
  program: argv[0] ?? '',
  argv: argv.map((text) => ({ text, raw: text, certainty: text.startsWith('$') ? 'dynamic' : 'exact', quoted: false })),
  carrier: null,
  pipeline: 0,
  stage: 0,
  cwd: '/home/dev/project',
  wrappers: [],
});
const analysis: fc.Arbitrary<Analysis> = fc
  .record({
    argv: fc.constantFrom(['rm', '-rf', 'a'], ['git', 'push', 'origin', 'a'], ['ls'], ['', 'a'], ['rm', '$x']),
    effects: fc.array(
      fc.record({
        op: fc.constantFrom('read' as const, 'write' as const, 'delete' as const, 'move' as const, 'execute' as const),
        parts: fc.array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, fc.constantFrom('*')), {
          maxLength: 3,
        }),
        certainty: fc.constantFrom('exact' as const, 'pattern' as const, 'dynamic' as const),
        traits: fc.subarray(['recursive', 'secret', 'catastrophic'] as const),
        host: fc.option(fc.constantFrom('x.example', '10.1.2.3', ''), { freq: 4 }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  })
  .map(({ argv, effects }) => ({
    commands: [command(argv)],
    flows: [],
    terminal: freshTerminal(null),
    effects: effects.map(({ op, parts, certainty, traits, host }): Effect => ({
      op: host === null ? op : 'network',
      resource:
        host === null
          ? { type: 'path', path: ['/home/dev/project', ...parts].join('/'), place: 'workspace', git: 'tracked' }
          : { type: 'url', url: host, host, port: null, method: null },
      certainty: certainty === 'exact' && parts.includes('*') ? 'pattern' : certainty,
      reversible: 'yes',
      traits,
      command: 0,
      note: '',
    })),
  }));
const context: fc.Arbitrary<PolicyContext> = fc
  .record({
    branch: fc.constantFrom('main', null),
    isTrusted: fc.boolean(),
    hasSandbox: fc.boolean(),
    isHeadless: fc.boolean(),
  })
  .map((some) => ({
    ...contextOf({ when: { kind: 'ExecuteShell', params: {} }, expect: 'allow' }),
    user: null,
    ...some,
  }));
const proposal: Proposal = { kind: 'ExecuteShell', params: { command: 'x' } };

const file = (source: string, specs: readonly RuleSpec[]): LayerFile[] => [
  { source, spec: { version: 1, rules: [...specs] } },
];
const layers = (some: Partial<Record<keyof PolicyLayers, readonly RuleSpec[]>>): PolicyLayers => ({
  ...noLayers,
  ...Object.fromEntries(Object.entries(some).map(([layer, specs]) => [layer, file(layer, specs)])),
});
const decided = (some: PolicyLayers, world: Analysis, circumstances: PolicyContext): Decision =>
  decide(compilePolicy(some), proposal, world, circumstances);
const isAtLeast = (verdict: Verdict, least: Verdict): boolean => strictness(verdict) >= strictness(least);
const subjectOf = (world: Analysis, circumstances: PolicyContext, index: number): Subject => ({
  proposal,
  analysis: world,
  effect: world.effects[index] ?? null,
  index,
  actionRisk: 'low',
  context: circumstances,
  links: [],
});
const judged = (policy: CompiledPolicy, world: Analysis, circumstances: PolicyContext, index: number): Verdict =>
  judgeEffect(policy, subjectOf(world, circumstances, index)).verdict;

/** Enough to meet rare worlds within seconds; more by hand with `RUNS=20000`. */
const RUNS = Number(process.env['RUNS'] ?? 250);

describe('policy properties @slow', function () {
  this.timeout(RUNS * 250);
  it('the order of rules and files does not matter', () => {
    fc.assert(
      fc.property(rules(), rules(), packRules, analysis, context, (user, workspace, packs, world, circumstances) => {
        const one = decided(layers({ user, workspace, packs }), world, circumstances);
        const reversed = layers({
          user: [...user].reverse(),
          workspace: [...workspace].reverse(),
          packs: [...packs].reverse(),
        });
        const split: PolicyLayers = { ...reversed, user: [...user].reverse().flatMap((spec) => file(spec.id, [spec])) };
        for (const other of [reversed, split]) {
          const two = decided(other, world, circumstances);
          assert.equal(two.verdict, one.verdict);
          assert.equal(two.isClearable, one.isClearable);
          const winners = (decision: Decision): string[] =>
            decision.rules.flatMap(({ id, lost, effect }) => (lost === null ? [`${id} ${String(effect)}`] : [])).sort();
          assert.deepEqual(winners(two), winners(one));
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('what was decided before is decided alike, whatever has changed since', () => {
    const changing = fc.record({
      risk: fc.constantFrom(0, 40),
      time: fc.constantFrom(null, { minutes: 60, weekday: 1 }, { minutes: 1200, weekday: 6 }),
      isGitClean: fc.constantFrom(true, false, null),
    });
    const looking: fc.Arbitrary<MatchSpec> = fc.constantFrom<MatchSpec>(
      { context: { risk: '> 20' } },
      { context: { time: '18:00-06:00' } },
      { context: { git: 'clean' } },
      { not: { context: { branch: 'main' } } },
    );
    const watching = fc
      .tuple(rule(fc.constantFrom(-5, 0, 5)), looking)
      .map(([spec, how]): RuleSpec => ({ ...spec, match: { ...spec.match, all: [how] } }));
    const steps = fc.array(fc.tuple(analysis, context, changing), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(rules(), watching, packRules, steps, (user, watcher, packs, few) => {
        const policy = compilePolicy(layers({ user: [...user, watcher], packs }));
        for (const [world, circumstances, change] of [...few, ...few]) {
          const now = { ...circumstances, ...change };
          assert.deepEqual(decideOnce(policy, proposal, world, now), decide(policy, proposal, world, now));
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('in a layer that has a say, a rule of equal priority never loosens', () => {
    const same = rules(fc.constant(0));
    fc.assert(
      fc.property(
        same,
        rule(fc.constant(0)),
        packRules,
        analysis,
        context,
        (user, added, packs, world, circumstances) => {
          const before = compilePolicy(layers({ user, packs }));
          const after = compilePolicy(layers({ user: [...user, added], packs }));
          for (const index of world.effects.keys()) {
            const result = judgeEffect(before, subjectOf(world, circumstances, index));
            if (!result.rules.some(({ layer, isFailure }) => layer === 'user' && !isFailure)) continue;
            const had = result.verdict;
            assert.ok(isAtLeast(judged(after, world, circumstances, index), had));
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('a weaker layer never loosens a stronger one', () => {
    fc.assert(
      fc.property(
        rules(),
        rules(),
        rules(),
        packRules,
        analysis,
        context,
        (organisation, user, workspace, packs, world, circumstances) => {
          const strong = compilePolicy(layers({ organisation, packs }));
          const all = compilePolicy(layers({ organisation, user, workspace, packs }));
          for (const index of world.effects.keys()) {
            const alone = judgeEffect(strong, subjectOf(world, circumstances, index));
            if (!alone.rules.some(({ layer, isFailure }) => layer === 'organisation' && !isFailure)) continue;
            assert.ok(isAtLeast(judged(all, world, circumstances, index), alone.verdict));
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('an untrusted workspace never loosens', () => {
    fc.assert(
      fc.property(rules(), rules(), packRules, analysis, context, (user, workspace, packs, world, circumstances) => {
        const untrusted = { ...circumstances, isTrusted: false };
        const without = decided(layers({ user, packs }), world, untrusted);
        const withIt = decided(layers({ user, workspace, packs }), world, untrusted);
        assert.ok(isAtLeast(withIt.verdict, without.verdict));
        if (withIt.verdict === without.verdict && withIt.isClearable) assert.ok(without.isClearable);
      }),
      { numRuns: RUNS },
    );
  });

  it('nothing loosens a protection', () => {
    fc.assert(
      fc.property(
        rules(),
        rules(),
        packRules,
        analysis,
        context,
        (organisation, workspace, packs, world, circumstances) => {
          const isHit = world.effects.some(({ traits }) => traits.includes('catastrophic'));
          const decision = decided(layers({ organisation, workspace, packs }), world, circumstances);
          if (isHit) assert.equal(decision.verdict, 'deny');
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('the index finds every rule that speaks', () => {
    fc.assert(
      fc.property(
        fc.array(rule(fc.constant(0)), { maxLength: 12 }),
        analysis,
        context,
        (user, world, circumstances) => {
          const policy = compilePolicy(layers({ user }));
          for (const index of world.effects.keys()) {
            const subject = subjectOf(world, circumstances, index);
            const candidates = new Set(policy.index.candidates(subject));
            for (const one of policy.rules)
              for (const isRestricting of [true, false])
                for (const isSure of [true, false])
                  if (!candidates.has(one)) assert.equal(one.match.predicate(subject, { isRestricting, isSure }), 'no');
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('what surely matches may match', () => {
    fc.assert(
      fc.property(flat, analysis, context, (spec, world, circumstances) => {
        const [one] = compilePolicy(layers({ user: [{ id: 'x', match: spec, verdict: 'allow' }] })).rules.slice(-1);
        assert.ok(one);
        for (const index of world.effects.keys()) {
          const subject = subjectOf(world, circumstances, index);
          const surely = one.match.predicate(subject, { isRestricting: false, isSure: true });
          const perhaps = one.match.predicate(subject, { isRestricting: true, isSure: false });
          if (surely === 'yes') assert.equal(perhaps, 'yes');
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('verdicts over the whole product of layers: the strictest of those that speak', () => {
    const everything: MatchSpec = { kind: 'ExecuteShell' };
    const all = (verdict: Verdict | null): readonly RuleSpec[] =>
      verdict === null
        ? []
        : [
            {
              id: `all-${verdict}`,
              match: everything,
              verdict,
              ...(verdict === 'modify' ? { repair: { maxTimeoutSeconds: 5 } } : {}),
            },
          ];
    const world: Analysis = {
      commands: [],
      flows: [],
      terminal: freshTerminal(null),
      effects: [
        {
          op: 'read',
          resource: { type: 'path', path: '/x', place: 'outside', git: 'none' },
          certainty: 'exact',
          reversible: 'yes',
          traits: [],
          command: null,
          note: '',
        },
      ],
    };
    const base = contextOf({ when: { kind: 'ExecuteShell', params: {} }, expect: 'allow' });
    const options = [null, ...VERDICTS];
    for (const organisation of options)
      for (const user of options)
        for (const workspace of options)
          for (const packs of options)
            for (const isTrusted of [true, false]) {
              const decision = decided(
                layers({
                  organisation: all(organisation),
                  user: all(user),
                  workspace: all(workspace),
                  packs: all(packs),
                }),
                world,
                { ...base, isTrusted },
              );
              const heard = [organisation, user, isTrusted ? workspace : null].filter((one) => one !== null);
              const ground = heard.length > 0 ? heard : [packs ?? 'ask'];
              const said = [...ground, ...(isTrusted || workspace === null ? [] : [workspace])];
              const want = said.reduce((a, b) => (strictness(a) >= strictness(b) ? a : b));
              assert.equal(decision.verdict, want, JSON.stringify({ organisation, user, workspace, packs, isTrusted }));
            }
  });
});

describe('who may clear an ask', () => {
  const world: Analysis = {
    commands: [command(['ls'])],
    flows: [],
    terminal: freshTerminal(null),
    effects: [
      {
        op: 'read',
        resource: { type: 'path', path: '/home/dev/project/a', place: 'workspace', git: 'tracked' },
        certainty: 'exact',
        reversible: 'yes',
        traits: [],
        command: 0,
        note: '',
      },
    ],
  };
  const base = contextOf({ when: { kind: 'ExecuteShell', params: {} }, expect: 'allow' });
  const clearable: RuleSpec = { id: 'clearable', match: {}, verdict: 'ask', clearable: true };
  const boxed: RuleSpec = { id: 'boxed', match: {}, verdict: 'sandbox' };
  const isClearable = (some: Parameters<typeof layers>[0], circumstances: Partial<PolicyContext>): boolean =>
    decided(layers(some), world, { ...base, ...circumstances }).isClearable;

  it('a rule of the person or of a trusted workspace may say that the reviewer does, one of an untrusted workspace not', () => {
    assert.equal(isClearable({ user: [clearable] }, {}), true);
    assert.equal(isClearable({ workspace: [clearable] }, { isTrusted: true }), true);
    assert.equal(isClearable({ workspace: [clearable] }, { isTrusted: false }), false);
    assert.equal(
      isClearable({ user: [boxed], workspace: [clearable] }, { isTrusted: false, hasSandbox: false }),
      false,
    );
  });

  it('a sandbox that is missing stays an ask of its own beside one that may be cleared', () => {
    const none = { hasSandbox: false };
    assert.equal(isClearable({ organisation: [boxed], user: [clearable] }, none), false);
    assert.equal(isClearable({ organisation: [{ ...boxed, clearable: true }], user: [clearable] }, none), true);
  });
});
