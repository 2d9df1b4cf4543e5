import type { ProgramEntry, Run } from '../../run.js';
import { argumentsOf, isHelpOnly, rows } from '../helpers.js';

/** What sub-commands do to the database. Words are matched from the first operand on; `*` is any. */
export interface MigrationVerbs {
  /** Empty the database or take tables away. */
  readonly destroys: readonly string[];
  /** Change its tables. */
  readonly changes: readonly string[];
  /** Change a database that others use. */
  readonly deploys: readonly string[];
}

/** A tool that is made for migrations alone. */
interface Tool extends MigrationVerbs {
  readonly names: string;
  /** Options that take a word of their own before the verb. */
  readonly values?: string;
}

/** Sources: the tools' own reference pages. What is in none of the lists is reading, or making files in the project. */
const TOOLS: readonly Tool[] = [
  {
    names: 'prisma',
    destroys: ['migrate reset', 'db push --force-reset', 'db push --accept-data-loss', 'db drop'],
    changes: ['migrate dev', 'db push', 'db execute', 'db seed', 'migrate resolve'],
    deploys: ['migrate deploy'],
  },
  {
    names: 'alembic',
    values: '-c --config -n --name -x',
    destroys: ['downgrade'],
    changes: ['upgrade', 'stamp'],
    deploys: [],
  },
  {
    names: 'knex',
    values: '--knexfile --env --cwd --client --connection --migrations-directory',
    destroys: ['migrate:rollback', 'migrate:down'],
    changes: ['migrate:latest', 'migrate:up', 'seed:run', 'migrate:unlock'],
    deploys: [],
  },
  {
    names: 'sequelize|sequelize-cli',
    destroys: ['db:drop', 'db:migrate:undo', 'db:migrate:undo:all', 'db:seed:undo', 'db:seed:undo:all'],
    changes: ['db:migrate', 'db:seed', 'db:seed:all', 'db:create'],
    deploys: [],
  },
  {
    names: 'typeorm',
    destroys: ['schema:drop', 'migration:revert'],
    changes: ['migration:run', 'schema:sync', 'query'],
    deploys: [],
  },
  { names: 'drizzle-kit', destroys: ['drop'], changes: ['push', 'migrate'], deploys: [] },
  { names: 'flyway', destroys: ['clean', 'undo'], changes: ['migrate', 'repair', 'baseline'], deploys: [] },
  {
    names: 'liquibase',
    values: '--defaults-file --changelog-file --url --username --password --classpath --log-level --driver',
    destroys: ['drop-all', 'dropAll', 'rollback', 'rollback-count', 'rollbackCount'],
    changes: ['update', 'tag', 'changelog-sync'],
    deploys: [],
  },
  {
    names: 'dbmate',
    values: '-u --url -d --migrations-dir -e --env -s --schema-file --env-file --migrations-table --wait-timeout',
    destroys: ['drop', 'rollback', 'down'],
    changes: ['up', 'migrate', 'create', 'load'],
    deploys: [],
  },
  {
    names: 'goose',
    values: '-dir -table -certfile -ssl-cert -ssl-key -timeout -env',
    destroys: ['* down', '* reset', '* down-to', '* redo', 'down', 'reset', 'redo', '* * down', '* * reset'],
    changes: ['up', '* up', '* * up'],
    deploys: [],
  },
  {
    names: 'migrate|golang-migrate',
    values: '-path -database -source -prefetch -lock-timeout --path --database --source',
    destroys: ['drop', 'down'],
    changes: ['up', 'goto', 'force'],
    deploys: [],
  },
  {
    names: 'atlas',
    destroys: ['schema clean', 'migrate down'],
    changes: ['schema apply', 'migrate apply'],
    deploys: [],
  },
  {
    names: 'diesel',
    destroys: ['database reset', 'database drop', 'migration revert', 'migration redo'],
    changes: ['migration run', 'database setup', 'setup'],
    deploys: [],
  },
  {
    names: 'sqlx',
    destroys: ['database drop', 'database reset', 'migrate revert'],
    changes: ['migrate run', 'database create', 'database setup'],
    deploys: [],
  },
  {
    names: 'sea-orm-cli|sea',
    destroys: ['migrate down', 'migrate reset', 'migrate fresh', 'migrate refresh'],
    changes: ['migrate up', 'migrate'],
    deploys: [],
  },
  { names: 'aerich', destroys: ['downgrade'], changes: ['upgrade', 'init-db'], deploys: [] },
];

/** Whether the words begin with a rule's: operands in order, options anywhere. */
function matches(rule: string, operands: readonly string[], options: readonly string[]): boolean {
  const parts = rule.split(' ');
  const wanted = parts.filter((part) => !part.startsWith('--'));
  return (
    wanted.every((part, index) => (part === '*' ? operands[index] !== undefined : operands[index] === part)) &&
    parts
      .filter((part) => part.startsWith('--'))
      .every((part) => options.some((option) => option === part || option.startsWith(`${part}=`)))
  );
}

const migration =
  (tool: Tool) =>
  (run: Run): void => {
    const words = argumentsOf(run.invocation);
    if (isHelpOnly(words)) return;
    const values = new Set(tool.values?.split(' '));
    const texts = words.map(({ text }) => text);
    tellMigration(
      run,
      tool,
      texts.filter((_text, index) => !values.has(texts[index - 1] ?? '')),
    );
  };

/** Only tell what would be done, or write it down. Sources: as for the tools and consoles. */
const TRIALS = /^--(?:dry-run|sql|plan|pretend|create-only|dump-sql|check)$/;

/** Says what the words of a migration tool or framework task do to the database. */
export function tellMigration(run: Run, tool: MigrationVerbs, words: readonly string[]): void {
  const operands = words.filter((word) => !word.startsWith('-'));
  const options = words.filter((word) => word.startsWith('-'));
  if (options.some((option) => TRIALS.test(option))) return;
  const table = { type: 'table', database: '*', table: '*' } as const;
  const is = (rules: readonly string[]): boolean => rules.some((rule) => matches(rule, operands, options));
  if (is(tool.destroys))
    run.emit('delete', table, { traits: ['mass'], reversible: 'no', note: 'empties tables or takes them away' });
  else if (is(tool.deploys)) run.emit('write', table, { traits: ['mass', 'publish'], reversible: 'no' });
  else if (is(tool.changes))
    run.emit('write', table, {
      traits: ['mass'],
      reversible: 'no',
      note: 'changes tables of the database that the project is set to',
    });
}

/** `rails db:drop`, `rake db:reset`, `mix ecto.drop`: tasks of a framework that empty its database. */
export const RAILS_TASKS: MigrationVerbs = {
  destroys: [
    'db:drop',
    'db:drop:all',
    'db:reset',
    'db:migrate:reset',
    'db:schema:load',
    'db:structure:load',
    'db:truncate_all',
    'db:purge',
    'db:rollback',
    'db:seed:replant',
    'db:migrate:down',
    'ecto.drop',
    'ecto.reset',
    'ecto.rollback',
  ],
  changes: [
    'db:migrate',
    'db:seed',
    'db:setup',
    'db:prepare',
    'db:create',
    'db:migrate:up',
    'db:migrate:redo',
    'ecto.migrate',
    'ecto.setup',
    'ecto.create',
  ],
  deploys: [],
};

export const migrationPrograms: readonly ProgramEntry[] = TOOLS.flatMap((tool) => rows(tool.names, migration(tool)));
