import net from 'node:net';
import type { Client, QueryArrayResult } from 'pg';
import type { Cancel } from '../../core/cancel.js';
import type { Cell, QueryAnswer } from './rows.js';

/** One statement for a PostgreSQL server. */
export interface PostgresQuery {
  readonly url: string;
  readonly password: string | null;
  readonly sql: string;
  readonly params: readonly (string | number | boolean | null)[];
  readonly access: 'read-only' | 'read-write';
  readonly timeoutMs: number;
  readonly maxRows: number;
  readonly cancel: Cancel;
}

/** Names of the table columns that result columns are plain copies of. */
async function originsOf(
  client: Client,
  fields: QueryArrayResult<Cell[]>['fields'],
): Promise<readonly (string | null)[]> {
  const tables = [...new Set(fields.map(({ tableID }) => tableID).filter((id) => id !== 0))];
  if (tables.length === 0) return fields.map(() => null);
  const found = await client.query<{ attrelid: number; attnum: number; attname: string }>(
    'SELECT attrelid, attnum, attname FROM pg_catalog.pg_attribute WHERE attrelid = ANY($1::oid[]) AND attnum > 0',
    [tables],
  );
  return fields.map(
    ({ tableID, columnID }) =>
      found.rows.find((row) => Number(row.attrelid) === tableID && row.attnum === columnID)?.attname ?? null,
  );
}

/**
 * Runs one statement in a transaction of its own, read-only unless it is to write, with a time limit kept by the server. The
 * extended protocol takes one statement only, so that nothing can end the transaction from inside. A text is the server's error.
 */
export async function queryPostgres(query: PostgresQuery): Promise<QueryAnswer | string | 'cancelled'> {
  const { default: pg } = await import('pg');
  if (query.cancel.aborted) return 'cancelled';
  const socket = new net.Socket();
  const client: Client = new pg.Client({
    connectionString: query.url,
    ...(query.password === null ? {} : { password: query.password }),
    connectionTimeoutMillis: 10_000,
    statement_timeout: query.timeoutMs,
    query_timeout: query.timeoutMs + 2_000,
    application_name: 'lacuna',
    stream: () => socket,
  });
  client.on('error', () => undefined); // a connection that breaks rejects the query too
  let isCancelled = false;
  const onCancel = (): void => {
    isCancelled = true;
    socket.destroy(); // nothing is committed; the server ends the statement at its own limit
  };
  query.cancel.addEventListener('abort', onCancel, { once: true });
  try {
    await client.connect();
    await client.query(query.access === 'read-only' ? 'BEGIN READ ONLY' : 'BEGIN');
    const statement = { text: query.sql, values: [...query.params], rowMode: 'array' as const, queryMode: 'extended' };
    const result = await client.query<Cell[]>(statement);
    const origins = await originsOf(client, result.fields);
    await client.query('COMMIT');
    return {
      columns: result.fields.map(({ name }) => name),
      origins,
      rows: result.rows.slice(0, query.maxRows),
      changedRows: query.access === 'read-write' ? (result.rowCount ?? 0) : null,
      isCut: result.rows.length > query.maxRows,
    };
  } catch (error) {
    if (isCancelled) return 'cancelled';
    if (error instanceof Error) return error.message; // the connection ends here, and the transaction with it
    throw error;
  } finally {
    query.cancel.removeEventListener('abort', onCancel);
    if (!socket.destroyed) await client.end();
  }
}
