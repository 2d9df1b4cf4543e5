import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { KeptPolicyFolder } from '../../src/adapters/keptPolicies.js';
import { policyFiles } from '../../src/adapters/policyFiles.js';
import { clock, hasher } from '../../src/adapters/system.js';
import { troubleLines } from '../../src/core/policy/lastGood.js';
import type { LoadedSource, PolicySource, WrittenLayer } from '../../src/core/policy/load.js';
import { policySchema } from '../../src/core/policy/schema.js';
import { PolicyStore } from '../../src/core/policy/store.js';
import { runTests } from '../../src/core/policy/testing/runTests.js';
import { strictness, type Verdict } from '../../src/core/policy/verdict.js';
import { analyseBare } from '../support/policies.js';

/** One way in which a policy file breaks. */
interface Breakage {
  readonly note: string;
  /** Text of the file; absent for those that `how` makes. */
  readonly text?: string;
  readonly how?: 'folder' | 'latin1' | 'huge' | 'anchors' | 'deep' | 'circle' | 'dangling' | 'below-file';
  /** Other files of the folder. */
  readonly more?: Readonly<Record<string, string>>;
  /** Where the first problem is told: file, line and column. */
  readonly at: string;
  readonly says: string;
}

const { breakages } = parse(readFileSync(path.join(import.meta.dirname, 'policyBreakages.cases.yaml'), 'utf8')) as {
  readonly breakages: readonly Breakage[];
};

/** Stricter than the default in one thing, looser in another, in a stricter mode. */
const GOOD = `version: 1
mode: strict
rules:
  - { id: no-docs, match: { kind: WriteFile, effect: { path: 'docs/**' } }, verdict: deny }
  - { id: own-api, match: { kind: HttpRequest, effect: { host: api.example.com } }, verdict: allow }
`;

/** What is asked of each policy, and how the default, the good policy and both together answer in balanced mode. */
const PROBES: Readonly<Record<string, { readonly when: unknown; readonly answers: Answers }>> = {
  stricter: {
    when: { kind: 'WriteFile', params: { path: 'docs/a.md', content: 'x' } },
    answers: { default: 'allow', good: 'deny', both: 'deny' },
  },
  looser: {
    when: { kind: 'HttpRequest', params: { method: 'GET', url: 'https://api.example.com/x' } },
    answers: { default: 'ask', good: 'allow', both: 'ask' },
  },
  other: {
    when: { kind: 'WriteFile', params: { path: 'src/a.ts', content: 'x' } },
    answers: { default: 'allow', good: 'allow', both: 'allow' },
  },
};
interface Answers {
  readonly default: Verdict;
  readonly good: Verdict;
  readonly both: Verdict;
}

/** Layers and how a person comes to name their files. */
const PLACES: readonly {
  readonly note: string;
  readonly layer: WrittenLayer;
  readonly isTrusted: boolean;
  readonly isNamed: boolean;
}[] = [
  { note: 'workspace', layer: 'workspace', isTrusted: true, isNamed: false },
  { note: 'untrusted workspace', layer: 'workspace', isTrusted: false, isNamed: false },
  { note: 'user', layer: 'user', isTrusted: true, isNamed: false },
  { note: 'user, by setting', layer: 'user', isTrusted: true, isNamed: true },
  { note: 'organisation', layer: 'organisation', isTrusted: true, isNamed: false },
  { note: 'organisation, by setting', layer: 'organisation', isTrusted: true, isNamed: true },
];

let base = '';
const file = (name: string): string => path.join(base, 'policies', name).replaceAll('\\', '/');
const state = (): string => path.join(base, 'state');

function write(breakage: Breakage): void {
  rmSync(file(''), { recursive: true, force: true });
  if (breakage.how === 'below-file') {
    writeFileSync(path.join(base, 'policies'), '');
    return;
  }
  mkdirSync(file(''), { recursive: true });
  for (const [name, text] of Object.entries(breakage.more ?? {})) writeFileSync(file(name), text);
  const target = file('policy.yaml');
  switch (breakage.how) {
    case undefined:
      writeFileSync(target, breakage.text ?? '');
      return;
    case 'folder':
      mkdirSync(target);
      return;
    case 'latin1':
      writeFileSync(target, Buffer.from('version: 1\nname: caf\u00e9\n', 'latin1'));
      return;
    case 'huge':
      writeFileSync(target, `version: 1\n${'# much\n'.repeat(1_500_000)}`);
      return;
    case 'anchors': {
      const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
      for (let at = 1; at < 12; at++)
        lines.push(
          `a${String(at)}: &a${String(at)} [${Array(9)
            .fill(`*a${String(at - 1)}`)
            .join(', ')}]`,
        );
      writeFileSync(target, `version: 1\n${lines.join('\n')}\n`);
      return;
    }
    case 'deep':
      writeFileSync(target, `version: 1\nrules: ${'['.repeat(100_000)}\n`);
      return;
    case 'circle':
      symlinkSync('policy.yaml', target);
      return;
    case 'dangling':
      symlinkSync('gone.yaml', target);
  }
}

function writeGood(): void {
  rmSync(path.join(base, 'policies'), { recursive: true, force: true });
  mkdirSync(file(''), { recursive: true });
  writeFileSync(file('policy.yaml'), GOOD);
}

interface Place {
  readonly source: PolicySource;
  readonly isTrusted: boolean;
}

/** A process of its own: nothing is known but what is on disk. */
async function start({ source, isTrusted }: Place): Promise<PolicyStore> {
  const store = new PolicyStore(policyFiles, new KeptPolicyFolder(state(), { hasher, clock }), isTrusted);
  await store.load([source]);
  return store;
}

function verdictsOf(store: PolicyStore, isTrusted: boolean): Readonly<Record<string, Verdict | undefined>> {
  const { tests } = policySchema.parse({
    version: 1,
    tests: Object.values(PROBES).map(({ when }) => ({ when, expect: 'allow', context: { trusted: isTrusted } })),
  });
  const results = runTests(store.policy, tests ?? [], analyseBare);
  return Object.fromEntries(Object.keys(PROBES).map((name, index) => [name, results[index]?.decision?.verdict]));
}

const answers = (which: keyof Answers): Readonly<Record<string, Verdict>> =>
  Object.fromEntries(Object.entries(PROBES).map(([name, probe]) => [name, probe.answers[which]]));

function assertTold(loaded: LoadedSource | undefined, breakage: Breakage, standing: LoadedSource['standing']): void {
  assert.ok(loaded);
  const [first, ...rest] = troubleLines(loaded);
  const [source, line, column] = breakage.at.split(':');
  assert.match(first ?? '', new RegExp(`^${source ?? ''}:${line ?? ''}:${column ?? ''}: .*${breakage.says}`));
  assert.equal(loaded.problems.length, 1, 'one message');
  assert.equal(loaded.standing, standing);
  assert.match(rest.join('\n'), standing === 'nothing' ? /has no say/ : /its last good version/);
}

/** Changes what is kept, as somebody would who can write there but has no key. */
function tamper(change: (text: string) => string): void {
  const folder = path.join(state(), 'policies');
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.json')))
    writeFileSync(path.join(folder, name), change(readFileSync(path.join(folder, name), 'utf8')));
}

describe('broken policy files', () => {
  beforeEach(() => {
    base = mkdtempSync(path.join(os.tmpdir(), 'lacuna-broken-'));
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  for (const { note, layer, isTrusted, isNamed } of PLACES)
    describe(note, () => {
      const place = (): Place => ({
        source: { layer, path: file('policy.yaml'), name: 'policy.yaml', ...(isNamed ? { isRequired: true } : {}) },
        isTrusted,
      });
      const good = isTrusted ? 'good' : 'both';

      for (const breakage of breakages)
        it(breakage.note, async () => {
          // Never good: the default holds.
          write(breakage);
          const never = await start(place());
          assertTold(never.loaded[0], breakage, 'nothing');
          assert.deepEqual(verdictsOf(never, isTrusted), answers('default'));
          assert.equal(never.mode, null);

          // Good once, and broken in the same process.
          writeGood();
          const live = await start(place());
          assert.deepEqual(verdictsOf(live, isTrusted), answers(good));
          assert.equal(live.mode, 'strict');
          write(breakage);
          await live.load();
          assertTold(live.loaded[0], breakage, 'last-good');
          assert.deepEqual(verdictsOf(live, isTrusted), answers(good));

          // Broken before the process started.
          const later = await start(place());
          assertTold(later.loaded[0], breakage, 'last-good');
          assert.deepEqual(verdictsOf(later, isTrusted), answers(good));
          assert.equal(later.mode, 'strict');

          // Mended: it counts at once.
          writeGood();
          await later.load();
          assert.deepEqual(later.problems, []);
          assert.equal(later.loaded[0]?.standing, 'as-written');
        });

      it('what was kept and then changed only tightens', async () => {
        const [breakage] = breakages;
        assert.ok(breakage);
        writeGood();
        await start(place());
        tamper((text) => text.replace('api.example.com', "'*'"));
        write(breakage);
        const store = await start(place());
        assertTold(store.loaded[0], breakage, 'unverified');
        assert.deepEqual(verdictsOf(store, isTrusted), answers('both'));
        assert.equal(store.mode, 'strict');
      });

      it('what cannot be read of what was kept is nothing', async () => {
        const [breakage] = breakages;
        assert.ok(breakage);
        writeGood();
        await start(place());
        tamper(() => '{"v":1');
        write(breakage);
        const store = await start(place());
        assertTold(store.loaded[0], breakage, 'nothing');
        assert.deepEqual(verdictsOf(store, isTrusted), answers('default'));
      });

      it('without the key nothing is proven', async () => {
        const [breakage] = breakages;
        assert.ok(breakage);
        writeGood();
        await start(place());
        const key = path.join(state(), 'policies', 'policies.key');
        for (const damage of [() => writeFileSync(key, 'x'), () => rmSync(key)]) {
          damage();
          write(breakage);
          assert.deepEqual(verdictsOf(await start(place()), isTrusted), answers('both'));
        }
        // A new good version is kept under a new key.
        writeGood();
        await start(place());
        write(breakage);
        assert.deepEqual(verdictsOf(await start(place()), isTrusted), answers(good));
      });

      it(
        isNamed ? 'a file that was named and is gone is a mistake' : 'a file that was taken away is forgotten',
        async () => {
          writeGood();
          await start(place());
          rmSync(file('policy.yaml'));
          const store = await start(place());
          assert.equal(store.problems.length, isNamed ? 1 : 0);
          assert.deepEqual(verdictsOf(store, isTrusted), answers(isNamed ? good : 'default'));
          const [breakage] = breakages;
          assert.ok(breakage);
          write(breakage);
          assert.deepEqual(verdictsOf(await start(place()), isTrusted), answers(isNamed ? good : 'default'));
        },
      );
    });

  it('layers and places do not stand in for each other', async () => {
    const [breakage] = breakages;
    assert.ok(breakage);
    writeGood();
    const user: PolicySource = { layer: 'user', path: file('policy.yaml'), name: 'policy.yaml' };
    await start({ source: user, isTrusted: true });
    write(breakage);
    const others: readonly PolicySource[] = [
      { ...user, layer: 'workspace' },
      { ...user, path: `${base.replaceAll('\\', '/')}/./policies/policy.yaml` },
    ];
    for (const source of others) {
      const store = await start({ source, isTrusted: true });
      assert.equal(store.loaded[0]?.standing, 'nothing');
    }
  });

  it('what was good under another signing key only tightens', async () => {
    const [breakage] = breakages;
    assert.ok(breakage);
    writeGood();
    const source: PolicySource = { layer: 'organisation', path: file('policy.yaml'), name: 'policy.yaml' };
    const live = await start({ source, isTrusted: true });
    const signed = { source: { ...source, key: 'x' }, isTrusted: true };
    const store = await start(signed);
    assert.equal(store.loaded[0]?.standing, 'unverified');
    assert.deepEqual(verdictsOf(store, true), answers('both'));
    await live.load([signed.source]);
    assert.deepEqual(verdictsOf(live, true), answers('both'));
  });

  it('both are never looser than either', () => {
    for (const { answers: each } of Object.values(PROBES))
      assert.equal(strictness(each.both), Math.max(strictness(each.default), strictness(each.good)));
  });
});
