import { unknownAction, type SqlAction } from './sql/action.js';
import { actionsOfScript } from './sql/statement.js';
import type { Dialect } from './sql/tokens.js';

/** Longest script that is looked at. */
const MOST_CHARACTERS = 64 * 1024;

/**
 * What a script of SQL statements does to a database: tables read, changed and deleted, rows without a condition, rights, code,
 * files, programs. `database` names it in the resources. A statement whose verb is not known is `unknown`. Linear.
 */
export const analyseSql = (sql: string, database: string, dialect: Dialect): readonly SqlAction[] =>
  sql.length > MOST_CHARACTERS ? [unknownAction('SQL of more than 64 KiB')] : actionsOfScript(sql, database, dialect);

/** The dialect of a database by its URL, file name or name, as far as it shows. */
export function dialectOf(database: string): Dialect {
  if (/^postgres|^pg\b|psql/i.test(database)) return 'postgres';
  if (/^(mysql|mariadb)/i.test(database)) return 'mysql';
  if (/^(mssql|sqlserver)/i.test(database)) return 'mssql';
  return /\.(sqlite3?|db3?|s3db)$|^(sqlite|file:)|^:memory:$/i.test(database) ? 'sqlite' : 'generic';
}
