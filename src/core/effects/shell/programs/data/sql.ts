import type { Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { argumentsOf, isHelpOnly, joined, rows, withText } from '../helpers.js';
import { parseOptions, type OptionSpec } from '../options.js';

/** How a database client names its parts. */
interface Client {
  readonly names: string;
  readonly spec: OptionSpec;
  /** Options whose value is SQL. */
  readonly statements: readonly string[];
  /** Options whose value is a file of SQL. */
  readonly scripts: readonly string[];
  readonly host: readonly string[];
  readonly database: readonly string[];
  /** Options whose value is a file that is written. */
  readonly writes: readonly string[];
  /** What the operands are. */
  readonly operands: 'database' | 'file' | 'statements';
  /** Options with which nothing is asked. */
  readonly quiet: readonly string[];
}

/** Sources: psql(1) 17, mysql(1) 9, mariadb(1), sqlcmd, clickhouse-client, cqlsh, snowsql, and the projects' own help. */
const CLIENTS: readonly Client[] = [
  {
    names: 'psql pgcli cockroach usql ysqlsh',
    spec: {
      flags:
        '-a -A -b -e -E -H -l|--list -n -q -s -S -t -w -W -x -X|--no-psqlrc -1|--single-transaction -z -0 -V|--version --csv --insecure --tuples-only --no-align --quiet --expanded --no-password --password --echo-all --html',
      values:
        '-c|--command|-e|--execute -d|--dbname|--database -f|--file -F -h|--host -L|--log-file -o|--output -p|--port -P|--pset -R -T -U|--username -v|--set|--variable --url',
      optional: '-?|--help',
    },
    statements: ['-c'],
    scripts: ['-f'],
    host: ['-h', '--url'],
    database: ['-d'],
    writes: ['-o', '-L'],
    operands: 'database',
    quiet: ['-V', '-?'],
  },
  {
    names: 'mysql mariadb mycli tidb-client',
    spec: {
      flags:
        '-A|--no-auto-rehash -B|--batch -C -f|--force -G -H|--html -i -I|--help -L -n -N|--skip-column-names -q -r|--raw -s|--silent -t|--table -v|--verbose -V|--version -w -X|--xml -E|--vertical --ssl --skip-ssl --column-names --comments --binary-mode --local-infile --no-defaults --print-defaults --compress --safe-updates -U',
      values:
        '-e|--execute -D|--database -h|--host -u|--user -P|--port -S|--socket --protocol --init-command --defaults-file --defaults-extra-file --defaults-group-suffix --login-path --tee --delimiter --default-character-set --connect-timeout --max-allowed-packet --prompt --ssl-mode --ssl-ca --ssl-cert --ssl-key --plugin-dir --init-file',
      optional: '-p|--password --pager',
    },
    statements: ['-e', '--init-command'],
    scripts: ['--init-file'],
    host: ['-h'],
    database: ['-D'],
    writes: ['--tee'],
    operands: 'database',
    quiet: ['-V', '-I'],
  },
  {
    names: 'sqlcmd',
    spec: {
      flags: '-b -e -E -g -G -I -j -k -m -n -N -p -r -R -u -W -X -C',
      values: '-S -d -U -P -Q -q -i -o -a -c -f -h -H -K -l -L -M -s -t -v -V -w -y -Y -z -Z',
    },
    statements: ['-Q', '-q'],
    scripts: ['-i'],
    host: ['-S'],
    database: ['-d'],
    writes: ['-o'],
    operands: 'database',
    quiet: [],
  },
  {
    names: 'clickhouse-client clickhouse',
    spec: {
      flags: '-m|--multiline -n|--multiquery -s|--secure -t|--time -E --verbose --version',
      values:
        '-q|--query -h|--host --port -u|--user --password -d|--database -f|--format --queries-file --external --config-file',
      optional: '--progress',
    },
    statements: ['-q'],
    scripts: ['--queries-file'],
    host: ['-h'],
    database: ['-d'],
    writes: [],
    operands: 'database',
    quiet: ['--version'],
  },
  {
    names: 'cqlsh',
    spec: {
      flags: '-C --no-color --ssl --debug -v --version',
      values:
        '-e|--execute -f|--file -k|--keyspace -u|--username -p|--password --cqlshrc --request-timeout --connect-timeout --encoding',
    },
    statements: ['-e'],
    scripts: ['-f'],
    host: [],
    database: ['-k'],
    writes: [],
    operands: 'database',
    quiet: ['-v', '--version'],
  },
  {
    names: 'snowsql snow trino presto bq-sql mssql-cli isql osql sqlplus spark-sql hive beeline impala-shell questdb',
    spec: {
      flags: '-v --version --help -S -s',
      values:
        '-q|--query -e|--execute -f|--filename|--file -a -u -d|--database|-dbname -w -h|--host|--server -o|-outfile -p -P -U -r --schema --catalog --output-format -H -c',
    },
    statements: ['-q', '-e'],
    scripts: ['-f'],
    host: ['-h'],
    database: ['-d'],
    writes: [],
    operands: 'database',
    quiet: ['-v', '--version', '--help'],
  },
  {
    names: 'sqlite3|sqlite litecli duckdb',
    spec: {
      style: 'single',
      flags:
        '-append -ascii -bail -batch -box -column -csv -echo -header -noheader -heading -help -html -interactive -json -line -list -markdown -memtrace -nofollow -quote -readonly -safe -stats -table -tabs -unsafe-testing -version -deserialize -jsonlines -unsigned -unredacted',
      values: '-cmd|-c -init|-f -separator -nullvalue -newline -vfs -mmap -lookaside -pagecache -maxsize -escape -A -s',
    },
    statements: ['-cmd', '-s'],
    scripts: ['-init'],
    host: [],
    database: [],
    writes: [],
    operands: 'file',
    quiet: ['-help', '-version'],
  },
];

const isLocal = (host: string): boolean => /^(|localhost|127\.\d+\.\d+\.\d+|::1|\/.*|\.|\(local\))$/.test(host);
const isConnection = (text: string): boolean => /^\w+:\/\//.test(text) || /\bhost(addr)?=/.test(text);

function client(description: Client): (run: Run) => void {
  return (run) => {
    const words = argumentsOf(run.invocation);
    const parsed = parseOptions(description.spec, words);
    if (isHelpOnly(words) || parsed.has(...description.quiet)) return;
    const operands = parsed.operands.filter(
      ({ text }) => !/^(sql|client|local|--)$/.test(text) || description.operands === 'file',
    );
    const [first, second] = operands;
    const database = parsed.value(...description.database) ?? first ?? null;
    for (const host of parsed.values(...description.host)) connect(run, host);
    if (description.operands === 'file') {
      if (first && first.text !== ':memory:') openFile(run, first, parsed.has('-readonly'));
    } else
      for (const word of [database, ...operands])
        if (word && (isConnection(word.text) || word.certainty === 'dynamic')) connect(run, word);
    for (const file of parsed.values(...description.writes)) run.write(file);
    const positional = database ? [database] : [];
    const statements = [
      ...parsed.values(...description.statements),
      ...(description.operands === 'file' ? operands.slice(1) : []),
    ];
    // An unquoted statement falls apart into words: `psql -c DROP TABLE users`. It is judged as it was meant.
    for (const statement of statements) {
      const isHead = /^(drop|delete|truncate|alter|grant|revoke|update)$/i.test(statement.text);
      run.code('sql', isHead ? joined([statement, ...operands]) : statement, { positional: isHead ? [] : positional });
    }
    for (const script of parsed.values(...description.scripts)) run.script('sql', script, { positional });
    if (statements.length === 0 && !parsed.has(...description.scripts) && !second) run.standardInput('sql', positional);
  };
}

/** A database file is read; what changes in it is said of its tables. */
function openFile(run: Run, file: Word, isReadOnly: boolean): void {
  run.read(file, isReadOnly ? { note: 'opened for reading only' } : {});
}

function connect(run: Run, target: Word): void {
  const named = /\bhost(?:addr)?=(\S+)/.exec(target.text)?.[1];
  const host =
    named === undefined || /^\w+:\/\//.test(target.text) ? target : withText(target, named.replace(/^'|'$/g, ''));
  if (host.certainty === 'exact' && isLocal(host.text)) return;
  run.network(withText(host, host.text.replace(/^tcp:/, '').replace(/,\d+$/, '')), { traits: ['download'] });
}

/** Programs that take a whole database away, make one, copy it out, or put it back. Sources: their man pages. */
function administration(
  op: 'create' | 'drop' | 'dump' | 'restore' | 'admin',
  spec: OptionSpec,
  outputs: readonly string[] = [],
): (run: Run) => void {
  return (run) => {
    const words = argumentsOf(run.invocation);
    if (isHelpOnly(words)) return;
    const parsed = parseOptions(spec, words);
    const [first, ...rest] = parsed.operands;
    for (const host of parsed.values('-h', '--host')) connect(run, host);
    const database = (parsed.value('-d') ?? first)?.text ?? '*';
    const table = { type: 'table', database, table: '*' } as const;
    if (op === 'create') run.emit('write', table, { traits: ['create'] });
    else if (op === 'drop')
      run.emit('delete', table, {
        traits: ['mass', ...(parsed.has('-f') ? (['force'] as const) : [])],
        reversible: 'no',
      });
    else if (op === 'dump') {
      run.emit('read', table, { traits: ['mass', 'rows-unbounded'], reversible: 'yes' });
      for (const file of parsed.values(...outputs)) run.write(file, { traits: ['recursive'] });
    } else if (op === 'restore') {
      for (const file of parsed.operands)
        if (!parsed.value('-d') || file !== first || rest.length === 0) run.read(file);
      const clears = parsed.has('-c', '-C', '--drop', '--overwrite-tables');
      run.emit(clears ? 'delete' : 'write', table, {
        traits: clears ? ['mass'] : ['mass', 'overwrite'],
        reversible: 'no',
      });
    } else mysqladmin(run, parsed.operands);
  };
}

function mysqladmin(run: Run, operands: readonly Word[]): void {
  for (let index = 0; index < operands.length; index += 1) {
    const verb = operands[index]?.text ?? '';
    const name = operands[index + 1]?.text ?? '';
    if (verb === 'drop') {
      run.emit('delete', { type: 'table', database: name, table: '*' }, { traits: ['mass'], reversible: 'no' });
      index += 1;
    } else if (verb === 'create') {
      run.emit('write', { type: 'table', database: name, table: '*' }, { traits: ['create'] });
      index += 1;
    } else if (verb === 'shutdown' || verb === 'kill' || verb === 'stop-slave' || verb === 'stop-replica') {
      run.emit('kill', { type: 'process', process: 'mysqld' }, { reversible: 'no' });
      if (verb === 'kill') index += 1;
    } else if (verb === 'password') {
      run.emit(
        'persist',
        { type: 'remote', service: 'mysql', name: 'password' },
        { traits: ['grants-access', 'secret'], reversible: 'no' },
      );
      index += 1;
    } else if (
      !/^(ping|status|extended-status|variables|version|processlist|debug|flush-\w+|refresh|reload|start-\w+)$/.test(
        verb,
      )
    ) {
      run.unknown(`${verb} of mysqladmin`);
    }
  }
}

const POSTGRES: OptionSpec = {
  flags:
    '-a -b -B -c|--clean -C|--create -e -E -i -f|--force -g -i|--interactive -j -l|--list -O -r -R -s|--schema-only -v -w -W -x -1 -n0 -Z0 --if-exists --data-only --no-owner --no-privileges --maintenance-only -V --verbose --no-acl',
  values:
    '-d|--dbname -h|--host -p|--port -U|--username -n -N -t|--table -T -F|--format -f0|--file -Z -S -D|--tablespace --maintenance-db --role -L -I -P',
};
const DUMP: OptionSpec = {
  ...POSTGRES,
  flags: (POSTGRES.flags ?? '').replace('-f|--force', '--force'),
  values: `${POSTGRES.values ?? ''} -f`,
};
const MYSQLDUMP: OptionSpec = {
  flags:
    '-A|--all-databases -B|--databases -a -c -C -d|--no-data -e -E|--events -f -F -i -K -n|--no-create-db -N -q -Q -R|--routines -t|--no-create-info -v -x --single-transaction --quick --opt --skip-lock-tables --add-drop-table --compact',
  values:
    '-h|--host -u|--user -P|--port -S -r|--result-file -T|--tab -w|--where --ignore-table --defaults-file --default-character-set --set-gtid-purged -D|-d0',
  optional: '-p|--password',
};

export const sqlPrograms: readonly ProgramEntry[] = [
  ...CLIENTS.flatMap((description) => rows(description.names, client(description))),
  ...rows('createdb', administration('create', POSTGRES)),
  ...rows('dropdb', administration('drop', POSTGRES)),
  ...rows('dropuser', administration('drop', POSTGRES)),
  ...rows('pg_dump pg_dumpall pg_basebackup', administration('dump', DUMP, ['-f', '-D'])),
  ...rows('mysqldump mariadb-dump mysqlpump mydumper', administration('dump', MYSQLDUMP, ['-r', '-T'])),
  ...rows('pg_restore', (run) => {
    // With -l it prints the contents of the archive; without a database it prints a script.
    const words = argumentsOf(run.invocation);
    const isListing = words.some(({ text }) => /^(?:-l|--list)$/.test(text));
    if (!isListing) administration('restore', POSTGRES)(run);
    else for (const file of words.filter(({ text }) => !text.startsWith('-'))) run.read(file);
  }),
  ...rows('mysqlimport mariadb-import myloader', administration('restore', MYSQLDUMP)),
  ...rows('mysqladmin|mariadb-admin', administration('admin', MYSQLDUMP)),
  ...rows('createuser', (run) => {
    if (!isHelpOnly(argumentsOf(run.invocation)))
      run.emit(
        'write',
        { type: 'remote', service: 'postgres', name: 'users' },
        { traits: ['create', 'grants-access'] },
      );
  }),
  ...rows('pg_isready pg_config pg_lsclusters mysqlshow mysqlcheck mariadb-show', (run) => {
    run.emit('read', { type: 'table', database: '*', table: '*' }, { reversible: 'yes' });
  }),
  ...rows('pg_ctl pg_ctlcluster', (run) => {
    const verb = argumentsOf(run.invocation).find(({ text }) =>
      /^(init|initdb|start|stop|restart|reload|status|promote|logrotate|kill)$/.test(text),
    )?.text;
    if (verb === 'stop' || verb === 'restart' || verb === 'kill')
      run.emit('kill', { type: 'process', process: 'postgres' });
    else if (verb && verb !== 'status')
      run.emit('execute', { type: 'process', process: 'postgres' }, { traits: ['daemon'] });
  }),
  ...rows('pg_resetwal pg_rewind pg_archivecleanup pg_upgrade initdb', (run) => {
    if (isHelpOnly(argumentsOf(run.invocation))) return;
    const folder = argumentsOf(run.invocation)
      .filter(({ text }) => !text.startsWith('-'))
      .at(-1);
    run.write(folder ?? exactWord('.'), { traits: ['recursive', 'overwrite'] });
  }),
];
