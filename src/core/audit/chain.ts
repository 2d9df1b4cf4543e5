import canonicalize from 'canonicalize';
import { bug } from '../bug.js';
import type { Hasher } from '../ports.js';
import type { AuditBody, AuditHead, AuditRecord, Stamp } from './record.js';

/** `previous` of the first line of a session. */
export const NO_PREVIOUS = '0'.repeat(64);

/** JSON of one spelling only (RFC 8785), so that equal values have equal hashes. */
export const canonicalJson = (value: unknown): string => canonicalize(value) ?? bug('a record must be JSON');

/** Chains one body to the line before it. Linear in the size of the body. */
export function chain(
  body: AuditBody,
  previous: Pick<AuditRecord, 'seq' | 'mac'> | null,
  stamp: { readonly atMs: number; readonly sessionId: string },
  key: string,
  hasher: Hasher,
): AuditRecord {
  const stamped: AuditBody & Stamp = {
    ...body,
    v: 1,
    seq: previous === null ? 0 : previous.seq + 1,
    atMs: stamp.atMs,
    sessionId: stamp.sessionId,
    previous: previous?.mac ?? NO_PREVIOUS,
  };
  // What is hashed is what a reader will parse: a round trip drops what JSON cannot hold.
  const plain = JSON.parse(JSON.stringify(stamped)) as AuditBody & Stamp;
  return { ...plain, mac: hasher.hmac(key, canonicalJson(plain)) };
}

/** Where an audit ends: its last line, by number and mac. */
export type End = Pick<AuditRecord, 'sessionId' | 'seq' | 'mac'>;

/** Whether a head was sealed with this key. */
export const isSealed = ({ seal, ...head }: AuditHead, key: string, hasher: Hasher): boolean =>
  seal === hasher.hmac(key, canonicalJson(head));

/** Seals where the audit ends now. */
export function sealHead(last: End, key: string, hasher: Hasher): AuditHead {
  const head = { sessionId: last.sessionId, seq: last.seq, mac: last.mac };
  return { ...head, seal: hasher.hmac(key, canonicalJson(head)) };
}

/** One thing that is wrong with an audit. `line` counts from 1; null when it is about the whole. */
export interface AuditFault {
  readonly line: number | null;
  readonly type:
    'unreadable' | 'edited' | 'broken-chain' | 'gap' | 'foreign' | 'truncated' | 'unsealed' | 'forged-seal';
  readonly message: string;
}

/** What a check of a whole audit found. `records` are the lines up to the first fault. */
export interface AuditReport {
  readonly records: readonly AuditRecord[];
  readonly faults: readonly AuditFault[];
  /** The last line is half written, as a crash in the middle of an append leaves it. Not a fault: it was never complete. */
  readonly hasUnfinishedLine: boolean;
}

/**
 * Checks the lines of one session against each other and against the sealed head. An edit, a removal, an insertion, a swap and
 * a cut all show. What does not show: an older copy of both lines and head, put back by someone who can write both.
 */
export function verifyAudit(text: string, head: AuditHead | null, key: string, hasher: Hasher): AuditReport {
  const faults: AuditFault[] = [];
  const records: AuditRecord[] = [];
  const lines = text.split('\n');
  const unfinished = lines.pop() ?? '';
  let previous: AuditRecord | null = null;
  for (const [index, line] of lines.entries()) {
    const record = readRecord(line);
    const fault = record === null ? unreadable : faultOf(record, previous, key, hasher);
    if (record === null || fault !== null) {
      faults.push({ line: index + 1, ...(fault ?? unreadable) });
      break;
    }
    records.push(record);
    previous = record;
  }
  if (faults.length === 0) faults.push(...headFaults(head, records, key, hasher));
  return { records, faults, hasUnfinishedLine: unfinished !== '' };
}

type FaultOfLine = Omit<AuditFault, 'line'>;

const unreadable: FaultOfLine = {
  type: 'unreadable',
  message: "The line is not a record of an audit, or one of another version of Lacuna's.",
};

/** The record a line holds, without any check of its chain; null when it is no record. */
export function readRecord(line: string): AuditRecord | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRecordLike(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** What whoever reads a line takes apart, by its type. */
const PARTS: Readonly<Record<AuditBody['type'], Readonly<Record<string, (value: unknown) => boolean>>>> = {
  group: { lacunas: isListOf(isObject) },
  'group-decided': {
    members: isListOf((one) => isObject(one) && isObject(one['decision']) && Array.isArray(one['events'])),
  },
  proposed: { lacuna: isObject },
  analysed: { lacunaId: isText, effects: Array.isArray, commands: Array.isArray, flows: Array.isArray },
  reviewed: { lacunaId: isText, review: isObject },
  asked: { lacunaId: isText },
  decided: { lacunaId: isText, decision: isObject },
  outcome: { lacunaId: isText, outcome: isObject },
  checkpoint: { checkpointId: isText },
  restored: { checkpointId: isText, files: Array.isArray },
  alarm: { what: isText },
  failure: { what: isText },
  session: { event: isObject },
  feedback: { lacunaId: isText, says: isText },
};

/**
 * The fields that the chain needs, and of the rest what its type must have. The mac vouches for what is in them, since only we can
 * make one; but the line may be one of another version.
 */
function isRecordLike(value: unknown): value is AuditRecord {
  if (!isObject(value)) return false;
  const parts = new Map(Object.entries(PARTS)).get(String(value['type']));
  return (
    value['v'] === 1 &&
    Number.isInteger(value['seq']) &&
    ['type', 'sessionId', 'previous', 'mac'].every((name) => isText(value[name])) &&
    parts !== undefined &&
    Object.entries(parts).every(([name, is]) => is(value[name]))
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf(is: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(is);
}

function faultOf(record: AuditRecord, previous: AuditRecord | null, key: string, hasher: Hasher): FaultOfLine | null {
  const { mac, ...rest } = record;
  if (hasher.hmac(key, canonicalJson(rest)) !== mac)
    return { type: 'edited', message: 'The line was changed after it was written, or written with another key.' };
  if (record.previous !== (previous?.mac ?? NO_PREVIOUS))
    return {
      type: 'broken-chain',
      message: 'The line does not follow the one before it: lines were removed, added or swapped.',
    };
  if (record.seq !== (previous === null ? 0 : previous.seq + 1))
    return { type: 'gap', message: 'The numbers of the lines have a gap.' };
  if (previous !== null && record.sessionId !== previous.sessionId)
    return { type: 'foreign', message: 'The line belongs to another session.' };
  return null;
}

function headFaults(
  head: AuditHead | null,
  records: readonly AuditRecord[],
  key: string,
  hasher: Hasher,
): AuditFault[] {
  const last = records.at(-1);
  if (head === null)
    return last === undefined
      ? []
      : [
          {
            line: null,
            type: 'unsealed',
            message: 'The seal of the last line is missing: a cut at the end would not show.',
          },
        ];
  if (!isSealed(head, key, hasher))
    return [{ line: null, type: 'forged-seal', message: 'The seal of the last line is not ours.' }];
  // A crash between line and seal leaves one more line than the seal knows; every other difference is a cut.
  const sealed = records[head.seq];
  if (sealed === undefined || sealed.mac !== head.mac)
    return [
      {
        line: null,
        type: 'truncated',
        message: `The audit was cut: ${String(head.seq + 1)} lines were written, ${String(records.length)} are here.`,
      },
    ];
  return [];
}
