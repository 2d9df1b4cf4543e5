import { NOTHING_KNOWN, type Called, type Code, type Frame, type LanguageEntry } from '../shell/frame.js';
import type { Run } from '../shell/run.js';
import { exactWord } from '../shell/word.js';
import { analyseSql } from '../sql.js';
import type { SqlAction } from './action.js';
import { promptCommand } from './prompt.js';
import { isThrowaway } from './throwaway.js';
import type { Dialect } from './tokens.js';

/** Dialect of each program that takes SQL. */
const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ['psql', 'postgres'],
  ['pgcli', 'postgres'],
  ['cockroach', 'postgres'],
  ['mysql', 'mysql'],
  ['mariadb', 'mysql'],
  ['mycli', 'mysql'],
  ['sqlite', 'sqlite'],
  ['sqlite3', 'sqlite'],
  ['litecli', 'sqlite'],
  ['duckdb', 'sqlite'],
  ['sqlcmd', 'mssql'],
]);

/** SQL in a command's words or input. The first positional word names the database; without it the program's name stands in. */
export const sql: LanguageEntry = { languages: ['sql'], analyse, builtins: new Map(), foldsCase: true };

/** Prompt commands stand on lines of their own; sqlite3 takes them only where a statement could begin. */
function analyse(code: Code, frame: Frame): Called {
  const { run } = frame;
  const { program } = run.invocation;
  const dialect = DIALECTS.get(program) ?? 'generic';
  const database = code.positional[0]?.text ?? program;
  const isThrown = dialect === 'sqlite' && isThrowaway(database, run.invocation.cwd, run.facts);
  const say = (action: SqlAction): void => sayAction(action, run, isThrown);
  let pending = '';
  let isBetweenStatements = true;
  const flush = (): void => {
    for (const action of analyseSql(pending, database, dialect)) say(action);
    pending = '';
    isBetweenStatements = true;
  };
  if (program === 'duckdb') extensions(code.text, run);
  for (const line of code.text.split('\n')) {
    const actions = dialect !== 'sqlite' || isBetweenStatements ? promptCommand(line, dialect) : null;
    if (actions === null) {
      pending += `${line}\n`;
      const last = line.trimEnd();
      if (last !== '') isBetweenStatements = last.endsWith(';');
      continue;
    }
    flush();
    if (!frame.step()) return NOTHING_KNOWN;
    for (const action of actions) {
      if (action.type === 'script') run.script('sql', exactWord(action.path), { positional: code.positional });
      else say(action);
    }
  }
  flush();
  return NOTHING_KNOWN;
}

/** Extensions of DuckDB: those of its own registry, and of others. Source: DuckDB 1.2, "Extensions". */
function extensions(text: string, run: Run): void {
  for (const [, name = '', from] of text.matchAll(
    /(?:^|;)\s*(?:force\s+)?install\s+'?([\w./:-]+)'?(?:\s+from\s+'?([\w./:-]+)'?)?/gi,
  )) {
    if (from !== undefined && /:\/\//.test(from)) run.network(exactWord(from), { method: 'GET', traits: ['download'] });
    run.install('duckdb', exactWord(name), from === undefined ? {} : { traits: ['remote-code'] });
  }
}

function sayAction(action: SqlAction, run: Run, isThrown: boolean): void {
  switch (action.type) {
    case 'command':
      if (action.by === 'server')
        run.emit(
          'execute',
          { type: 'process', process: action.text },
          { traits: ['covert', 'unreviewed'], note: action.note },
        );
      run.code('sh', exactWord(action.text));
      return;
    case 'file':
      // DuckDB and kin read and write what lies on the net as if it were a file.
      if (/^(?:https?|s3a?|gs|gcs|az|abfss?|r2|hf):\/\//i.test(action.path))
        run.network(exactWord(action.path), {
          method: action.op === 'read' ? 'GET' : 'PUT',
          traits: action.op === 'read' ? ['download'] : ['upload'],
        });
      else if (action.op === 'read') run.read(exactWord(action.path), { note: action.note });
      else run.write(exactWord(action.path), { note: action.note });
      return;
    case 'effect': {
      const { op, resource, certainty, reversible, traits, note } = action;
      run.emit(op, resource, { certainty, reversible, traits: isThrown ? [...traits, 'build-output'] : traits, note });
    }
  }
}
