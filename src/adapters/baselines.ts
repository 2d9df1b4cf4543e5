import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { parseJson } from '../core/json.js';
import { EMPTY_BASELINE, learn, parseBaseline, type Baseline } from '../core/session/baseline.js';
import { pastSession } from '../core/session/history.js';
import type { Clock, Hasher } from '../core/ports.js';
import type { AuditReport } from '../core/audit/chain.js';
import { ownFolder } from './stateFolder.js';

/** The audits that a baseline is learned from. */
export interface PastAudits {
  readonly sessions: () => readonly { readonly sessionId: string; readonly modifiedMs: number }[];
  readonly fileOf: (sessionId: string) => string;
  readonly verify: (sessionId: string) => AuditReport;
}

/** A session that nobody has written to for so long is over. */
const QUIET_MS = 10 * 60_000;
/** At most so many audits are read when a session opens, none longer than this: the rest wait for the next one. */
const MOST_AT_ONCE = 4;
const MOST_BYTES = 4 * 1024 * 1024;
/** Names of sessions that were taken in already; older ones than these are not looked at any more. */
const MOST_LEARNED = 1_000;

const fileSchema = z.strictObject({
  v: z.literal(1),
  /** Audits last written to before this are not learned from: the person forgot what was usual then. */
  sinceMs: z.number(),
  learned: z.array(z.string()).max(MOST_LEARNED),
  baseline: z.unknown(),
});

interface Kept {
  readonly sinceMs: number;
  readonly learned: readonly string[];
  readonly baseline: Baseline;
}

const NOTHING: Kept = { sinceMs: 0, learned: [], baseline: EMPTY_BASELINE };

/**
 * What is usual in each workspace, one file for each set of folders, learned from the audits of sessions that are over and whole.
 * A file that is gone or damaged is learned anew: until then nothing is unusual, and nothing else changes either.
 */
export class Baselines {
  readonly #folder: string;
  readonly #audits: PastAudits;
  readonly #clock: Clock;
  readonly #hasher: Hasher;

  constructor(folder: string, audits: PastAudits, ports: { readonly clock: Clock; readonly hasher: Hasher }) {
    this.#folder = folder;
    this.#audits = audits;
    this.#clock = ports.clock;
    this.#hasher = ports.hasher;
  }

  /** What is usual in these folders, after what is new in the audits has been taken in. The session itself is left out. */
  usual(roots: readonly string[], sessionId: string): Baseline {
    const kept = this.#read(roots);
    const after = this.#learned(kept, roots, sessionId);
    if (after !== kept) this.#write(roots, after);
    return after.baseline;
  }

  /** What is kept, without learning. */
  known(roots: readonly string[]): Baseline {
    return this.#read(roots).baseline;
  }

  /** Forgets what is usual: past sessions count no more, and it is learned anew from those to come. */
  forget(roots: readonly string[]): void {
    this.#write(roots, { ...NOTHING, sinceMs: this.#clock.nowMs() });
  }

  #learned(kept: Kept, roots: readonly string[], current: string): Kept {
    const before = this.#clock.nowMs() - QUIET_MS;
    const known = new Set(kept.learned);
    const fresh = this.#audits
      .sessions()
      .filter(({ sessionId, modifiedMs }) => sessionId !== current && !known.has(sessionId) && modifiedMs < before)
      .filter(({ modifiedMs }) => modifiedMs > kept.sinceMs)
      .slice(0, MOST_AT_ONCE);
    if (fresh.length === 0) return kept;
    let { baseline } = kept;
    for (const { sessionId } of fresh.reverse()) {
      if (statSync(this.#audits.fileOf(sessionId)).size > MOST_BYTES) continue;
      const report = this.#audits.verify(sessionId);
      // What somebody has changed tells nothing about what is usual.
      const past = report.faults.length > 0 ? null : pastSession(report.records);
      if (past !== null && past.history.length > 0 && past.roots.join('\n') === roots.join('\n'))
        baseline = learn(baseline, past.history);
    }
    const learned = [...kept.learned, ...fresh.map(({ sessionId }) => sessionId)].slice(-MOST_LEARNED);
    return { sinceMs: kept.sinceMs, learned, baseline };
  }

  #fileOf(roots: readonly string[]): string {
    return path.join(this.#folder, `${this.#hasher.sha256(roots.join('\n')).slice(0, 32)}.json`);
  }

  #read(roots: readonly string[]): Kept {
    const file = this.#fileOf(roots);
    if (!existsSync(file)) return NOTHING;
    const parsed = fileSchema.safeParse(parseJson(readFileSync(file, 'utf8')));
    const baseline = parsed.success ? parseBaseline(parsed.data.baseline) : null;
    return parsed.success && baseline?.ok === true
      ? { sinceMs: parsed.data.sinceMs, learned: parsed.data.learned, baseline: baseline.value }
      : NOTHING;
  }

  #write(roots: readonly string[], kept: Kept): void {
    ownFolder(this.#folder);
    const file = this.#fileOf(roots);
    const fresh = `${file}.${process.pid}.new`;
    writeFileSync(fresh, JSON.stringify({ v: 1, ...kept }), { mode: 0o600 });
    renameSync(fresh, file);
  }
}
