import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hasher } from '../../../src/adapters/system.js';
import { chain, sealHead, verifyAudit } from '../../../src/core/audit/chain.js';
import type { AuditBody, AuditHead, AuditRecord } from '../../../src/core/audit/record.js';

const KEY = 'k'.repeat(64);

function write(count: number): { lines: string[]; head: AuditHead } {
  const records: AuditRecord[] = [];
  for (let at = 0; at < count; at++)
    records.push(
      chain(
        { type: 'failure', lacunaId: `l${String(at)}`, what: `thing ${String(at)}` },
        records.at(-1) ?? null,
        { atMs: at, sessionId: 's' },
        KEY,
        hasher,
      ),
    );
  const last = records.at(-1);
  assert.ok(last);
  return { lines: records.map((record) => JSON.stringify(record)), head: sealHead(last, KEY, hasher) };
}
const verify = (lines: readonly string[], head: AuditHead | null, key = KEY): readonly string[] =>
  verifyAudit(lines.map((line) => `${line}\n`).join(''), head, key, hasher).faults.map((fault) => fault.type);

describe('the audit chain', () => {
  it('a whole audit has no fault', () => {
    const { lines, head } = write(5);
    assert.deepEqual(verify(lines, head), []);
    assert.deepEqual(verify([], null), []);
  });

  it('every edit of a character shows', () => {
    const { lines, head } = write(3);
    fc.assert(
      fc.property(fc.nat(2), fc.nat(), fc.constantFrom('x', '9', '"', ' '), (line, at, character) => {
        const old = lines[line] ?? '';
        const edited = old.slice(0, at % old.length) + character + old.slice((at % old.length) + 1);
        const isSame = JSON.stringify(tryParse(edited)) === old;
        assert.equal(verify(lines.with(line, edited), head).length > 0, !isSame);
      }),
    );
  });

  it('a line of ours that has not the parts of its type ends what can be read', () => {
    const { lines } = write(2);
    const last = JSON.parse(lines[1] ?? '') as AuditRecord;
    const ofAnotherVersion = (body: object): readonly string[] => {
      const odd = chain(body as AuditBody, last, { atMs: 9, sessionId: 's' }, KEY, hasher);
      return verify([...lines, JSON.stringify(odd)], sealHead(odd, KEY, hasher));
    };
    for (const body of [
      { type: 'group', groupId: 'g', lacunaIds: ['l1'] },
      { type: 'group-decided', groupId: 'g', verdict: 'allow', members: [{ lacunaId: 'l1' }] },
      { type: 'decided', lacunaId: 'l1', verdict: 'allow' },
      { type: 'foreseen', lacunaId: 'l1' },
    ])
      assert.ok(ofAnotherVersion(body).includes('unreadable'), body.type);
    assert.deepEqual(ofAnotherVersion({ type: 'alarm', what: 'x', details: '' }), []);
  });

  it('a removal, a swap, an insertion and a cut show', () => {
    const { lines, head } = write(6);
    const [a, b, c, ...rest] = lines as [string, string, string, ...string[]];
    assert.deepEqual(verify([a, c, ...rest], head), ['broken-chain']);
    assert.deepEqual(verify([b, c, ...rest], head), ['broken-chain']);
    assert.deepEqual(verify([a, c, b, ...rest], head), ['broken-chain']);
    assert.deepEqual(verify([a, a, b, c, ...rest], head), ['broken-chain']);
    assert.deepEqual(verify([a, b], head), ['truncated']);
    assert.deepEqual(verify([], head), ['truncated']);
    assert.deepEqual(verify(lines, null), ['unsealed']);
    assert.deepEqual(verify(lines, { ...head, seq: 2 }), ['forged-seal']);
    assert.deepEqual(verify(lines, head, 'z'.repeat(64)), ['edited']);
  });

  it('a line more than the seal knows, and half a line, are what a crash leaves', () => {
    const { lines } = write(3);
    const { head } = write(2);
    assert.deepEqual(verify(lines, head), []);
    const report = verifyAudit(`${lines.join('\n')}\n{"half`, head, KEY, hasher);
    assert.deepEqual([report.faults, report.hasUnfinishedLine, report.records.length], [[], true, 3]);
  });
});

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    assert.ok(error instanceof SyntaxError);
    return undefined;
  }
}
