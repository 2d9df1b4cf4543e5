import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Database, SqlJsStatic } from 'sql.js';
import { lookAt, type Folder } from '../files/folder.js';
import { Pending, readIn } from '../files/replace.js';
import type { QueryAnswer } from './rows.js';

/** One statement for an SQLite file. */
export interface SqliteQuery {
  readonly sql: string;
  readonly params: readonly (string | number | boolean | null)[];
  readonly access: 'read-only' | 'read-write';
  readonly isStillTrue: () => Promise<boolean>;
}

const MAX_BYTES = 256 * 1024 * 1024;
const MAX_ROWS = 5_000;

let library: Promise<SqlJsStatic> | null = null;

/** The engine, loaded at the first use. Its WASM lies beside the bundle, or in its package when run from source. */
async function engine(): Promise<SqlJsStatic> {
  library ??= (async () => {
    const { default: start } = await import('sql.js');
    const wasm = findWasm();
    return start(wasm === null ? {} : { wasmBinary: wasm });
  })();
  return library;
}

function findWasm(): ArrayBuffer | null {
  const here = process.argv[1] === undefined ? '.' : path.dirname(process.argv[1]);
  for (const folder of [typeof __dirname === 'string' ? __dirname : here, here]) {
    const file = path.join(folder, 'sql-wasm.wasm');
    if (lookAt(file) !== null) return new Uint8Array(readFileSync(file)).buffer;
  }
  return null;
}

/** Column names of all tables, lower case: a result column of such a name that no alias made is a plain copy. */
function columnsOf(database: Database): ReadonlySet<string> {
  const found = database.exec(
    "SELECT lower(c.name) FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'",
  );
  return new Set((found[0]?.values ?? []).map(([name]) => String(name)));
}

/** Words after which a name is a column and no alias. */
const BEFORE_COLUMNS =
  /^(?:select|distinct|all|by|where|and|or|not|on|having|when|then|else|case|in|like|between|is|returning)$/i;

/** Whether a statement gives some expression this name. */
function isAlias(name: string, sql: string): boolean {
  const place = new RegExp(`(\\w+|[)"\\]])\\s+["'\`\\[]?${name.replace(/[^\w]/g, '\\$&')}(?!\\w)`, 'gi');
  return [...sql.matchAll(place)].some(([, before = '']) => !BEFORE_COLUMNS.test(before));
}

function runStatement(database: Database, { sql, params, access }: SqliteQuery): QueryAnswer {
  // A reading statement that writes all the same is refused by the engine itself.
  database.run(`PRAGMA query_only = ${access === 'read-only' ? 'ON' : 'OFF'}`);
  const iterator = database.iterateStatements(sql);
  const first = iterator.next();
  if (first.done === true) throw new Error('there is no statement');
  if (!/^[\s;]*$/.test(iterator.getRemainingSQL())) throw new Error('one statement is run at a time');
  const statement = first.value;
  const bound = params.map((value) => (typeof value === 'boolean' ? Number(value) : value));
  statement.bind(bound);
  const rows: QueryAnswer['rows'][number][] = [];
  let isCut = false;
  while (statement.step()) {
    isCut = rows.length >= MAX_ROWS;
    if (isCut) break;
    rows.push(statement.get());
  }
  const columns = statement.getColumnNames();
  const known = columnsOf(database);
  const origins = columns.map((name) => (known.has(name.toLowerCase()) && !isAlias(name, sql) ? name : null));
  statement.free();
  const changedRows = access === 'read-write' ? database.getRowsModified() : null;
  return { columns, origins, rows, changedRows, isCut };
}

/**
 * Runs one statement on an SQLite file of a held folder. The file is read whole; what a writing statement made of it takes its
 * place in one step. A database that another program has open with a journal is left alone. A text is the engine's error.
 */
export async function querySqlite(
  folder: Folder,
  name: string,
  query: SqliteQuery,
): Promise<QueryAnswer | string | 'changed'> {
  const file = readIn(folder, name, MAX_BYTES);
  if (!file.ok) return file.error === 'too-large' ? 'the file is too large' : 'there is no such database file';
  const isInUse = ['-wal', '-journal'].some((ending) => (lookAt(folder.at(name + ending))?.size ?? 0) > 0);
  if (isInUse && query.access === 'read-write') return 'another program is writing to it; close it first';
  const { Database: Engine } = await engine();
  const database = new Engine(file.value.bytes);
  try {
    const answer = runStatement(database, query);
    if (query.access === 'read-only') return answer;
    const pending = Pending.write(folder, name, Buffer.from(database.export()), file.value.stats);
    if (!(await query.isStillTrue())) {
      pending.discard();
      return 'changed';
    }
    return pending.commit() ? answer : 'changed';
  } catch (error) {
    if (error instanceof Error) return error.message; // what the engine says of the statement
    throw error;
  } finally {
    database.close();
  }
}
