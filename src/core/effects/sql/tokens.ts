/** SQL dialects whose lexical rules differ. `generic` takes what most of them share. */
export type Dialect = 'postgres' | 'mysql' | 'sqlite' | 'mssql' | 'generic';

/** A token. `word` is unquoted, `name` a quoted identifier, `text` a string literal; `value` is without quotes. */
export interface Token {
  readonly type: 'word' | 'name' | 'text' | 'number' | 'sign';
  readonly value: string;
  /** Lower-case form of an unquoted word; empty for other types, so that a quoted "drop" is never a keyword. */
  readonly key: string;
}

/** Tokens of a script, and whether it ends inside a string or comment. */
export interface Tokens {
  readonly statements: readonly (readonly Token[])[];
  readonly isUnfinished: boolean;
}

const WORD = /[\p{L}_@#:][\p{L}\p{N}_$#@]*/uy;
const NUMBER = /(?:0x[0-9a-f]+|\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+)/iy;
const SPACE = /\s+/y;
const DOLLAR = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;

/**
 * Cuts a script into statements of tokens: strings, quoted names, dollar quotes and comments as the dialect has them. What MySQL
 * runs inside a comment that begins with an exclamation mark counts as code. Linear.
 */
export function tokenise(sql: string, dialect: Dialect): Tokens {
  return new Lexer(sql, dialect).run();
}

class Lexer {
  readonly #statements: Token[][] = [[]];
  #at = 0;
  #isUnfinished = false;

  constructor(
    readonly sql: string,
    readonly dialect: Dialect,
  ) {}

  run(): Tokens {
    while (this.#at < this.sql.length) this.#next();
    return {
      statements: this.#statements.filter((tokens) => tokens.length > 0),
      isUnfinished: this.#isUnfinished,
    };
  }

  #next(): void {
    const { sql } = this;
    const character = sql[this.#at] ?? '';
    if (this.#skip(SPACE) || this.#comment(character)) return;
    if (character === ';') {
      this.#at += 1;
      this.#statements.push([]);
      return;
    }
    if (character === "'") return this.#quoted("'", 'text', this.#escapesInStrings());
    if (character === '"')
      return this.#quoted('"', this.dialect === 'mysql' ? 'text' : 'name', this.dialect === 'mysql');
    if (character === '`') return this.#quoted('`', 'name', false);
    if (character === '[' && (this.dialect === 'mssql' || this.dialect === 'sqlite'))
      return this.#quoted(']', 'name', false);
    if (character === '$' && this.#dollarQuoted()) return;
    const prefixed = /^(?:e|n|b|x|u&)'/i.exec(sql.slice(this.#at, this.#at + 3));
    if (prefixed) {
      this.#at += prefixed[0].length - 1;
      return this.#quoted("'", 'text', /^e/i.test(prefixed[0]));
    }
    const number = this.#take(NUMBER);
    if (number !== null) return this.#push({ type: 'number', value: number, key: '' });
    const word = this.#take(WORD);
    if (word !== null) return this.#push({ type: 'word', value: word, key: word.toLowerCase() });
    this.#at += 1;
    this.#push({ type: 'sign', value: character, key: '' });
  }

  #escapesInStrings(): boolean {
    return this.dialect === 'mysql';
  }

  #push(token: Token): void {
    this.#statements.at(-1)?.push(token);
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.sql);
    if (!match) return null;
    this.#at += match[0].length;
    return match[0];
  }

  #skip(pattern: RegExp): boolean {
    return this.#take(pattern) !== null;
  }

  #comment(character: string): boolean {
    const two = this.sql.slice(this.#at, this.#at + 2);
    const isLine = two === '--' || (character === '#' && this.dialect === 'mysql');
    if (isLine) {
      const end = this.sql.indexOf('\n', this.#at);
      this.#at = end < 0 ? this.sql.length : end + 1;
      return true;
    }
    if (two !== '/*') return false;
    if (
      /^\/\*M?!/.test(this.sql.slice(this.#at, this.#at + 4)) &&
      (this.dialect === 'mysql' || this.dialect === 'generic')
    ) {
      this.#at +=
        this.sql.slice(this.#at).search(/!\d{0,6}/) + (/!\d{0,6}/.exec(this.sql.slice(this.#at))?.[0].length ?? 1);
      return true;
    }
    this.#blockComment();
    return true;
  }

  /** PostgreSQL and SQL Server nest comments; the others end at the first mark. */
  #blockComment(): void {
    const nests = this.dialect === 'postgres' || this.dialect === 'mssql';
    let depth = 0;
    const mark = /\/\*|\*\//g;
    mark.lastIndex = this.#at;
    for (let found = mark.exec(this.sql); found; found = mark.exec(this.sql)) {
      if (found[0] === '/*') depth = nests || depth === 0 ? depth + 1 : depth;
      else depth -= 1;
      if (depth === 0) {
        this.#at = found.index + 2;
        return;
      }
    }
    this.#isUnfinished = true;
    this.#at = this.sql.length;
  }

  /** From a quote to its partner; a doubled one stands for itself. */
  #quoted(end: string, type: 'text' | 'name', hasEscapes: boolean): void {
    let value = '';
    let from = this.#at + 1;
    for (let at = from; at < this.sql.length; at += 1) {
      const character = this.sql[at];
      if (hasEscapes && character === '\\') {
        value += this.sql.slice(from, at) + (this.sql[at + 1] ?? '');
        from = at + 2;
        at += 1;
      } else if (character === end) {
        value += this.sql.slice(from, at);
        if (this.sql[at + 1] !== end) {
          this.#at = at + 1;
          return this.#push({ type, value, key: '' });
        }
        from = at + 1;
        at += 1;
      }
    }
    this.#isUnfinished = true;
    this.#at = this.sql.length;
    this.#push({ type, value: value + this.sql.slice(from), key: '' });
  }

  #dollarQuoted(): boolean {
    if (this.dialect !== 'postgres' && this.dialect !== 'generic') return false;
    const before = this.#at;
    const tag = this.#take(DOLLAR);
    if (tag === null) return false;
    const end = this.sql.indexOf(tag, this.#at);
    if (end < 0) {
      this.#at = before;
      return false;
    }
    this.#push({ type: 'text', value: this.sql.slice(this.#at, end), key: '' });
    this.#at = end + tag.length;
    return true;
  }
}
