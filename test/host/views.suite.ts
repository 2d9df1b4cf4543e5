import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AuditBody } from '../../src/core/audit/record.js';
import { Ledger } from '../../src/core/gate/ledger.js';
import type { Lacuna, Proposal } from '../../src/core/lacuna/lacuna.js';
import type { AuditSink, Question } from '../../src/core/ports.js';
import { initialState } from '../../src/core/session/state.js';
import { telling } from '../../src/vscode/auditHealth.js';
import { Health } from '../../src/vscode/health.js';
import { Sessions, type Session } from '../../src/vscode/sessions.js';
import { DETAILS, DetailsPages, detailsUri, type Questions } from '../../src/vscode/views/details.js';
import { SessionTree, type Row } from '../../src/vscode/views/sessionTree.js';
import { analysisOf, decisionOf, effectOf } from '../support/decisions.js';

/** A session of which the views know what is written here, and nothing else. `before`: what a window that ended had written. */
async function openSession(before: readonly AuditBody[] = []): Promise<{ sessions: Sessions; ledger: Ledger }> {
  const records = before.map((body, seq) => ({
    ...body,
    v: 1 as const,
    sessionId: 's',
    seq,
    atMs: 0,
    previous: '',
    mac: '',
  }));
  const nowhere: AuditSink = { append: () => Promise.resolve(), read: () => Promise.resolve(records) };
  const ledger = await Ledger.reopen(initialState('s', ['/ws'], 'balanced', 0), nowhere, () => 0);
  const session: Pick<Session, 'id' | 'ledger' | 'audit'> = { id: 's', ledger, audit: nowhere };
  const sessions = new Sessions(() => Promise.resolve(session as Session));
  await sessions.use('s');
  return { sessions, ledger };
}

const proposed = (proposal: Proposal, id: string, more: Partial<Lacuna> = {}): Lacuna =>
  Object.freeze({
    ...proposal,
    id,
    sessionId: 's',
    parentId: null,
    depth: 0,
    origin: { agent: 'lacuna', subagent: null, request: 'look around', requestId: null },
    description: '',
    planStep: null,
    ...more,
  } as Lacuna);

const labelOf = (tree: SessionTree, row: Row): string => {
  const { label } = tree.getTreeItem(row);
  return typeof label === 'string' ? label : (label?.label ?? '');
};

describe('the views', () => {
  it('put what a sub-agent asks for below the one who sent it, and facts above it', async () => {
    const { sessions, ledger } = await openSession();
    const send: Proposal = { kind: 'Delegate', params: { goal: 'read it all', kinds: ['ReadFile'], budget: {} } };
    const read: Proposal = { kind: 'ReadFile', params: { path: 'a.txt' } };
    const lines: readonly AuditBody[] = [
      { type: 'proposed', lacuna: proposed(send, 'parent') },
      { type: 'decided', lacunaId: 'parent', decision: decisionOf({}), micros: 1 },
      { type: 'proposed', lacuna: proposed(read, 'child', { parentId: 'parent', depth: 1 }) },
      { type: 'proposed', lacuna: proposed({ kind: 'ListFiles', params: { path: '.' } }, 'other') },
    ];
    for (const line of lines) await ledger.write(line);
    const tree = new SessionTree(sessions, () => undefined);
    const top = tree.getChildren();
    assert.deepEqual(
      top.map((row) => labelOf(tree, row)),
      ['List the workspace', 'Delegate: read it all'],
    );
    const below = tree.getChildren(top[1]).map((row) => labelOf(tree, row));
    assert.deepEqual(below, ['Decided by a rule; low risk', 'a rule says so', 'Read a.txt']);
    tree.dispose();
  });

  it('tell of a command that failed by its exit code, and of a refusal once', async () => {
    const { sessions, ledger } = await openSession();
    const run = (command: string): Proposal => ({ kind: 'ExecuteShell', params: { command } });
    const nothing = { text: '', droppedBytes: 0, maskedSecrets: 0, isUntrusted: true };
    await ledger.write({ type: 'proposed', lacuna: proposed(run('npm test'), 'failed') });
    await ledger.write({
      type: 'outcome',
      lacunaId: 'failed',
      outcome: { type: 'filled', changed: [], status: 1, output: nothing, durationMs: 1 },
    });
    const reason = 'these are mine';
    await ledger.write({ type: 'proposed', lacuna: proposed(run('rm -r notes'), 'refused') });
    const decision = decisionOf({ verdict: 'deny', decidedBy: 'person', reason });
    await ledger.write({ type: 'decided', lacunaId: 'refused', decision, micros: 1 });
    await ledger.write({
      type: 'outcome',
      lacunaId: 'refused',
      outcome: { type: 'refused', by: 'person', message: reason, advice: '' },
    });
    const tree = new SessionTree(sessions, () => undefined);
    const [refused, failed] = tree.getChildren();
    assert.ok(refused && failed);
    assert.equal(tree.getTreeItem(failed).description, 'exit code 1');
    const told = tree.getChildren(refused).map((row) => labelOf(tree, row));
    assert.deepEqual(told, ['Decided by you; low risk', reason]);
    tree.dispose();
  });

  it('tell what a window that ended left behind: what was not decided was not done', async () => {
    const run = (command: string): Proposal => ({ kind: 'ExecuteShell', params: { command } });
    const { sessions } = await openSession([
      { type: 'proposed', lacuna: proposed(run('rm -r notes'), 'asked') },
      { type: 'proposed', lacuna: proposed(run('make'), 'begun') },
      { type: 'decided', lacunaId: 'begun', decision: decisionOf({}), micros: 1 },
    ]);
    const tree = new SessionTree(sessions, () => undefined);
    assert.deepEqual(
      tree.getChildren().map((row) => tree.getTreeItem(row).description),
      ['interrupted: it is not known what came of it', 'not done: interrupted before it was decided'],
    );
    tree.dispose();
  });

  it('tell of an audit that cannot be written, and that it can be again', async () => {
    const health = new Health();
    let isFull = true;
    const sink = telling(
      {
        append: () => (isFull ? Promise.reject(new Error('ENOSPC: no space left on device')) : Promise.resolve()),
        read: () => Promise.resolve([]),
      },
      health,
    );
    const line = { type: 'failure', lacunaId: null, what: 'x' } as const;
    await assert.rejects(sink.append(line), /ENOSPC/);
    assert.deepEqual(health.parts, [
      ['audit', 'The audit cannot be written, so nothing is done: ENOSPC: no space left on device'],
    ]);
    isFull = false;
    await sink.append(line);
    assert.deepEqual(health.parts, []);
  });

  it('show behind a question all that is known of it, with a way back to it, and nothing that could be fetched', async () => {
    const { sessions, ledger } = await openSession();
    const lacuna = proposed({ kind: 'ExecuteShell', params: { command: 'rm -r notes' } }, 'asked', {
      description: '![x](https://pictures.example.net/seen) <img src="https://pictures.example.net/seen">',
    });
    await ledger.write({ type: 'proposed', lacuna });
    const question: Question = {
      lacuna,
      analysis: analysisOf(effectOf({ op: 'delete' })),
      decision: decisionOf({ verdict: 'ask', risk: 'high', reason: 'Asks first: it deletes notes.' }),
      review: { type: 'skipped', why: 'not needed' },
      chain: ['request: look around', 'this step can be undone'],
      alwaysRule: null,
    };
    let waiting: Questions['waiting'] = [{ question, sinceMs: 0 }];
    const questions: Questions = {
      get waiting() {
        return waiting;
      },
      onChange: () => () => false,
    };
    const pages = new DetailsPages(sessions, questions);
    const entry = ledger.entry('asked');
    assert.ok(entry);
    const uri = detailsUri('s', entry);
    assert.equal(uri.scheme, DETAILS);
    const text = await pages.provideTextDocumentContent(uri);
    for (const part of [
      /## Why you are asked[\s\S]*asked[\s\S]*high risk[\s\S]*it deletes notes/,
      /```sh\nrm -r notes\n```/,
      /this step can be undone/,
    ])
      assert.match(text, part);
    assert.doesNotMatch(text, /(?<!\\)!?\[x\]|(?<!\\)<img/);
    const document = await vscode.workspace.openTextDocument({ content: text, language: 'markdown' });
    const lensesOf = async (): Promise<readonly unknown[]> => {
      const lenses = await pages.provideCodeLenses({ ...document, uri });
      return lenses.map(({ command }) => command?.command);
    };
    assert.deepEqual(await lensesOf(), ['lacuna.answer']);
    waiting = [];
    const decision = decisionOf({ verdict: 'deny' });
    await ledger.write({ type: 'decided', lacunaId: 'asked', decision, micros: 1 });
    await ledger.write({
      type: 'outcome',
      lacunaId: 'asked',
      outcome: { type: 'refused', by: 'rule', message: 'a rule says so', advice: '' },
    });
    assert.deepEqual(await lensesOf(), ['lacuna.feedback.falseAlarm']);
    pages.dispose();
  });
});
