import fc from 'fast-check';
import { KIND_NAMES } from '../../src/core/lacuna/kinds.js';
import type { Plan } from '../../src/core/plan/plan.js';
import type { Rights } from '../../src/core/session/delegate.js';
import { MODES } from '../../src/core/policy/verdict.js';
import type { ContentMarks, SessionEvent } from '../../src/core/session/event.js';
import type { EffectKey, FileImpact, Impact } from '../../src/core/session/impact.js';
import { CONFIDENTIALITIES } from '../../src/core/session/label.js';
import type { Labels } from '../../src/core/session/labels.js';

const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null });

const labels: fc.Arbitrary<Labels> = fc.record({
  confidentiality: fc.constantFrom(...CONFIDENTIALITIES),
  isUntrusted: fc.boolean(),
});

/** Few paths, some inside each other, so that steps meet. */
const paths = fc.constantFrom('/w/a', '/w/b', '/w/b/c', '/w/b/d.txt', '/h/.env', '/tmp/x');

const file: fc.Arbitrary<FileImpact> = fc.record({
  path: paths,
  identity: orNull(fc.constantFrom('1:1', '1:2')),
  change: fc.constantFrom('write', 'append', 'delete'),
  labels,
  provenance: fc.constantFrom('agent', 'download', 'derived', 'unknown'),
  isNew: fc.boolean(),
});

const key: fc.Arbitrary<EffectKey> = fc.record({
  act: fc.constantFrom('destroy', 'read', 'write', 'network'),
  subject: paths.map((path) => `path:${path}`),
  content: orNull(fc.constantFrom('k1', 'k2')),
  isForced: fc.boolean(),
});

const impact: fc.Arbitrary<Impact> = fc.record({
  kind: fc.constantFrom(...KIND_NAMES),
  summary: fc.string({ maxLength: 10 }),
  context: labels,
  sources: fc.array(fc.string({ maxLength: 8 }), { maxLength: 2 }),
  files: fc.array(file, { maxLength: 3 }),
  variables: fc.array(fc.record({ name: fc.constantFrom('A', 'B'), labels }), { maxLength: 2 }),
  staged: orNull(labels),
  committed: orNull(labels),
  harmful: fc.array(fc.record({ path: paths, why: orNull(fc.constantFrom('it deletes')) }), { maxLength: 2 }),
  keys: fc.array(key, { maxLength: 3 }),
  destroyed: fc.array(paths, { maxLength: 2 }),
  isIrreversible: fc.boolean(),
  isProgress: fc.boolean(),
  fingerprint: fc.record({ exact: fc.constantFrom('e1', 'e2'), near: fc.constantFrom('n1', 'n2') }),
  risk: fc.integer({ min: 0, max: 5 }),
  riskReasons: fc.array(fc.constantFrom('r1', 'r2'), { maxLength: 2 }),
  fit: fc.constantFrom('planned', 'exploratory', 'off-plan', 'none'),
  planStep: orNull(fc.constantFrom('s1')),
  behaviour: fc.array(fc.constantFrom('kind:a', 'host:b'), { maxLength: 2 }),
});

const content: fc.Arbitrary<ContentMarks> = fc.record({
  labels,
  secrets: fc.array(fc.nat({ max: 50 }), { maxLength: 5 }),
  passages: fc.array(fc.nat({ max: 50 }), { maxLength: 5 }),
  named: fc.array(fc.nat({ max: 50 }), { maxLength: 5 }),
});

const atMs = fc.integer({ min: 0, max: 10_000_000 });
const ids = fc.constantFrom('l1', 'l2', 'l3');

const decided: fc.Arbitrary<SessionEvent> = fc.record({
  type: fc.constant('decided' as const),
  atMs,
  lacunaId: ids,
  parentId: fc.constant(null),
  depth: fc.nat({ max: 3 }),
  subagent: orNull(fc.constantFrom<string>('s', 't')),
  verdict: fc.constantFrom('allow', 'ask', 'deny'),
  by: fc.constantFrom('rule', 'person', 'state'),
  isPermitted: fc.boolean(),
  refused: fc.array(fc.nat({ max: 3 }), { maxLength: 2 }),
  impact,
  lends: orNull(
    fc.record<Rights>({
      name: fc.constantFrom<string>('s', 't'),
      parent: orNull(fc.constantFrom<string>('s', 't')),
      depth: fc.nat({ max: 3 }),
      kinds: orNull(fc.array(fc.constantFrom(...KIND_NAMES), { maxLength: 3 })),
      paths: fc.array(fc.array(fc.constantFrom('src/**', 'a'), { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
      lacunas: orNull(fc.nat({ max: 9 })),
      seconds: orNull(fc.nat({ max: 9 })),
      tokens: orNull(fc.nat({ max: 9 })),
      fromMs: atMs,
    }),
  ),
});

/** Any event but a declassification, which alone may take labels away. */
export const tighteningEvents: fc.Arbitrary<SessionEvent> = fc.oneof(
  { weight: 6, arbitrary: decided },
  fc.record({
    type: fc.constant('filled' as const),
    atMs,
    lacunaId: ids,
    outcome: fc.constantFrom('filled' as const, 'failed' as const),
    content: orNull(content),
  }),
  fc.record({ type: fc.constant('request' as const), atMs, text: fc.string({ maxLength: 12 }) }),
  fc.record({
    type: fc.constant('plan' as const),
    atMs,
    plan: fc.constant<Plan>({
      goal: 'g',
      steps: [{ id: 'a', task: 't', kinds: [], resources: ['src/**'], after: [] }],
    }),
  }),
  fc.record({
    type: fc.constant('mode' as const),
    atMs,
    mode: fc.constantFrom(...MODES),
    by: fc.constant('engine' as const),
    why: fc.constant('w'),
  }),
  fc.record({
    type: fc.constant('tokens' as const),
    atMs,
    subagent: orNull(fc.constantFrom<string>('s', 't')),
    count: fc.nat({ max: 99 }),
  }),
);

/** Any event. */
export const anyEvents: fc.Arbitrary<SessionEvent> = fc.oneof(
  { weight: 8, arbitrary: tighteningEvents },
  fc.record({
    type: fc.constant('declassified' as const),
    atMs,
    path: orNull(paths),
    to: fc.constantFrom(...CONFIDENTIALITIES),
    by: fc.constantFrom('person' as const, 'policy' as const),
    why: fc.constant('w'),
  }),
  fc.record({
    type: fc.constant('mode' as const),
    atMs,
    mode: fc.constantFrom(...MODES),
    by: fc.constant('person' as const),
    why: fc.constant('w'),
  }),
  fc.record({
    type: fc.constant('pardoned' as const),
    atMs,
    what: fc.constantFrom('loop' as const, 'refusals' as const, 'budget' as const, 'drift' as const),
  }),
);
