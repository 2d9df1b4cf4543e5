import { z } from 'zod';
import type { EntryState } from '../../core/checkpoint.js';

const mode = z.int().min(0).max(0o7777);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const size = z.int().min(0);

/** One row of a tree, short since there are many: type, name, and what the type needs. */
const row = z.union([
  z.tuple([z.literal('f'), z.string(), mode, size, hash]),
  z.tuple([z.literal('L'), z.string(), mode, size, z.number(), hash, z.enum(['clone', 'link', 'no'])]),
  z.tuple([z.literal('l'), z.string(), z.string()]),
  z.tuple([z.literal('d'), z.string(), mode, hash]),
  z.tuple([z.literal('r'), z.string()]),
  z.tuple([z.literal('o'), z.string(), z.string()]),
]);
export type TreeRow = z.infer<typeof row>;
const rows = z.array(row);

/** Bytes of a tree: rows in order of name, so that equal folders have equal hashes. */
export const encodeTree = (tree: readonly TreeRow[]): Buffer =>
  Buffer.from(JSON.stringify(tree.toSorted((a, b) => (a[1] < b[1] ? -1 : 1))));

/** Reads a tree; null when the bytes are none. */
export function decodeTree(bytes: Uint8Array): readonly TreeRow[] | null {
  try {
    const parsed = rows.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** What a row says of its entry. A folder's contents are not part of it. */
export function stateOfRow(entry: TreeRow): EntryState {
  switch (entry[0]) {
    case 'f':
      return { type: 'file', mode: entry[2], sizeBytes: entry[3], hash: entry[4] };
    case 'L':
      return {
        type: 'large',
        mode: entry[2],
        sizeBytes: entry[3],
        mtimeMs: entry[4],
        sample: entry[5],
        kept: entry[6],
      };
    case 'l':
      return { type: 'link', target: entry[2] };
    case 'd':
      return { type: 'folder', mode: entry[2] };
    case 'r':
      return { type: 'repository' };
    case 'o':
      return { type: 'omitted', why: entry[2] };
  }
}
