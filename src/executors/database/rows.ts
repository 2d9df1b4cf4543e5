/** Value of a cell, as databases give them. */
export type Cell = string | number | boolean | null | bigint | Date | Uint8Array | object;

/** What a statement gave. */
export interface QueryAnswer {
  readonly columns: readonly string[];
  /** The column of a table that each result column is a plain copy of; null when it is computed or not known. */
  readonly origins: readonly (string | null)[];
  readonly rows: readonly (readonly Cell[])[];
  /** Rows that a statement changed; null for one that reads. */
  readonly changedRows: number | null;
  readonly isCut: boolean;
}

const MASK = '•••';

function show(cell: Cell): string {
  if (cell === null) return 'NULL';
  if (cell instanceof Uint8Array) return `<${String(cell.length)} bytes>`;
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell === 'object') return JSON.stringify(cell);
  return String(cell).replaceAll('\t', ' ').replaceAll('\n', '\\n');
}

/**
 * Which result columns are masked. A column that is plainly one of the masked ones is; and where a statement names a masked
 * column at all, every column that is not plainly another one is too, since `lower(email) AS x` is still the address.
 */
export function maskedColumns(
  { columns, origins }: Pick<QueryAnswer, 'columns' | 'origins'>,
  sql: string,
  masked: readonly string[],
): readonly boolean[] {
  const wanted = new Set(masked.map((name) => name.toLowerCase()));
  if (wanted.size === 0) return columns.map(() => false);
  const words = sql.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_$]*/gu) ?? [];
  const isMentioned = words.some((word) => wanted.has(word));
  return columns.map((column, index) => {
    const origin = origins[index] ?? null;
    if (wanted.has(column.toLowerCase()) || (origin !== null && wanted.has(origin.toLowerCase()))) return true;
    return isMentioned && origin === null;
  });
}

/** Rows as text for the agent: a line of names, a line for each row, tabs between, and what was left out. */
export function describeRows(answer: QueryAnswer, sql: string, masked: readonly string[], maxRows: number): string {
  const isMasked = maskedColumns(answer, sql, masked);
  const shown = answer.rows.slice(0, maxRows);
  const lines = shown.map((row) => row.map((cell, index) => (isMasked[index] ? MASK : show(cell))).join('\t'));
  const notes: string[] = [];
  if (answer.changedRows !== null) notes.push(`(${String(answer.changedRows)} rows changed)`);
  if (answer.isCut || answer.rows.length > shown.length) notes.push(`(cut after ${String(shown.length)} rows)`);
  if (isMasked.includes(true)) notes.push('(some columns are masked by policy)');
  const head = answer.columns.length === 0 ? [] : [answer.columns.join('\t')];
  return [...head, ...lines, ...notes].join('\n');
}
