import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AuditFolder } from '../../src/adapters/auditFile.js';
import { clock, hasher } from '../../src/adapters/system.js';

describe('audit files', () => {
  let folder: string;
  const open = (): AuditFolder => new AuditFolder(folder, { hasher, clock });
  const failure = (what: string) => ({ type: 'failure', lacunaId: null, what }) as const;

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'lacuna-audit-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('keeps order when many lines come at once', async () => {
    const sink = open().open('s');
    await Promise.all(Array.from({ length: 50 }, (_, at) => sink.append(failure(String(at)))));
    const records = await sink.read();
    assert.deepEqual(
      records.map((r) => r.type === 'failure' && Number(r.what)),
      Array.from({ length: 50 }, (_, at) => at),
    );
    assert.deepEqual(open().verify('s').faults, []);
  });

  it('masks secrets before they are written', async () => {
    const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
    await open()
      .open('s')
      .append(failure(`token ${token} was seen`));
    assert.ok(!readFileSync(open().fileOf('s'), 'utf8').includes(token));
  });

  it('tells what a session began with, and nothing where it does not say', async () => {
    const origin = { agent: 'claude', subagent: null, request: 'tidy the notes', requestId: null };
    const proposed = (request: string) =>
      ({
        type: 'proposed',
        lacuna: {
          kind: 'ReadFile',
          params: { path: 'a' },
          id: 'l',
          sessionId: 's',
          parentId: null,
          depth: 0,
          origin: { ...origin, request },
          description: '',
          planStep: null,
          digest: 'd',
        },
      }) as const;
    const sink = open().open('s');
    await sink.append(failure('before anything was proposed'));
    await sink.append(proposed('tidy the notes'));
    await sink.append(proposed('something else'));
    const { request, agent } = open().beginning('s');
    assert.deepEqual([request, agent], ['tidy the notes', 'claude']);
    await open().open('empty').append(failure('x'));
    for (const id of ['empty', 'not there']) assert.deepEqual(open().beginning(id), { request: '', agent: '' });
  });

  describe('shows for ever that lines were taken away', () => {
    const whats = async (): Promise<readonly string[]> =>
      (await open().open('s').read()).map((record) => ('what' in record ? record.what : ''));
    const cutTo = (lines: number): void => {
      const file = open().fileOf('s');
      writeFileSync(
        file,
        readFileSync(file, 'utf8')
          .split('\n')
          .slice(0, lines)
          .map((line) => `${line}\n`)
          .join(''),
      );
    };
    beforeEach(async () => {
      for (const what of ['first', 'second', 'third']) await open().open('s').append(failure(what));
    });

    for (const [note, kept, left] of [
      ['the last one', 2, ['first', 'second']],
      ['all of them', 0, []],
    ] as const)
      it(`${note}, although another process writes on`, async () => {
        cutTo(kept);
        await open().open('s').append(failure('fourth'));
        assert.deepEqual(await whats(), [...left, 'the audit was cut', 'fourth']);
        assert.equal(open().verify('s').faults[0]?.type, 'broken-chain');
        await open().open('s').append(failure('fifth'));
        assert.deepEqual(await whats(), [...left, 'the audit was cut', 'fourth', 'fifth'], 'it is said once');
        assert.equal(open().verify('s').faults[0]?.type, 'broken-chain');
      });

    it('with the seal, while a process that wrote them is still there', async () => {
      const sink = open().open('s');
      await sink.append(failure('fourth'));
      cutTo(1);
      rmSync(path.join(folder, 's.head.json'));
      await sink.append(failure('fifth'));
      assert.deepEqual(await whats(), ['first', 'the audit was cut', 'fifth']);
      assert.equal(open().verify('s').faults[0]?.type, 'broken-chain');
    });
  });

  it('is for its owner only', async function () {
    if (process.platform === 'win32') this.skip();
    await open().open('s').append(failure('x'));
    assert.equal(statSync(open().fileOf('s')).mode & 0o077, 0);
    assert.equal(statSync(path.join(folder, 'audit.key')).mode & 0o077, 0);
  });

  it('goes on after a line that a crash left half written', async () => {
    await open().open('s').append(failure('one'));
    appendFileSync(open().fileOf('s'), '{"half a li');
    assert.ok(open().verify('s').hasUnfinishedLine);
    await open().open('s').append(failure('two'));
    assert.deepEqual(open().verify('s').faults, []);
    assert.equal(open().verify('s').records.length, 2);
  });

  it('an audit that was tampered with is not written on, and says what to do', async () => {
    await open().open('s').append(failure('one'));
    writeFileSync(open().fileOf('s'), 'not an audit\n');
    await assert.rejects(open().open('s').append(failure('two')), /audit verify/);
  });

  it('several processes write one chain', async () => {
    const script = path.join(import.meta.dirname, 'auditWriter.ts');
    await Promise.all(
      [1, 2, 3].map(
        (writer) =>
          new Promise<void>((resolve, reject) => {
            const child = fork(script, [folder, String(writer)], { execArgv: ['--import', 'tsx'] });
            child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${String(code)}`))));
          }),
      ),
    );
    const report = open().verify('shared');
    assert.deepEqual(report.faults, []);
    assert.equal(report.records.length, 60);
  });
});
