import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Journal, LongAct, Unfinished } from '../core/unfinished.js';
import { ownFolder } from './stateFolder.js';

const act = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('delete'),
    path: z.string(),
    device: z.number(),
    inode: z.number(),
    bornMs: z.number(),
  }),
  z.strictObject({
    type: z.literal('restore'),
    roots: z.array(z.string()).readonly(),
    checkpointId: z.string(),
    before: z.string(),
    paths: z.array(z.string()).readonly(),
  }),
]);
const note = z.strictObject({ v: z.literal(1), pid: z.int().positive(), atMs: z.number(), act });
type Note = z.infer<typeof note>;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error.code === 'EPERM'; // somebody else's, and alive
    throw error;
  }
}

/** A note from its file; null when it is not whole or is gone by now. */
function readNote(file: string): Note | null {
  try {
    const parsed = note.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return null;
    throw error;
  }
}

/** A journal in a folder of Lacuna's state: one small file for each act under way, which is there whole or not at all. */
export class JournalFolder implements Journal {
  readonly #folder: string;

  /** Makes the folder when it is not there. */
  constructor(folder: string) {
    this.#folder = ownFolder(folder);
  }

  begin(begun: LongAct): () => void {
    const { pid } = process;
    const file = path.join(this.#folder, `${String(pid)}-${randomBytes(6).toString('hex')}.json`);
    const body: Note = { v: 1, pid, atMs: Date.now(), act: begun };
    writeFileSync(`${file}.tmp`, JSON.stringify(body), { mode: 0o600 });
    renameSync(`${file}.tmp`, file);
    return () => {
      rmSync(file, { force: true });
    };
  }

  left(): readonly Unfinished[] {
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => {
        const file = path.join(this.#folder, name);
        const one = readNote(file);
        if (one === null || one.pid === process.pid || isRunning(one.pid)) return [];
        const settle = (): void => {
          rmSync(file, { force: true });
        };
        return [{ act: one.act, atMs: one.atMs, settle }];
      })
      .sort((a, b) => a.atMs - b.atMs);
  }
}
