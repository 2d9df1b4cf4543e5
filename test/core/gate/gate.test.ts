import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AuditFolder } from '../../../src/adapters/auditFile.js';
import { createBindings } from '../../../src/adapters/bindings.js';
import { lookAtFileSystem } from '../../../src/adapters/facts.js';
import { fileIdentity } from '../../../src/adapters/fileIdentity.js';
import { policyFiles } from '../../../src/adapters/policyFiles.js';
import { clock, hasher, ids } from '../../../src/adapters/system.js';
import { installedWasm, TreeSitter } from '../../../src/adapters/treeSitter.js';
import { describeProposal, describeRecord } from '../../../src/core/audit/describe.js';
import { toOtlp } from '../../../src/core/audit/otlp.js';
import type { AuditBody } from '../../../src/core/audit/record.js';
import { timelineOf } from '../../../src/core/audit/timeline.js';
import type { Executors } from '../../../src/core/gate/executor.js';
import { openSession, type Engine, type Session } from '../../../src/core/gate/openSession.js';
import { KIND_NAMES, type Kind } from '../../../src/core/lacuna/kinds.js';
import type { Proposal } from '../../../src/core/lacuna/lacuna.js';
import { keepsNothing } from '../../support/keptPolicies.js';
import { PolicyStore } from '../../../src/core/policy/store.js';
import type { Approval, AuditSink, Question } from '../../../src/core/ports.js';
import type { Review } from '../../../src/core/review/review.js';
import { closed } from '../../support/decisions.js';

const syntax = new TreeSitter(installedWasm(path.resolve(import.meta.dirname, '../../..')));

describe('the gate', () => {
  let base: string;
  let root: string;
  let answers: Approval[];
  let questions: Question[];
  let filled: { kind: Kind; params: unknown; isConfined: boolean }[];
  let review: Review;
  let rules: string[];
  let audits: AuditFolder;
  /** What happens to the world while a person thinks. */
  let whileAsked: () => Promise<void>;
  let engine: Engine;

  const none = new AbortController().signal;
  const look = () => lookAtFileSystem({ roots: [root], home: path.join(base, 'home') });

  before(async () => {
    await syntax.load('bash');
  });

  beforeEach(() => {
    base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-gate-')));
    root = path.join(base, 'work');
    mkdirSync(root);
    mkdirSync(path.join(base, 'home'));
    writeFileSync(path.join(root, 'a.txt'), 'one\n');
    [answers, questions, filled, rules] = [[], [], [], []];
    review = { type: 'none', why: 'off', message: '' };
    whileAsked = () => Promise.resolve();
    audits = new AuditFolder(path.join(base, 'state'), { hasher, clock });
    engine = {
      clock,
      ids,
      syntax,
      look,
      identity: fileIdentity,
      policy: new PolicyStore(policyFiles, keepsNothing, true),
      circumstances: () => ({ user: null, time: null, isHeadless: false, isTrusted: true, hasSandbox: true }),
      sandbox: () => closed,
      bindings: createBindings({ look }, clock),
      reviewer: { review: () => Promise.resolve(review) },
      approver: {
        async ask(question) {
          questions.push(question);
          await whileAsked();
          return answers.shift() ?? { type: 'nobody', why: 'timed-out' };
        },
      },
      checkpoints: { take: () => Promise.resolve('c1') },
      executors: recordingExecutors(),
      audit: (sessionId) => audits.open(sessionId),
      usual: () => null,
      proposeRule: () => 'id: always',
      addRule: (rule) => {
        rules.push(rule);
        return Promise.resolve();
      },
    };
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  /** Executors that spend the permit and note what they were let to do. */
  function recordingExecutors(): Executors {
    const one = {
      async fill(permit: { spend(): Promise<unknown> }) {
        const spent = (await permit.spend()) as
          | { ok: true; value: { lacuna: { kind: Kind }; params: unknown; confinement: unknown } }
          | { ok: false; error: 'changed' };
        if (!spent.ok) return { type: 'void', why: spent.error, message: '' } as const;
        filled.push({
          kind: spent.value.lacuna.kind,
          params: spent.value.params,
          isConfined: spent.value.confinement !== null,
        });
        return {
          type: 'filled',
          output: { text: 'done', droppedBytes: 0, maskedSecrets: 0, isUntrusted: false },
          changed: [],
          durationMs: 1,
          status: 0,
        } as const;
      },
    };
    const all: unknown = Object.fromEntries(KIND_NAMES.map((kind) => [kind, one]));
    return all as Executors;
  }

  const open = (sessionId = 's'): Promise<Session> => openSession({ sessionId, mode: 'balanced' }, engine);
  const proposed = (proposal: Proposal) => ({
    proposal,
    origin: { agent: 'cli', subagent: null, request: 'tidy up', requestId: null },
    parentId: null,
    depth: 0,
    description: '',
    planStep: null,
  });
  const handle = ({ gate }: Session, proposal: Proposal, cancel: AbortSignal = none) =>
    gate.handle(proposed(proposal), cancel, { output: () => undefined });
  const shell = (command: string): Proposal => ({ kind: 'ExecuteShell', params: { command } });
  /** Asked about by the default policy: work that no commit holds would be lost. */
  const lossy = shell('rm a.txt');
  const typesOf = (sessionId = 's'): string[] => audits.verify(sessionId).records.map((record) => record.type);

  it('fills what is allowed, and records every step', async () => {
    const outcome = await handle(await open(), { kind: 'ReadFile', params: { path: 'a.txt' } });
    assert.equal(outcome.type, 'filled');
    assert.deepEqual(
      filled.map(({ kind }) => kind),
      ['ReadFile'],
    );
    assert.deepEqual(typesOf(), [
      'session',
      'proposed',
      'analysed',
      'reviewed',
      'decided',
      'session',
      'outcome',
      'session',
    ]);
    assert.deepEqual(audits.verify('s').faults, []);
  });

  it('refuses what a protection forbids, whatever anybody says', async () => {
    answers = [{ type: 'always', rule: 'x' }];
    review = {
      type: 'answered',
      verdict: 'approve',
      risk: 'none',
      reason: '',
      confidence: 1,
      model: 'm',
      durationMs: 1,
      isCached: false,
    };
    const outcome = await handle(await open(), shell('rm -rf ~'));
    assert.equal(outcome.type === 'refused' && outcome.by, 'rule');
    assert.deepEqual([filled, questions], [[], []]);
  });

  it('asks, and a yes fills once', async () => {
    answers = [{ type: 'once' }];
    const session = await open();
    assert.equal((await handle(session, lossy)).type, 'filled');
    assert.equal(questions.length, 1);
    assert.ok(typesOf().includes('checkpoint'));
    assert.equal((await handle(session, lossy)).type, 'refused', 'the second time nobody says yes');
    assert.equal(questions.length, 2);
  });

  it('closing the dialog, a no and nobody are three different refusals', async () => {
    answers = [{ type: 'no', reason: 'not that one' }];
    const no = await handle(await open('a'), lossy);
    assert.deepEqual(no.type === 'refused' && [no.by, no.message], ['person', 'not that one']);
    answers = [{ type: 'no', reason: '' }];
    const silent = await handle(await open('c'), lossy);
    assert.match(silent.type === 'refused' ? silent.message : '', /^Asked first: it deletes /);
    const nobody = await handle(await open('b'), lossy);
    assert.equal(nobody.type === 'refused' && nobody.by, 'no-person');
    assert.deepEqual(filled, []);
  });

  it('"for this session" holds for the very same effects, not for others, and not in another session', async () => {
    answers = [{ type: 'session' }];
    const session = await open('a');
    writeFileSync(path.join(root, 'b.txt'), 'two\n');
    await handle(session, lossy);
    assert.equal((await handle(session, lossy)).type, 'filled');
    assert.equal((await handle(session, shell('rm b.txt'))).type, 'refused');
    assert.equal((await handle(await open('b'), lossy)).type, 'refused');
  });

  it('"always" writes the rule that the person saw', async () => {
    answers = [{ type: 'always', rule: 'id: as-changed' }];
    await handle(await open(), lossy);
    assert.equal(questions[0]?.alwaysRule, 'id: always');
    assert.deepEqual(rules, ['id: as-changed']);
  });

  it('a proposal that the person changed is judged from the start', async () => {
    answers = [{ type: 'changed', params: { command: 'rm -rf ~' } }];
    const outcome = await handle(await open(), lossy);
    assert.equal(outcome.type === 'refused' && outcome.by, 'rule');
    answers = [{ type: 'changed', params: { command: 5 } }];
    const unreadable = await handle(await open('b'), lossy);
    assert.equal(unreadable.type === 'refused' && unreadable.by, 'person');
    assert.deepEqual(filled, []);
  });

  it('a yes is worth nothing when what it was given for has changed meanwhile', async () => {
    answers = [{ type: 'once' }];
    whileAsked = () => {
      writeFileSync(path.join(root, 'a.txt'), 'something else by now\n');
      whileAsked = () => Promise.resolve();
      return Promise.resolve();
    };
    const outcome = await handle(await open(), lossy);
    assert.equal(outcome.type, 'refused', 'asked again about the new content, and nobody answered');
    assert.equal(questions.length, 2);
    assert.deepEqual(filled, []);
  });

  it('a policy that became stricter while the person thought is heard', async () => {
    answers = [{ type: 'once' }];
    whileAsked = async () => {
      const file = path.join(base, 'p.yaml');
      writeFileSync(
        file,
        'version: 1\nrules:\n  - { id: no-rm, match: { command: "rm **" }, verdict: deny, reason: no }\n',
      );
      await engine.policy.load([{ layer: 'workspace', path: file, name: 'p.yaml' }]);
    };
    const outcome = await handle(await open(), lossy);
    assert.equal(outcome.type === 'refused' && outcome.by, 'rule');
    assert.deepEqual(filled, []);
  });

  it('a reviewer that objects makes an allow an ask', async () => {
    review = {
      type: 'answered',
      verdict: 'reject',
      risk: 'low',
      reason: 'not asked for',
      confidence: 0.9,
      model: 'm',
      durationMs: 1,
      isCached: false,
    };
    const outcome = await handle(await open(), { kind: 'ReadFile', params: { path: 'a.txt' } });
    assert.equal(outcome.type, 'refused');
    assert.match(questions[0]?.decision.reason ?? '', /not asked for/);
  });

  it('cancelled before it is filled, nothing is done', async () => {
    const cancel = AbortSignal.abort();
    assert.equal(
      (await handle(await open(), { kind: 'ReadFile', params: { path: 'a.txt' } }, cancel)).type,
      'cancelled',
    );
    assert.deepEqual(filled, []);
  });

  const faults: readonly (readonly [string, (broken: { -readonly [P in keyof Engine]: Engine[P] }) => void])[] = [
    ['circumstances', (broken) => (broken.circumstances = throws)],
    ['bindings', (broken) => (broken.bindings = { ...broken.bindings, bind: rejects })],
    ['reviewer', (broken) => (broken.reviewer = { review: rejects })],
    ['approver', (broken) => (broken.approver = { ask: rejects })],
    ['checkpoints', (broken) => (broken.checkpoints = { take: rejects })],
    ['rules', (broken) => (broken.proposeRule = throws)],
  ];
  for (const [name, breakIt] of faults)
    it(`a fault of the ${name} is no verdict, and never an allow`, async () => {
      answers = [{ type: 'once' }];
      breakIt(engine as { -readonly [P in keyof Engine]: Engine[P] });
      const outcome = await handle(await open('broken'), lossy);
      assert.equal(outcome.type === 'refused' && outcome.by, 'no-verdict', name);
      assert.deepEqual(filled, []);
      assert.ok(typesOf('broken').includes('failure'));
    });

  it('what is denied is refused without a look at all that it would have touched', async () => {
    engine = { ...engine, bindings: { ...engine.bindings, bind: () => Promise.reject(new Error('looked')) } };
    const outcome = await handle(await open(), shell('rm -rf /'));
    assert.equal(outcome.type === 'refused' && outcome.by, 'rule');
  });

  it('what cannot be recorded is not filled', async () => {
    const full: AuditSink = {
      append: (body: AuditBody) =>
        body.type === 'decided' ? Promise.reject(new Error('no space left on device')) : Promise.resolve(),
      read: () => Promise.resolve([]),
    };
    engine = { ...engine, audit: () => full };
    const outcome = await handle(await open(), { kind: 'ReadFile', params: { path: 'a.txt' } });
    assert.equal(outcome.type === 'refused' && outcome.by, 'no-verdict');
    assert.match(outcome.type === 'refused' ? outcome.message : '', /no space/);
    assert.deepEqual(filled, []);
  });

  it('an executor that breaks is a failure, not a crash', async () => {
    const broken = { fill: () => Promise.reject(new Error('bang')) };
    engine = { ...engine, executors: { ...engine.executors, ReadFile: broken } };
    const outcome = await handle(await open(), { kind: 'ReadFile', params: { path: 'a.txt' } });
    assert.match(outcome.type === 'failed' ? outcome.message : '', /bang/);
  });

  it('a session goes on from its audit, and a step that a crash cut off shows as unfinished', async () => {
    const first = await open();
    await handle(first, { kind: 'ReadFile', params: { path: 'a.txt' } });
    const lacuna = first.gate.open(proposed({ kind: 'ReadFile', params: { path: 'a.txt' } }));
    await first.gate.consider(lacuna, none); // and then the process dies
    const again = await open();
    assert.deepEqual(
      again.ledger.entries.map((entry) => entry.progression),
      ['done', 'unfinished'],
    );
    assert.equal(again.ledger.state.steps, first.ledger.state.steps);
  });

  describe('reads that were proposed together', () => {
    const secrets = ['.env', 'id_rsa', '.env.local'];
    const reads = (session: Session, names: readonly string[]) =>
      names.map((name) => session.gate.open(proposed({ kind: 'ReadFile', params: { path: name } })));
    const together = async (names: readonly string[]) => {
      const session = await open();
      const passed = await session.gate.passTogether(reads(session, names), none, () => ({ output: () => undefined }));
      return passed.map(({ outcome }) => outcome.type);
    };
    const groups = () =>
      audits.verify('s').records.flatMap((one) => (one.type === 'group' ? [one.lacunas.map(({ id }) => id)] : []));
    beforeEach(() => {
      for (const name of secrets) writeFileSync(path.join(root, name), 'x\n');
    });

    it('are one group in the audit, and one question where any of them is asked about', async () => {
      answers = [{ type: 'once' }];
      assert.deepEqual(await together(['a.txt', ...secrets]), ['filled', 'filled', 'filled', 'filled']);
      assert.equal(questions.length, 1);
      assert.match(questions[0]?.decision.reason ?? '', /^3 reads at once; .*\n.*\.env[^]*id_rsa[^]*\.env\.local/);
      assert.equal(questions[0]?.alwaysRule, null);
      assert.deepEqual(
        groups().map((ids) => ids.length),
        [4],
      );
    });

    it('are one decision in the audit, which names each, and another one for those that a person answered', async () => {
      answers = [{ type: 'once' }];
      await together(['a.txt', 'b.txt', ...secrets]);
      const { records, faults } = audits.verify('s');
      assert.deepEqual(faults, []);
      const decided = records.flatMap((one) => (one.type === 'group-decided' ? [one] : []));
      assert.deepEqual(
        decided.map(({ members }) => members.length),
        [2, 3],
      );
      assert.ok(!records.some(({ type }) => type === 'proposed' || type === 'decided'));
      const told = records.map(describeRecord).join('\n');
      for (const name of ['a.txt', 'b.txt', ...secrets]) assert.ok(told.includes(`ReadFile: read ${name}`), name);
      // What is read back from the audit is what was known live, and each read is there by itself.
      const again = await open();
      assert.deepEqual(
        again.ledger.entries.map(({ lacuna, decision, analysis, outcome }) => [
          describeProposal(lacuna),
          decision?.verdict,
          analysis?.effects.length,
          outcome?.type,
        ]),
        ['a.txt', 'b.txt', ...secrets].map((name) => [`read ${name}`, 'allow', 1, 'filled']),
      );
      assert.equal(new Set(again.ledger.entries.map(({ groupId }) => groupId)).size, 1);
      assert.equal(again.ledger.state.steps, 5);
      const moments = timelineOf(records).filter(({ type }) => type === 'lacuna');
      assert.equal(moments.length, 5);
      assert.match(JSON.stringify(toOtlp(records, hasher)), /lacuna\.group/);
    });

    it('a group of which all are allowed is two lines before its outcomes', async () => {
      await together(['a.txt', 'b.txt', 'c.txt']);
      const types = audits.verify('s').records.flatMap(({ type }) => (type === 'reviewed' ? [] : [type]));
      assert.deepEqual(types.slice(0, 3), ['session', 'group', 'group-decided']);
      assert.deepEqual(new Set(types.slice(3)), new Set(['outcome', 'session']));
      assert.equal(types.length, 9);
    });

    it('one that the person changed does not hold up the others', async () => {
      answers = [{ type: 'changed', params: { path: 'a.txt' } }];
      assert.deepEqual(await together(secrets), ['filled', 'refused', 'refused']);
    });

    it('are all refused by one no', async () => {
      answers = [{ type: 'no', reason: 'these are mine' }];
      assert.deepEqual(await together(['a.txt', ...secrets]), ['filled', 'refused', 'refused', 'refused']);
      assert.equal(questions.length, 1);
      assert.deepEqual(filled.length, 1);
    });

    it('a single question is put as it is', async () => {
      answers = [{ type: 'once' }];
      await together(['a.txt', '.env']);
      assert.doesNotMatch(questions[0]?.decision.reason ?? '', /reads at once/);
      assert.equal(questions[0]?.alwaysRule, 'id: always');
    });

    it('one alone is no group', async () => {
      await together(['a.txt']);
      assert.deepEqual(groups(), []);
    });

    it('none waits for one whose judgement breaks', async () => {
      let calls = 0;
      const { bindings } = engine;
      engine = {
        ...engine,
        bindings: {
          ...bindings,
          bind: (...args) => {
            calls += 1;
            return calls === 2 ? Promise.reject(new Error('broken')) : bindings.bind(...args);
          },
        },
      };
      answers = [{ type: 'once' }];
      const outcomes = await together(secrets);
      assert.deepEqual(outcomes.toSorted(), ['filled', 'filled', 'refused']);
      assert.equal(questions.length, 1);
    });
  });

  it('lets no more act at once than there is room for, and a slow one does not hold up what only looks', async () => {
    let [running, most] = [0, 0];
    const finish: (() => void)[] = [];
    const slow = {
      async fill(permit: { spend(): Promise<unknown> }) {
        await permit.spend();
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => finish.push(resolve));
        running -= 1;
        return { type: 'cancelled', message: '', durationMs: 0 } as const;
      },
    };
    engine = { ...engine, executors: { ...engine.executors, ExecuteShell: slow } };
    const session = await open();
    const acts = Array.from({ length: 12 }, (_unused, index) => handle(session, shell(`echo ${String(index)}`)));
    while (finish.length < 8) await new Promise((resolve) => setImmediate(resolve));
    const read = await handle(session, { kind: 'ReadFile', params: { path: 'a.txt' } });
    assert.equal(read.type, 'filled');
    assert.equal(running, 8);
    let ended = 0;
    for (const act of acts) void act.then(() => (ended += 1));
    while (ended < 12) {
      finish.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(most, 8);
  });
});

const throws = (): never => {
  throw new Error('broken');
};
const rejects = (): Promise<never> => Promise.reject(new Error('broken'));
