import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod/mini';
import { ownFolder } from '../stateFolder.js';

/** How a hook process finds the engine of an editor window: one small file for each, which only its owner can read. */
const cardSchema = z.strictObject({
  pid: z.int(),
  /** Unix socket or named pipe. */
  address: z.string(),
  /** What a caller must show. */
  secret: z.string(),
  roots: z.array(z.string()),
});
export type EngineCard = z.infer<typeof cardSchema>;

/** Folder of the cards, below the state folder. */
export const cardsFolder = (state: string): string => path.join(state, 'engines');

/** Where the engine of a process listens. A socket's path must be short (108 bytes on Linux, 104 on macOS). */
export function engineAddress(state: string, pid: number): string {
  return process.platform === 'win32'
    ? `\\\\.\\pipe\\lacuna-${String(pid)}`
    : path.join(cardsFolder(state), `${String(pid)}.sock`);
}

/** Lays out the card of an engine that listens; the returned function takes it away. */
export function publishCard(state: string, card: EngineCard): () => void {
  const file = path.join(ownFolder(cardsFolder(state)), `${String(card.pid)}.json`);
  writeFileSync(file, JSON.stringify(card), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

function readCard(file: string): EngineCard | null {
  try {
    return cardSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    // A card that cannot be read is half written or not ours: as if it were not there.
    if (error instanceof Error) return null;
    throw error;
  }
}

const isBelow = (folder: string, root: string): boolean =>
  folder === root || folder.startsWith(root.endsWith('/') ? root : `${root}/`);

/** Engines whose workspace holds the folder, the one with the deepest root first; none when no editor has it open. */
export function enginesFor(state: string, folder: string): readonly EngineCard[] {
  const cards = cardsFolder(state);
  if (!existsSync(cards)) return [];
  const depth = (card: EngineCard): number =>
    Math.max(...card.roots.filter((root) => isBelow(folder, root)).map((root) => root.length));
  return readdirSync(cards)
    .filter((name) => name.endsWith('.json'))
    .map((name) => readCard(path.join(cards, name)))
    .filter((card): card is EngineCard => card !== null && card.roots.some((root) => isBelow(folder, root)))
    .sort((a, b) => depth(b) - depth(a));
}
