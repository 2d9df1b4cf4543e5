import type { Word } from '../../../effect.js';
import type { Language, ProgramEntry, Run } from '../../run.js';
import { argumentsOf, isHelpOnly, rows, withText } from '../helpers.js';
import { tellMigration, type MigrationVerbs } from './migrations.js';

/** The command that a project's framework puts into it: what its verbs do to the database, and how it takes code. */
interface Console extends MigrationVerbs {
  /** Names of the file or program. */
  readonly names: readonly string[];
  /** Verbs that run code of a language: the value of an option, their first operand (`null`), or standard input. */
  readonly code: readonly { readonly verb: RegExp; readonly option: RegExp | null; readonly language: Language }[];
}

/** Sources: django-admin 5.1, Laravel 11 artisan, Symfony 7 and Doctrine 3, Flask-Migrate 4, Drush 13, CodeIgniter 4, Yii 2, CakePHP 5. */
const CONSOLES: readonly Console[] = [
  {
    names: ['manage.py', 'django-admin', 'django'],
    destroys: ['flush', 'reset_db', 'reset_schema', 'migrate * zero', 'clean_db', 'delete_squashed_migrations'],
    changes: ['migrate', 'loaddata', 'createsuperuser', 'changepassword', 'clearsessions', 'remove_stale_contenttypes'],
    deploys: [],
    code: [
      { verb: /^shell(?:_plus)?$/, option: /^(?:-c|--command)$/, language: 'python' },
      { verb: /^dbshell$/, option: /^(?:-c|-e|--command)$/, language: 'sql' },
    ],
  },
  {
    names: ['flask'],
    destroys: ['db downgrade', 'db drop', 'drop-db', 'drop_db', 'reset-db', 'reset_db'],
    changes: ['db upgrade', 'db stamp'],
    deploys: [],
    code: [{ verb: /^shell$/, option: /^-c$/, language: 'python' }],
  },
  {
    names: ['artisan'],
    destroys: ['migrate:fresh', 'migrate:reset', 'migrate:refresh', 'migrate:rollback', 'db:wipe', 'model:prune'],
    changes: ['migrate', 'db:seed'],
    deploys: [],
    code: [
      { verb: /^tinker$/, option: /^--execute$/, language: 'php' },
      { verb: /^db$/, option: /^-e$/, language: 'sql' },
    ],
  },
  {
    names: ['console'],
    destroys: [
      'doctrine:database:drop',
      'doctrine:schema:drop',
      'doctrine:fixtures:load',
      'doctrine:mongodb:schema:drop',
      'doctrine:migrations:migrate first',
      'doctrine:migrations:migrate prev',
      'd:d:d',
      'd:s:d',
    ],
    changes: ['doctrine:migrations:migrate', 'doctrine:schema:update', 'doctrine:database:create', 'd:m:m', 'd:s:u'],
    deploys: [],
    code: [{ verb: /^(?:dbal:run-sql|doctrine:query:sql)$/, option: null, language: 'sql' }],
  },
  {
    names: ['drush'],
    destroys: ['sql-drop', 'sql:drop', 'site-install', 'site:install', 'si', 'entity:delete', 'sql:sync', 'sql-sync'],
    changes: ['updatedb', 'updb', 'config:import', 'cim', 'user:create', 'user:password'],
    deploys: [],
    code: [
      { verb: /^(?:sql[:-]query|sqlq)$/, option: null, language: 'sql' },
      { verb: /^(?:php[:-]eval|eval|ev)$/, option: null, language: 'php' },
    ],
  },
  {
    names: ['spark', 'yii', 'cake'],
    destroys: [
      'migrate:rollback',
      'migrate:refresh',
      'migrate/down',
      'migrate/fresh',
      'migrate/redo',
      'migrate/to',
      'migrations rollback',
      'schema_cache clear',
    ],
    changes: ['migrate', 'migrate/up', 'db:seed', 'migrations migrate', 'migrations seed'],
    deploys: [],
    code: [],
  },
];

const BY_NAME: ReadonlyMap<string, Console> = new Map(
  CONSOLES.flatMap((console) => console.names.map((name) => [name, console] as const)),
);

/** Says what a framework's command does to the data of its project. Says nothing of other files. */
export function tellConsole(run: Run, file: string, words: readonly Word[]): void {
  const console = BY_NAME.get(file.replace(/^.*[\\/]/, '').replace(/\.php$|\.bat$/, ''));
  if (!console || isHelpOnly(words)) return;
  tellMigration(
    run,
    console,
    words.map(({ text }) => text),
  );
  const [verb, ...rest] = words.filter(({ text }) => !/^--(?:settings|env|pythonpath|app)=/.test(text));
  const reading = console.code.find((one) => one.verb.test(verb?.text ?? ''));
  if (reading) tellCode(run, reading, rest);
}

/** Rows that code of a framework takes away or changes by its models. Sources: Django 5, Rails 8, Laravel 11, Doctrine 3. */
const TAKES =
  /\.objects\b[^;\n]*\.(?:_raw_)?delete\(|(?:->|::)(?:truncate|forceDelete|delete|destroy)\(|\b(?:delete_all|destroy_all|delete_by|destroy_by)\b/;
const SETS =
  /\.objects\b[^;\n]*\.(?:update|bulk_update|bulk_create|create|update_or_create)\(|(?:->|::)(?:update|insert|upsert|create|save)\(|\b(?:update_all|insert_all|upsert_all)\b/;
const STATEMENTS =
  /(?:\bexecute|\bexec_query|\bselect_all|\braw|DB::(?:statement|unprepared|delete|update|insert|select)|executeStatement|executeQuery)\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/g;

/** What a framework's code, given in a word, does to its tables, as far as models and statements show it. */
export function tellRecords(run: Run, code: Word): void {
  const table = { type: 'table', database: '*', table: '*' } as const;
  if (TAKES.test(code.text)) run.emit('delete', table, { traits: ['mass'], reversible: 'no', note: 'by its models' });
  else if (SETS.test(code.text)) run.emit('write', table, { reversible: 'no', note: 'by its models' });
  for (const [, double, single] of code.text.matchAll(STATEMENTS))
    run.code('sql', withText(code, double ?? single ?? ''));
}

function tellCode(run: Run, { option, language }: Console['code'][number], rest: readonly Word[]): void {
  const at = option === null ? -1 : rest.findIndex(({ text }) => option.test(text.replace(/=.*$/s, '')));
  const named = rest[at];
  const glued = named && /^--?[\w-]+=(.*)$/s.exec(named.text)?.[1];
  const given =
    option === null
      ? rest.find(({ text }) => !text.startsWith('-'))
      : named && (glued === undefined ? rest[at + 1] : withText(named, glued));
  if (given) {
    run.code(language, given);
    tellRecords(run, given);
  } else run.standardInput(language, []);
}

export const consolePrograms: readonly ProgramEntry[] = rows([...BY_NAME.keys()].join(' '), (run) => {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  tellConsole(run, run.invocation.program, words);
  run.unreviewed(`code of the project, by ${run.invocation.program}`);
});
