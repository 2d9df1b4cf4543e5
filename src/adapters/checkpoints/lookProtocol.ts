/** Numbers that are kept of each file: time of change of content, of the entry, size, inode, mode. */
export const FIELDS = 5;

/** Files of one folder as the last pass saw them; `numbers` holds {@link FIELDS} for each name. */
export interface KnownFiles {
  readonly folder: string;
  readonly names: readonly string[];
  readonly numbers: Float64Array;
}

/** What a looking thread is told: which files to compare with, or to compare now. */
export type Order =
  | { readonly type: 'know'; readonly learn: readonly KnownFiles[]; readonly forget: readonly string[] }
  /** A file whose times lie after `racyFromMs` counts as touched. */
  | { readonly type: 'check'; readonly racyFromMs: number };

/** Folders in which some file is not what it was. */
export interface Answer {
  readonly touched: readonly string[];
}
