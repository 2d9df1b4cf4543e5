import type { Op, Resource, Trait } from '../effect.js';
import { unknownAction, type SqlAction } from './action.js';
import { tokenise, type Dialect, type Token } from './tokens.js';

/** What each statement of a script does, in order. */
export function actionsOfScript(sql: string, database: string, dialect: Dialect): readonly SqlAction[] {
  const { statements, isUnfinished } = tokenise(sql, dialect);
  const actions = statements.flatMap((tokens) => new Statement(tokens, database, dialect).actions());
  return isUnfinished ? [...actions, unknownAction('SQL that ends inside a string or comment')] : actions;
}

/** Verbs that touch no data of others: transactions, session settings, plans. */
const QUIET = new Set(
  'begin start commit end rollback savepoint release abort use set reset show describe desc help analyze vacuum reindex optimize checkpoint listen unlisten notify discard deallocate close fetch move declare lock unlock explain print go delimiter pragma checksum if'.split(
    ' ',
  ),
);

/** Functions that reach beyond the database. Their first text argument is a path, a command or an address. */
const REACHING: ReadonlyMap<string, 'read' | 'write' | 'execute' | 'network' | 'kill'> = new Map([
  ['pg_read_file', 'read'],
  ['pg_read_binary_file', 'read'],
  ['pg_ls_dir', 'read'],
  ['pg_stat_file', 'read'],
  ['lo_import', 'read'],
  ['lo_export', 'write'],
  ['load_file', 'read'],
  ['readfile', 'read'],
  ['read_csv', 'read'],
  ['read_csv_auto', 'read'],
  ['read_parquet', 'read'],
  ['read_text', 'read'],
  ['openrowset', 'read'],
  ['writefile', 'write'],
  ['pg_file_write', 'write'],
  ['load_extension', 'execute'],
  ['edit', 'execute'],
  ['xp_cmdshell', 'execute'],
  ['sp_oacreate', 'execute'],
  ['sys_exec', 'execute'],
  ['sys_eval', 'execute'],
  ['dbms_scheduler', 'execute'],
  ['dblink', 'network'],
  ['dblink_exec', 'network'],
  ['dblink_connect', 'network'],
  ['http_get', 'network'],
  ['http_post', 'network'],
  ['opendatasource', 'network'],
  ['pg_terminate_backend', 'kill'],
  ['pg_cancel_backend', 'kill'],
]);

/** Functions of which each counts rows into one: a select of these alone returns one row. */
const AGGREGATES = new Set(
  'count sum avg min max total group_concat string_agg array_agg json_agg jsonb_agg bool_and bool_or stddev variance exists version now current_timestamp current_database current_user pg_size_pretty pg_database_size last_insert_rowid coalesce'.split(
    ' ',
  ),
);

/** Words that end a list of tables. */
const AFTER_TABLES = new Set(
  'where group order limit having union intersect except window fetch offset for on using set values select returning join inner left right full cross natural lateral into when then with'.split(
    ' ',
  ),
);

/** `extract(year from t)`: a FROM inside these names no table. */
const OWN_FROM = new Set(['extract', 'trim', 'substring', 'overlay', 'position', 'ltrim', 'rtrim']);

/** Joins in parentheses in parentheses: deeper than this is not written by people. */
const MOST_NESTED = 40;

/** One statement, walked once for tables and once for functions. */
class Statement {
  readonly #found: SqlAction[] = [];
  /** Names that a WITH defines: no tables of the database. */
  readonly #own = new Set<string>();

  /** Index of each opening parenthesis → index of its partner. */
  readonly #closing = new Map<number, number>();

  constructor(
    readonly tokens: readonly Token[],
    readonly database: string,
    readonly dialect: Dialect,
  ) {
    const open: number[] = [];
    tokens.forEach(({ type, value }, at) => {
      if (type !== 'sign') return;
      if (value === '(') open.push(at);
      else if (value === ')') this.#closing.set(open.pop() ?? -1, at);
    });
  }

  actions(): readonly SqlAction[] {
    const verb = this.#key(0);
    this.#functions();
    this.#promptCommands();
    if (verb === 'with') this.#with();
    else if (verb === '(' || this.tokens[0]?.value === '(') this.#reads();
    else this.#statement(verb, 0);
    return this.#found;
  }

  #key(at: number): string {
    return this.tokens[at]?.key ?? '';
  }

  #text(from: number, to: number): string {
    return this.tokens
      .slice(from, to)
      .map(({ value }) => value)
      .join(' ');
  }

  /** `SELECT 1 \gexec`: psql runs what stands behind a backslash; some only print or end the statement. */
  #promptCommands(): void {
    if (!this.tokens.some(({ value }) => value === '\\')) return;
    this.tokens.forEach(({ type, value }, at) => {
      if (type !== 'sign' || value !== '\\') return;
      const name = this.tokens[at + 1]?.value ?? '';
      if (!/^(?:g|gx|G|gset|gdesc|watch|crosstabview|bind|parse)$/.test(name) || this.tokens.length > at + 2) {
        this.#found.push(unknownAction(`a command of the database's prompt: \\${name}`));
      }
    });
  }

  #has(...keys: readonly string[]): boolean {
    return this.tokens.some(({ key }) => keys.includes(key));
  }

  /** Index of the first unquoted word at the top level of parentheses; -1 when there is none. */
  #topLevel(key: string, from = 0): number {
    let depth = 0;
    for (let at = from; at < this.tokens.length; at += 1) {
      const token = this.tokens[at];
      if (token?.type === 'sign' && token.value === '(') depth += 1;
      else if (token?.type === 'sign' && token.value === ')') depth -= 1;
      else if (depth === 0 && token?.key === key) return at;
    }
    return -1;
  }

  /** `schema.table` beginning at a token: name without quotes, and the index after it. Null when no name stands there. */
  #name(at: number): { readonly name: string; readonly next: number } | null {
    let next = at;
    const parts: string[] = [];
    for (;;) {
      const token = this.tokens[next];
      if (token?.type !== 'word' && token?.type !== 'name') break;
      parts.push(token.type === 'word' ? token.key : token.value);
      next += 1;
      if (this.tokens[next]?.value !== '.' || this.tokens[next]?.type !== 'sign') break;
      next += 1;
    }
    return parts.length > 0 ? { name: parts.join('.'), next } : null;
  }

  #emit(op: Op, table: string, traits: readonly Trait[] = [], note = ''): void {
    this.#effect(op, { type: 'table', database: this.database, table }, traits, note);
  }

  #effect(op: Op, resource: Resource, traits: readonly Trait[], note: string): void {
    const isDynamic = resource.type === 'table' && /^[$:@?{]/.test(resource.table);
    this.#found.push({
      type: 'effect',
      op,
      resource,
      certainty: isDynamic ? 'dynamic' : 'exact',
      reversible: op === 'read' || traits.includes('dry-run') ? 'yes' : 'no',
      traits,
      note,
    });
  }

  #with(): void {
    let at = this.#key(1) === 'recursive' ? 2 : 1;
    for (;;) {
      const name = this.#name(at);
      if (!name) break;
      this.#own.add(name.name);
      at = this.#skipParentheses(name.next);
      while (['as', 'not', 'materialized'].includes(this.#key(at))) at += 1;
      const open = at;
      at = this.#skipParentheses(at);
      this.#inner(open + 1, at - 1);
      if (this.tokens[at]?.value !== ',') break;
      at += 1;
    }
    this.#statement(this.#key(at), at);
  }

  /** A statement inside a WITH: only one that changes something is a statement of its own, reads are found by the whole. */
  #inner(from: number, to: number): void {
    const verb = this.#key(from);
    if (!['insert', 'update', 'delete', 'merge'].includes(verb)) return;
    const inner = new Statement(this.tokens.slice(from, to), this.database, this.dialect);
    this.#found.push(...inner.actions());
  }

  /** The index after the parenthesis that closes the one at `at`; `at` itself where none opens there. */
  #skipParentheses(at: number): number {
    const token = this.tokens[at];
    return token?.type === 'sign' && token.value === '(' ? (this.#closing.get(at) ?? this.tokens.length - 1) + 1 : at;
  }

  #statement(verb: string, at: number): void {
    switch (verb) {
      case 'select':
      case 'values':
      case 'table':
        return this.#select(at);
      case 'insert':
      case 'replace':
      case 'upsert':
        return this.#insert(at);
      case 'update':
        return this.#change('write', at + 1, this.#topLevel('where', at));
      case 'delete':
        return this.#change('delete', this.#key(at + 1) === 'from' ? at + 2 : at + 1, this.#topLevel('where', at));
      case 'merge':
        return this.#merge(at);
      case 'truncate':
        return this.#each(at + 1, (name) =>
          this.#emit('delete', name, ['mass', 'rows-unbounded'], 'empties the table'),
        );
      case 'drop':
        return this.#drop(at);
      case 'create':
        return this.#create(at);
      case 'alter':
      case 'rename':
      case 'comment':
      case 'refresh':
      case 'cluster':
      case 'import':
        return this.#alter(at);
      case 'grant':
      case 'revoke':
        return this.#rights(verb, at);
      case 'copy':
      case 'load':
        return this.#bulk(verb, at);
      case 'attach':
        return this.#attach(at);
      case 'detach':
        return;
      case 'prepare':
        return this.#prepared(at);
      case 'kill':
      case 'shutdown':
        return this.#effect('kill', { type: 'process', process: `${this.database} ${verb}` }, [], '');
      case 'exec':
      case 'execute':
      case 'call':
      case 'do':
      case 'handler':
      case 'backup':
      case 'restore':
        return this.#opaque(verb, at);
      default:
        return this.#other(verb, at);
    }
  }

  #other(verb: string, at: number): void {
    if (verb === 'explain' || verb === 'describe' || verb === 'desc') return this.#explain(at);
    if (verb === 'set' || verb === 'reset') return this.#set(at);
    if (verb === 'pragma') return this.#pragma(at);
    if (!QUIET.has(verb)) this.#found.push(unknownAction(`SQL statement "${this.#text(at, at + 3).slice(0, 60)}"`));
  }

  #explain(at: number): void {
    const inner = this.tokens.findIndex(
      (token, index) => index > at && /^(select|insert|update|delete|with|merge)$/.test(token.key),
    );
    if (inner < 0) return;
    const runs = this.tokens
      .slice(at, inner)
      .some(
        ({ key }, index) =>
          (key === 'analyze' || key === 'analyse') &&
          !/^(?:false|off|0)$/.test(this.tokens[at + index + 1]?.value.toLowerCase() ?? ''),
      );
    const actions = new Statement(this.tokens.slice(inner), this.database, this.dialect).actions();
    for (const action of actions) {
      if (runs || action.type !== 'effect') this.#found.push(action);
      else
        this.#found.push({
          ...action,
          traits: [...action.traits.filter((t) => t !== 'rows-unbounded'), 'dry-run'],
          reversible: 'yes',
        });
    }
  }

  #set(at: number): void {
    if (
      /^(role|session_authorization)$/.test(this.#key(at + 1)) ||
      (this.#has('authorization') && this.#has('session'))
    ) {
      this.#effect('privilege', { type: 'process', process: this.database }, [], 'becomes another role');
    } else if (this.#has('global', 'persist', 'password')) {
      this.#effect(
        'privilege',
        { type: 'process', process: this.database },
        ['grants-access'],
        'changes a setting of the whole server',
      );
    }
  }

  /** Most pragmas ask or tune; those that switch off the safety of the file are changes of it. */
  #pragma(at: number): void {
    if (/^(writable_schema|key|rekey)$/.test(this.#key(at + 1)) && this.tokens.some(({ value }) => value === '=')) {
      this.#emit('write', '*', ['removes-check'], `sets ${this.#key(at + 1)}`);
    }
  }

  #select(at: number): void {
    const into = this.#topLevel('into', at);
    if (into >= 0) this.#selectInto(into);
    this.#reads();
    if (this.#key(at) === 'table') {
      const name = this.#name(at + 1);
      if (name) this.#emit('read', name.name, ['rows-unbounded']);
    }
  }

  #selectInto(at: number): void {
    const target = this.tokens[at + 2];
    if (/^(outfile|dumpfile)$/.test(this.#key(at + 1))) {
      this.#found.push({ type: 'file', op: 'write', path: target?.value ?? '', note: 'the database server writes it' });
      return;
    }
    const name = this.#name(/^(temp|temporary|unlogged|table)$/.test(this.#key(at + 1)) ? at + 2 : at + 1);
    if (name && !name.name.startsWith('@')) this.#emit('write', name.name, ['create']);
  }

  /** All tables that follow FROM, JOIN or USING anywhere in the statement. */
  #reads(): void {
    const isUnbounded = this.#isUnbounded();
    const seen = new Set<string>();
    for (const name of this.#sources()) {
      if (seen.has(name) || this.#own.has(name)) continue;
      seen.add(name);
      this.#emit('read', name, isUnbounded ? ['rows-unbounded'] : []);
    }
  }

  *#sources(): Iterable<string> {
    const opened: string[] = [];
    for (let at = 0; at < this.tokens.length; at += 1) {
      const { value, type, key } = this.tokens[at] ?? { value: '', type: 'sign', key: '' };
      if (type === 'sign' && value === '(') opened.push(this.#key(at - 1));
      else if (type === 'sign' && value === ')') opened.pop();
      const isFrom = key === 'from' && !OWN_FROM.has(opened.at(-1) ?? '') && this.#key(at - 1) !== 'distinct';
      if (isFrom && this.#key(at - 1) !== 'delete') yield* this.#listAt(at + 1);
      else if (key === 'join' || key === 'apply') yield* this.#listAt(at + 1, 1);
    }
  }

  /** Names of a FROM list: `a, b x, (select …) y, f(1)`; functions and sub-queries are no tables. */
  *#listAt(from: number, most = Infinity, depth = 0): Iterable<string> {
    let at = from;
    for (let count = 0; count < most; count += 1) {
      while (['only', 'lateral', 'outer'].includes(this.#key(at))) at += 1;
      if (this.tokens[at]?.value === '(' && this.tokens[at]?.type === 'sign') {
        const isQuery = /^(select|with|values|table)$/.test(this.#key(at + 1));
        if (!isQuery && depth < MOST_NESTED) yield* this.#listAt(at + 1, Infinity, depth + 1);
        else if (!isQuery) this.#found.push(unknownAction('SQL nested too deeply'));
        at = this.#skipParentheses(at);
      } else {
        const name = this.#name(at);
        if (!name) {
          const literal = this.tokens[at];
          // DuckDB and others read a quoted file name as a table.
          if (literal?.type === 'text')
            this.#found.push({ type: 'file', op: 'read', path: literal.value, note: 'read as a table' });
          return;
        }
        at = name.next;
        if (this.tokens[at]?.value !== '(') yield name.name;
        else at = this.#skipParentheses(at);
      }
      while (at < this.tokens.length && this.tokens[at]?.value !== ',' && !AFTER_TABLES.has(this.#key(at))) {
        if (this.tokens[at]?.value === ')') return;
        at = this.tokens[at]?.value === '(' ? this.#skipParentheses(at) : at + 1;
      }
      if (this.tokens[at]?.value !== ',') return;
      at += 1;
    }
  }

  /** A read of rows without condition or limit; one that only counts or groups returns few. */
  #isUnbounded(): boolean {
    const select = this.tokens.findIndex(({ key }) => key === 'select');
    if (select < 0 || this.#has('limit', 'top', 'rownum') || this.#has('fetch')) return false;
    const where = this.tokens.findIndex(({ key }) => key === 'where');
    if (where >= 0 && !this.#isAlwaysTrue(where + 1)) return false;
    if (this.#has('group')) return false;
    const from = this.#topLevel('from', select);
    const columns = this.tokens.slice(select + 1, from < 0 ? undefined : from);
    return from >= 0 && !this.#isCountOnly(columns);
  }

  #isCountOnly(columns: readonly Token[]): boolean {
    let depth = 0;
    let startsColumn = true;
    for (const [at, token] of columns.entries()) {
      if (token.type === 'sign' && token.value === '(') depth += 1;
      else if (token.type === 'sign' && token.value === ')') depth -= 1;
      else if (depth === 0 && token.value === ',' && token.type === 'sign') startsColumn = true;
      else if (depth === 0 && startsColumn) {
        if (token.key === 'distinct') continue;
        if (!AGGREGATES.has(token.key) || columns[at + 1]?.value !== '(') return false;
        startsColumn = false;
      }
    }
    return columns.length > 0;
  }

  /** `WHERE 1=1`, `WHERE true`, `… OR 1=1`: a condition that holds for every row. */
  #isAlwaysTrue(from: number): boolean {
    let to = from;
    while (to < this.tokens.length && !/^(order|group|limit|returning|having|union)$/.test(this.#key(to))) to += 1;
    let condition = this.tokens.slice(from, to);
    while (condition[0]?.value === '(' && condition.at(-1)?.value === ')') condition = condition.slice(1, -1);
    const lastOr = condition.findLastIndex(({ key }) => key === 'or');
    const hasAnd = condition.slice(lastOr + 1).some(({ key }) => key === 'and');
    if (lastOr < 0 && hasAnd) return splitAt(condition, 'and').every(isTautology);
    return isTautology(condition) || (lastOr >= 0 && !hasAnd && isTautology(condition.slice(lastOr + 1)));
  }

  #change(op: 'write' | 'delete', at: number, where: number): void {
    let next = at;
    while (
      ['only', 'ignore', 'low_priority', 'quick', 'or', 'rollback', 'abort', 'replace', 'fail', 'top'].includes(
        this.#key(next),
      )
    )
      next += 1;
    next = this.#skipParentheses(next);
    const name = this.#name(next);
    const isUnbounded = (where < 0 || this.#isAlwaysTrue(where + 1)) && !this.#has('limit', 'top');
    const traits: Trait[] = isUnbounded ? ['rows-unbounded', 'mass'] : [];
    if (op === 'write') traits.push('overwrite');
    this.#emit(op, name?.name ?? '?', traits, isUnbounded ? 'every row' : '');
    this.#reads();
  }

  #insert(at: number): void {
    const into = this.#topLevel('into', at);
    const name = this.#name((into < 0 ? at : into) + 1);
    const replaces = this.#key(at) === 'replace' || this.#has('conflict', 'duplicate');
    this.#emit('write', name?.name ?? '?', [replaces ? 'overwrite' : 'append']);
    if (this.#topLevel('select', at) >= 0) this.#reads();
  }

  #merge(at: number): void {
    const name = this.#name(this.#key(at + 1) === 'into' ? at + 2 : at + 1);
    this.#emit(this.#has('delete') ? 'delete' : 'write', name?.name ?? '?', ['overwrite']);
    const using = this.#topLevel('using', at);
    const source = using >= 0 ? this.#name(using + 1) : null;
    if (source) this.#emit('read', source.name);
  }

  /** Calls back for each name of a comma-separated list, after TABLE, IF EXISTS and ONLY. */
  #each(from: number, callback: (name: string) => void): void {
    let at = from;
    while (/^(table|tables|if|exists|only|concurrently|temporary)$/.test(this.#key(at))) at += 1;
    for (let name = this.#name(at); name; name = this.#name(at)) {
      callback(name.name);
      at = name.next;
      if (this.tokens[at]?.value !== ',') return;
      at += 1;
    }
  }

  #drop(at: number): void {
    const what = ['materialized', 'foreign', 'temporary', 'external'].includes(this.#key(at + 1))
      ? this.#key(at + 2)
      : this.#key(at + 1);
    const from = this.tokens[at + 1]?.key === what ? at + 2 : at + 3;
    const isWhole = /^(database|schema|tablespace|owned)$/.test(what);
    if (/^(user|role|login|policy)$/.test(what)) {
      return this.#each(from, (name) =>
        this.#effect(
          'privilege',
          { type: 'process', process: `${this.database} ${what} ${name}` },
          what === 'policy' ? ['removes-check'] : [],
          `drops ${what} ${name}`,
        ),
      );
    }
    const holdsRows = /^(table|tables)$/.test(what) || isWhole;
    this.#each(from, (name) => {
      const table = isWhole ? `${name}.*` : name;
      this.#emit('delete', table, isWhole ? ['mass', 'recursive'] : holdsRows ? ['mass'] : [], `drops ${what} ${name}`);
    });
  }

  #create(at: number): void {
    let next = at + 1;
    while (
      /^(or|replace|temp|temporary|unique|unlogged|global|local|definer|if|not|exists|materialized|recursive|virtual|external|foreign|clustered|nonclustered|constraint|aggregate)$/.test(
        this.#key(next),
      )
    )
      next += 1;
    const what = this.#key(next);
    const name = this.#nameAfterExists(next + 1);
    if (/^(user|role|login)$/.test(what)) {
      this.#effect(
        'privilege',
        { type: 'process', process: `${this.database} ${what} ${name}` },
        ['grants-access'],
        `creates ${what} ${name}`,
      );
    } else if (/^(trigger|event|rule|subscription|publication|job)$/.test(what)) {
      this.#emit('persist', name, [], `creates ${what} ${name}, which runs later by itself`);
    } else if (/^(extension|language|server|assembly)$/.test(what)) {
      this.#effect(
        'install',
        { type: 'package', ecosystem: 'database', name, version: null },
        [],
        `creates ${what} ${name}`,
      );
    } else {
      this.#emit('write', name, [this.#has('replace') ? 'overwrite' : 'create']);
      if (this.#topLevel('select', at) >= 0) this.#reads();
    }
  }

  #nameAfterExists(from: number): string {
    let at = from;
    while (/^(if|not|exists|concurrently)$/.test(this.#key(at))) at += 1;
    return this.#name(at)?.name ?? '?';
  }

  #alter(at: number): void {
    const what = this.#key(at + 1);
    if (/^(user|role|login|default|server)$/.test(what)) {
      this.#effect('privilege', { type: 'process', process: this.database }, ['grants-access'], this.#text(at, at + 3));
    } else if (what === 'system' || this.#text(at, at + 3).toLowerCase() === 'alter database set') {
      this.#effect(
        'privilege',
        { type: 'process', process: this.database },
        [],
        'changes a setting of the whole server',
      );
    } else {
      const name = this.#nameAfterExists(
        /^(table|view|index|sequence|type|schema|database|function|procedure|materialized|column|on|into|domain|foreign|trigger|policy)$/.test(
          what,
        )
          ? at + 2
          : at + 1,
      );
      const drop = this.#topLevel('drop', at);
      const losesColumn =
        drop >= 0 &&
        !/^(constraint|index|key|default|foreign|primary|not|check|expression|identity|partition)$/.test(
          this.#key(drop + 1),
        );
      const losesRows = losesColumn || (drop >= 0 && this.#key(drop + 1) === 'partition');
      const opens = this.#has('disable') && this.#has('security', 'trigger', 'policy');
      this.#emit(
        losesRows ? 'delete' : 'write',
        name,
        opens ? ['removes-check'] : ['edit'],
        losesRows ? 'drops a column or partition' : '',
      );
    }
  }

  #rights(verb: string, at: number): void {
    const note = this.#text(at, at + 8).slice(0, 80);
    this.#effect(
      'privilege',
      { type: 'process', process: this.database },
      verb === 'grant' ? ['grants-access'] : [],
      note,
    );
  }

  /** PostgreSQL COPY and MySQL LOAD DATA: between a table and a file or program. */
  #bulk(verb: string, at: number): void {
    if (verb === 'load' && this.#key(at + 1) !== 'data') {
      const file = this.tokens.slice(at).find(({ type }) => type === 'text');
      return this.#effect(
        'execute',
        { type: 'process', process: file?.value ?? 'library' },
        ['unreviewed'],
        'loads a library into the database',
      );
    }
    const outward = this.#topLevel('to', at);
    const inward = this.#topLevel(verb === 'load' ? 'infile' : 'from', at);
    const isOut = verb === 'copy' && outward >= 0 && (inward < 0 || outward < inward);
    const mark = isOut ? outward : inward;
    const source = verb === 'load' ? this.#name(this.#topLevel('table', at) + 1) : this.#name(at + 1);
    if (source && this.tokens[at + 1]?.value !== '(')
      this.#emit(isOut ? 'read' : 'write', source.name, isOut ? ['rows-unbounded'] : ['append']);
    else this.#reads();
    const isProgram = this.#key(mark + 1) === 'program';
    const target = this.tokens[mark + (isProgram ? 2 : 1)];
    if (isProgram) this.#onServer(target?.value ?? '', 'the database server runs it');
    else if (target?.type === 'text') {
      this.#found.push({
        type: 'file',
        op: isOut ? 'write' : 'read',
        path: target.value,
        note: 'the database opens it',
      });
    }
  }

  #attach(at: number): void {
    const file = this.tokens.slice(at).find(({ type }) => type === 'text' || type === 'name');
    this.#found.push({ type: 'file', op: 'write', path: file?.value ?? '', note: 'attached as a database' });
  }

  #prepared(at: number): void {
    const as = this.tokens.findIndex(({ key }, index) => index > at && (key === 'as' || key === 'from'));
    if (as < 0) return;
    const text = this.tokens[as + 1];
    if (text?.type === 'text') this.#found.push(...actionsOfScript(text.value, this.database, this.dialect));
    else this.#statement(this.#key(as + 1), as + 1);
  }

  /** Code whose body is not in the statement, or in a language of its own. */
  #opaque(verb: string, at: number): void {
    const name = this.#name(at + 1)?.name ?? '';
    if (REACHING.has(name.split('.').at(-1) ?? '') || /^(sys\.)?sp_(help|columns|tables|databases|who)/.test(name))
      return;
    this.#ownText(verb, at);
    this.#found.push(unknownAction(`what ${verb.toUpperCase()} ${name} does is not in the statement`));
  }

  /** A statement that is given as text, `EXECUTE 'drop table t'`, `EXEC sp_executesql N'…'`, or the body of a `DO`. */
  #ownText(verb: string, at: number): void {
    const text = this.tokens.slice(at + 1).find(({ type }) => type === 'text')?.value;
    if (text === undefined || !/^(?:do|exec|execute)$/.test(verb) || !/\s/.test(text.trim())) return;
    // Words that lead a statement inside a block are ends of statements outside of it.
    const body = verb === 'do' ? text.replace(/\b(?:declare|begin|loop|then|else)\b/gi, ';') : text;
    this.#found.push(
      ...actionsOfScript(body, this.database, this.dialect).filter(
        (action) => action.type !== 'effect' || action.op !== 'unknown',
      ),
    );
  }

  #functions(): void {
    this.tokens.forEach(({ key, value, type }, at) => {
      const name = type === 'name' ? value.toLowerCase() : key;
      const reach = REACHING.get(name);
      if (reach === undefined) return;
      const isCalled = this.tokens[at + 1]?.value === '(' || ['exec', 'execute', 'call'].includes(this.#key(0));
      if (!isCalled) return;
      const argument = this.tokens.slice(at + 1).find((token) => token.type === 'text')?.value ?? '';
      this.#reach(reach, name, argument);
    });
  }

  #onServer(text: string, note: string): void {
    this.#found.push({ type: 'command', by: 'server', text, note });
  }

  #reach(reach: 'read' | 'write' | 'execute' | 'network' | 'kill', name: string, argument: string): void {
    if (reach === 'read' || reach === 'write')
      this.#found.push({ type: 'file', op: reach, path: argument, note: `by ${name}` });
    else if (reach === 'execute' && /cmdshell|sys_e/.test(name)) this.#onServer(argument, `by ${name}`);
    else if (reach === 'execute')
      this.#effect('execute', { type: 'process', process: argument || name }, ['unreviewed'], `by ${name}`);
    else if (reach === 'kill')
      this.#effect('kill', { type: 'process', process: `${this.database} session` }, [], `by ${name}`);
    else
      this.#effect(
        'network',
        { type: 'url', url: argument, host: '', port: null, method: null },
        ['outward'],
        `by ${name}`,
      );
  }
}

/** Whether a condition without AND and OR holds for every row: `true`, `1`, `1 = 1`, `x = x`, `not false`. */
function isTautology(condition: readonly Token[]): boolean {
  const shape = condition.map(({ value, type }) => (type === 'sign' ? value : `${type}:${value.toLowerCase()}`));
  if (shape.length === 1) return /^(word:true|number:0*[1-9]\d*)$/.test(shape[0] ?? '');
  if (shape.length === 2) return shape[0] === 'word:not' && /^(word:false|number:0+)$/.test(shape[1] ?? '');
  const sign = shape.findIndex((part) => /^[=<>!]$/.test(part));
  if (sign <= 0) return false;
  const operator = shape.slice(sign).filter((part) => /^[=<>!]$/.test(part));
  const left = shape.slice(0, sign).join(' ');
  const right = shape.slice(sign + operator.length).join(' ');
  if (operator.join('') === '=' || operator.join('') === '==') return left === right;
  const numbers = [left, right].map((side) => Number(/^number:(\S+)$/.exec(side)?.[1] ?? Number.NaN));
  if (numbers.some(Number.isNaN)) return false;
  return operator.join('') === '<>' || operator.join('') === '!=' ? numbers[0] !== numbers[1] : false;
}

function splitAt(tokens: readonly Token[], key: string): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.key === key) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}
