import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { chain, isSealed, readRecord, sealHead, verifyAudit, type AuditReport, type End } from '../core/audit/chain.js';
import type { AuditBody, AuditHead, AuditRecord } from '../core/audit/record.js';
import { mapTexts, shorten } from '../core/audit/shorten.js';
import { maskSecrets } from '../core/effects/secrets.js';
import { parseJson } from '../core/json.js';
import type { AuditSink, Clock, Hasher } from '../core/ports.js';
import { withFileLock } from './fileLock.js';
import { ownFolder, ownKey } from './stateFolder.js';

const headSchema = z.strictObject({ sessionId: z.string(), seq: z.int(), mac: z.string(), seal: z.string() });

/** What of a proposed Lacuna's record says where a session began. */
const proposedSchema = z.object({
  type: z.literal('proposed'),
  lacuna: z.object({ origin: z.object({ request: z.string(), agent: z.string() }) }),
});

/** How much of an audit is read to know what it begins with. */
const HEAD_BYTES = 64 * 1024;

/** The first whole lines of a file. */
function headOf(file: string): string {
  const opened = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString('utf8', 0, readSync(opened, bytes, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(opened);
  }
}

/** Names of sessions become names of files: only what is safe in one. */
const fileName = (sessionId: string): string => sessionId.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 120);

/** All audits in one folder, one file a session, chained with one key. */
export class AuditFolder {
  readonly #folder: string;
  readonly #key: string;
  readonly #hasher: Hasher;
  readonly #clock: Clock;

  /** Makes the folder and its key when they are not there. Throws when the folder cannot be written. */
  constructor(folder: string, ports: { readonly hasher: Hasher; readonly clock: Clock }) {
    this.#folder = ownFolder(folder);
    this.#key = ownKey(path.join(folder, 'audit.key'));
    this.#hasher = ports.hasher;
    this.#clock = ports.clock;
  }

  /** Sessions that have an audit, the one written to last first. */
  sessions(): readonly { readonly sessionId: string; readonly modifiedMs: number }[] {
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => ({
        sessionId: name.slice(0, -'.jsonl'.length),
        modifiedMs: statSync(path.join(this.#folder, name)).mtimeMs,
      }))
      .sort((a, b) => b.modifiedMs - a.modifiedMs);
  }

  /**
   * What a session was first asked for and by which agent, from the first lines of its audit, for lists. Unchecked: whether the
   * audit is whole is what {@link verify} says. Empty where the beginning does not tell.
   */
  beginning(sessionId: string): { readonly request: string; readonly agent: string } {
    const file = this.fileOf(sessionId);
    const lines = existsSync(file) ? headOf(file).split('\n') : [];
    for (const line of lines) {
      const proposed = proposedSchema.safeParse(parseJson(line));
      if (proposed.success) return proposed.data.lacuna.origin;
    }
    return { request: '', agent: '' };
  }

  /** The file that holds a session's lines. */
  fileOf(sessionId: string): string {
    return path.join(this.#folder, `${fileName(sessionId)}.jsonl`);
  }

  /** Reads and checks the audit of a session. An audit that is not there has no lines and no faults. */
  verify(sessionId: string): AuditReport {
    const file = this.fileOf(sessionId);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return verifyAudit(text, this.#readHead(sessionId), this.#key, this.#hasher);
  }

  /** The sink that appends to a session's audit. Several processes may hold one for the same session. */
  open(sessionId: string): AuditSink {
    return new AuditFile(
      this.fileOf(sessionId),
      this.#headFile(sessionId),
      sessionId,
      this.#key,
      this.#hasher,
      this.#clock,
    );
  }

  #headFile(sessionId: string): string {
    return path.join(this.#folder, `${fileName(sessionId)}.head.json`);
  }

  #readHead(sessionId: string): AuditHead | null {
    return readHead(this.#headFile(sessionId), sessionId);
  }
}

/** The sealed end of an audit; null when none is there. */
function readHead(file: string, sessionId: string): AuditHead | null {
  if (!existsSync(file)) return null;
  const parsed = headSchema.safeParse(parseJson(readFileSync(file, 'utf8')));
  // A damaged seal is not a missing one: it must show as forged.
  return parsed.success ? parsed.data : { sessionId, seq: -1, mac: '', seal: '' };
}

/** Appends in order: one write at a time in this process, one process at a time on the file. */
class AuditFile implements AuditSink {
  readonly #file: string;
  readonly #headFile: string;
  readonly #sessionId: string;
  readonly #key: string;
  readonly #hasher: Hasher;
  readonly #clock: Clock;
  #last: End | null = null;
  #sizeBytes = -1;
  #pending: { readonly body: AuditBody; readonly atMs: number }[] = [];
  #flushing: Promise<void> | null = null;

  constructor(file: string, headFile: string, sessionId: string, key: string, hasher: Hasher, clock: Clock) {
    this.#file = file;
    this.#headFile = headFile;
    this.#sessionId = sessionId;
    this.#key = key;
    this.#hasher = hasher;
    this.#clock = clock;
  }

  /** Resolves when the line is on disk. Lines that come while one write is under way go together in the next. */
  append(body: AuditBody): Promise<void> {
    const masked = mapTexts(body, (text) => shorten(maskSecrets(text)));
    this.#pending.push({ body: masked, atMs: this.#clock.nowMs() });
    return (this.#flushing ??= this.#flush());
  }

  async #flush(): Promise<void> {
    await Promise.resolve(); // let others of the same tick join
    try {
      await withFileLock(`${this.#file}.lock`, () => {
        const batch = this.#pending;
        this.#pending = [];
        this.#write(batch);
      });
    } finally {
      this.#flushing = null;
    }
    if (this.#pending.length > 0) await (this.#flushing ??= this.#flush());
  }

  #write(batch: readonly { readonly body: AuditBody; readonly atMs: number }[]): void {
    const cut = this.#catchUp();
    const handle = openSync(this.#file, 'a', 0o600);
    try {
      let text = '';
      let last = this.#last;
      for (const { body, atMs } of cut === null ? batch : [{ body: cut, atMs: this.#clock.nowMs() }, ...batch]) {
        const record = chain(body, last, { atMs, sessionId: this.#sessionId }, this.#key, this.#hasher);
        text += `${JSON.stringify(record)}\n`;
        last = record;
      }
      // Written to the last byte, or thrown: a full disk takes in a part without a word.
      writeFileSync(handle, text);
      fsyncSync(handle);
      this.#last = last;
      this.#sizeBytes = statSync(this.#file).size;
    } finally {
      closeSync(handle);
    }
    if (this.#last !== null) this.#seal(this.#last);
  }

  #seal(last: End): void {
    const draft = `${this.#headFile}.${String(process.pid)}`;
    writeFileSync(draft, JSON.stringify(sealHead(last, this.#key, this.#hasher)), { mode: 0o600 });
    renameSync(draft, this.#headFile);
  }

  /**
   * Learns what other processes appended, and closes a line that a crash left half written. INVARIANT: what was sealed, or written by
   * us, is followed even where it is no longer there. So lines that somebody took away stay missing for every later check; that they
   * are is what this gives back, to be written down.
   */
  #catchUp(): AuditBody | null {
    const size = existsSync(this.#file) ? statSync(this.#file).size : 0;
    if (size === this.#sizeBytes) return null;
    const written = this.#last;
    this.#last = size === 0 ? null : this.#lastInFile();
    const head = readHead(this.#headFile, this.#sessionId);
    const sealed = head !== null && isSealed(head, this.#key, this.#hasher) ? head : null;
    const end = [written, sealed].reduce(later, this.#last);
    if (end === null || end === this.#last) return null;
    const missing = end.seq - (this.#last?.seq ?? -1);
    this.#last = end;
    return { type: 'alarm', what: 'the audit was cut', details: `${String(missing)} lines of it were taken away` };
  }

  /** The last whole line; what follows it is taken away. */
  #lastInFile(): End | null {
    const lines = readFileSync(this.#file, 'utf8').split('\n');
    const unfinished = lines.pop() ?? '';
    if (unfinished !== '') {
      const whole = lines.map((line) => `${line}\n`).join('');
      const draft = `${this.#file}.mended`;
      writeFileSync(draft, whole, { mode: 0o600 });
      renameSync(draft, this.#file);
    }
    const lastLine = lines.at(-1);
    const last = lastLine === undefined ? null : readRecord(lastLine);
    if (lastLine !== undefined && last === null)
      throw new Error(`The audit ${this.#file} is damaged. Run "lacuna audit verify".`);
    return last;
  }

  async read(): Promise<readonly AuditRecord[]> {
    await this.#flushing;
    if (!existsSync(this.#file)) return [];
    return readFileSync(this.#file, 'utf8')
      .split('\n')
      .map(readRecord)
      .filter((record) => record !== null);
  }
}

/** The later of two ends of the same audit. */
const later = (one: End | null, other: End | null): End | null =>
  other === null || (one !== null && one.seq >= other.seq) ? one : other;
