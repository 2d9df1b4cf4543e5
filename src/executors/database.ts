import { analyseSql } from '../core/effects/sql.js';
import type { Dialect } from '../core/effects/sql/tokens.js';
import type { Facts } from '../core/effects/facts.js';
import type { Executor } from '../core/gate/executor.js';
import type { Outcome } from '../core/gate/outcome.js';
import type { Spent } from '../core/gate/permit.js';
import { querySqlite } from './database/sqlite.js';
import { queryPostgres } from './database/postgres.js';
import { describeRows, type QueryAnswer } from './database/rows.js';
import { isFileName } from '../core/effects/kinds/queryDatabase.js';
import type { Secrets } from './credentials.js';
import { executor, type Bench } from './fill.js';
import { inFolder, placeOfParam } from './files/place.js';
import { maskingAlso, outputOfText, type Mask } from './output.js';

/** A database that the settings name. */
export interface NamedDatabase {
  readonly name: string;
  /** `postgres://user@host/db`, without a password. */
  readonly url: string;
  /** Key of the secret that holds the password; null when there is none. */
  readonly passwordKey: string | null;
}

/** What the database executor needs. */
export interface DatabaseOptions {
  readonly look: () => Facts;
  readonly mask: Mask;
  readonly secrets: Secrets;
  readonly databases: () => readonly NamedDatabase[];
}

const MAX_ROWS = 1_000;
const TIMEOUT_MS = 30_000;
const READING = new Set(['read', 'list']);

/** Whether a statement only reads, as the analysis sees it: the same that policy judged. */
export const isReadOnly = (sql: string, database: string, dialect: Dialect): boolean =>
  analyseSql(sql, database, dialect).every((action) => action.type !== 'command' && READING.has(action.op));

/** One statement on an SQLite file of the disk. A reading one leaves the file alone; a writing one replaces it whole. */
async function fillSqlite(spent: Spent<'QueryDatabase'>, options: DatabaseOptions, bench: Bench): Promise<Outcome> {
  const { params, isStillTrue } = spent;
  const { report } = bench;
  const place = placeOfParam(params.database, options.look(), 'follow');
  const access = isReadOnly(params.sql, params.database, 'sqlite') ? 'read-only' : 'read-write';
  const done = await inFolder(place, (folder) =>
    querySqlite(folder, place.name, { sql: params.sql, params: params.params ?? [], access, isStillTrue }),
  );
  if (!done.ok) return report.failed(`There is no database ${params.database}.`);
  if (done.value === 'changed') return report.voided('changed');
  return answer(spent, done.value, access === 'read-write' ? [place.path] : [], options.mask, bench);
}

/** Turns rows or an error into an outcome, with columns masked and rows capped as policy says. */
function answer(
  { obligations, params }: Spent<'QueryDatabase'>,
  result: QueryAnswer | string,
  changed: readonly string[],
  mask: Mask,
  { report }: Bench,
): Outcome {
  if (typeof result === 'string') return report.failed(`The database says: ${mask(result).text}`);
  const rows = Math.min(obligations.limits.rows ?? MAX_ROWS, MAX_ROWS);
  const text = describeRows(result, params.sql, obligations.maskColumns, rows);
  return report.filled({ output: outputOfText(text, mask), changed, status: result.rows.length });
}

/** A password that stands in an address, which is then masked like any other; empty when none does. */
const passwordIn = (url: string): string => (URL.canParse(url) ? decodeURIComponent(new URL(url).password) : '');

/** Runs one SQL statement: on a database that the settings name, else on an SQLite file. */
export const databaseExecutor = (options: DatabaseOptions): Executor<'QueryDatabase'> =>
  executor(async (spent, bench) => {
    const { params, obligations } = spent;
    const named = options.databases().find(({ name }) => name === params.database);
    if (named === undefined)
      return isFileName(params.database)
        ? fillSqlite(spent, options, bench)
        : bench.report.unavailable(`The settings name no database ${params.database}, and it is no SQLite file.`);
    const password = named.passwordKey === null ? null : await options.secrets.get(named.passwordKey);
    if (named.passwordKey !== null && password === null)
      return bench.report.unavailable(`The password of ${named.name} is not set.`);
    if (!/^postgres(?:ql)?:/.test(named.url))
      return bench.report.unavailable(`${named.name}: only PostgreSQL is spoken here, besides SQLite files.`);
    const result = await queryPostgres({
      url: named.url,
      password,
      sql: params.sql,
      params: params.params ?? [],
      access: isReadOnly(params.sql, named.url, 'postgres') ? 'read-only' : 'read-write',
      timeoutMs: Math.min((obligations.limits.timeoutSeconds ?? Infinity) * 1_000, TIMEOUT_MS),
      maxRows: MAX_ROWS,
      cancel: bench.cancel,
    });
    if (result === 'cancelled') return bench.report.cancelled();
    const mask = maskingAlso(options.mask, [password ?? '', passwordIn(named.url)]);
    return answer(spent, result, [], mask, bench);
  });
