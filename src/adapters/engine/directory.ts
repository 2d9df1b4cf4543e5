import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ownFolder } from '../stateFolder.js';

/**
 * How a hook process finds the engine of an editor window: one small file for each, which only its owner can read. Read by hand,
 * since the hook process has no time to load a parser of schemas.
 */
export interface EngineCard {
  readonly pid: number;
  /** Unix socket or named pipe. */
  readonly address: string;
  /** What a caller must show. */
  readonly secret: string;
  readonly roots: readonly string[];
}

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

function cardOf(value: unknown): EngineCard | null {
  const fields = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const [pid, address, secret, roots]: readonly unknown[] = ['pid', 'address', 'secret', 'roots'].map((name) =>
    fields.get(name),
  );
  if (typeof pid !== 'number' || typeof address !== 'string' || typeof secret !== 'string' || !Array.isArray(roots))
    return null;
  return { pid, address, secret, roots: roots.filter((root) => typeof root === 'string') };
}

function readCard(file: string): EngineCard | null {
  try {
    return cardOf(JSON.parse(readFileSync(file, 'utf8')));
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
