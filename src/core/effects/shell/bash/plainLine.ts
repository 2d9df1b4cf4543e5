import { bug } from '../../../bug.js';
import type { SyntaxNode } from '../../syntax.js';

/** Longer texts are for the grammar, whose limits they may reach. In UTF-16 units. */
const MAX_UNITS = 4_096;
/** So are lines of more words: the tree of a list is as deep as the list is long. */
const MAX_WORDS = 400;

/**
 * Words that are grammar somewhere, or that the grammar reads by rules of their own. Where one of them stands without quotes,
 * be it as an argument, nothing here is plain.
 */
const RESERVED = new Set(
  `if then elif else fi for while until do done case esac in select function time coproc
  export declare typeset readonly local unset unsetenv let`.split(/\s+/),
);

/** A run of characters that the grammar gives no tokens of their own, wherever in a word they stand. */
const BARE = /[\w./:@%+,=*?~^-]+/y;
/** The name of a program, or a path to one. */
const NAME = /^[A-Za-z_./][\w./-]*$/;
const NUMBER = /^-?[0-9]+$/;
/** What the grammar may read as a number of another base or as an operator of a comparison, and the dash, which it loses at times. */
const ODD = /^-?0x|^[+]?=|^-$/i;
/**
 * A string in which nothing is expanded, nor kept from it by a backslash, and without what the grammar makes various things of:
 * nothing but blanks, blanks before the closing quote on a line of its own, and brackets that are arithmetic to it anywhere.
 */
const DOUBLE_QUOTED = /"(?![ \t\n]+")(?:(?!\(\()[^"$`\\\s\0]|\\[^"$`\\\s\0]|[ \t]|\n(?![ \t]+"))*"/y;
const SINGLE_QUOTED = /'[^'\0]*'/y;
const BLANKS = /[ \t]*/y;
/** Between two commands lines may end as often as they like. */
const GAP = /[ \t\n]*/y;
const CONNECTOR = /&&|\|\||\|(?![|&])/y;
/**
 * What may follow the third command of a pipeline. The grammar reads `a | b | c` in two ways at once and comes to a decision later, up
 * to lines away: only where the text or the statement ends it is always the one that everybody means.
 */
const BEHIND_PIPES = /\|(?!\|)|[;&](?![;&])|[ \t\n]*$/y;
const SEPARATOR = /[;&\n](?![;&|])/y;
const REDIRECT = /[1-9]?(?:&>>|&>|>>|>&|>|<)(?![<>&|(-])/y;
const DIGIT = /[1-9]/y;
const OPERATOR = /&>>|&>|>>|>&|>|</y;
/** Where a word may end. */
const ENDS = new Set(['', ' ', '\t', '\n', ';', '|', '&']);

const NO_CHILDREN: readonly SyntaxNode[] = [];

const node = (
  type: string,
  start: number,
  end: number,
  children: readonly SyntaxNode[] = NO_CHILDREN,
  field: string | null = null,
): SyntaxNode => ({ type, field, isNamed: true, isMissing: false, hasError: false, start, end, children });

const sign = (type: string, end: number): SyntaxNode => ({ ...node(type, end - type.length, end), isNamed: false });

/** A node as large as what it holds. */
function around(type: string, children: readonly SyntaxNode[], field: string | null = null): SyntaxNode {
  const [first, last] = [children[0], children.at(-1)];
  if (first === undefined || last === undefined) return bug(`an empty ${type}`);
  return node(type, first.start, last.end, children, field);
}

/** Several nodes in one; a single one stands for itself. */
function joined(type: string, nodes: readonly SyntaxNode[]): SyntaxNode {
  const [only] = nodes;
  return only !== undefined && nodes.length === 1 ? only : around(type, nodes);
}

/** A pipeline behind the operand and the operator before it, if there are any. */
const listOf = (before: readonly SyntaxNode[], stages: readonly SyntaxNode[]): SyntaxNode =>
  joined('list', [...before, joined('pipeline', stages)]);

/** Reads one text from left to right. Whatever is not plain ends it with null: there is no way back and no guess. */
class Reader {
  #at = 0;
  #words = 0;

  constructor(readonly text: string) {}

  program(): SyntaxNode | null {
    this.#take(GAP);
    const start = this.#at;
    const children: SyntaxNode[] = [];
    while (this.#at < this.text.length) {
      const statement = this.#statement();
      if (statement === null) return null;
      children.push(statement);
      const separator = this.#take(SEPARATOR);
      if (separator === null && this.#at < this.text.length) return null;
      if (separator === ';' || separator === '&') children.push(sign(separator, this.#at));
      this.#take(GAP);
    }
    return children.length === 0 ? null : node('program', start, this.text.length, children);
  }

  /**
   * Commands joined by `&&`, `||` and `|`. The grammar binds a redirection loosest of all: it is one of everything before it, which
   * then is a single operand of what comes.
   */
  #statement(): SyntaxNode | null {
    let list: SyntaxNode[] = [];
    let stages: SyntaxNode[] = [];
    let pipes = 0;
    for (;;) {
      const command = this.#command();
      if (command === null) return null;
      stages.push(command);
      const redirects = this.#redirects();
      if (redirects === null) return null;
      if (pipes > 1 && (redirects.length > 0 || !this.#isAt(BEHIND_PIPES))) return null;
      if (redirects.length > 0) {
        const body = { ...listOf(list, stages), field: 'body' };
        stages = [around('redirected_statement', [body, ...redirects])];
        list = [];
      }
      const connector = this.#take(CONNECTOR);
      if (connector === null) return listOf(list, stages);
      if (connector === '|') {
        stages.push(sign(connector, this.#at));
        pipes += 1;
      } else {
        pipes = 0;
        list = [listOf(list, stages), sign(connector, this.#at)];
        stages = [];
      }
      this.#take(GAP);
    }
  }

  /** Words, and behind them nothing but redirections, as nearly everybody writes it. */
  #command(): SyntaxNode | null {
    const name = this.#word(null);
    // Where a command begins, the grammar looks for assignments, and stumbles over what only looks like one (`a%b`).
    if (name === null || !NAME.test(this.text.slice(name.start, name.end))) return null;
    const children = [around('command_name', [name], 'name')];
    while (!this.#isAtEnd() && !this.#isAt(REDIRECT)) {
      const word = this.#word('argument');
      if (word === null) return null;
      children.push(word);
    }
    return around('command', children);
  }

  /** The redirections that stand here. */
  #redirects(): readonly SyntaxNode[] | null {
    const redirects: SyntaxNode[] = [];
    while (this.#isAt(REDIRECT)) {
      const redirect = this.#redirect();
      if (redirect === null) return null;
      redirects.push(redirect);
    }
    return this.#isAtEnd() ? redirects : null;
  }

  #redirect(): SyntaxNode | null {
    const children: SyntaxNode[] = [];
    const descriptor = this.#take(DIGIT);
    if (descriptor !== null) children.push(node('file_descriptor', this.#at - 1, this.#at, NO_CHILDREN, 'descriptor'));
    const operator = this.#take(OPERATOR) ?? bug('no redirection stands here');
    if (descriptor !== null && operator.startsWith('&')) return null;
    children.push(sign(operator, this.#at));
    this.#take(BLANKS);
    const target = this.#word('destination');
    if (target === null) return null;
    children.push(target);
    return around('file_redirect', children, 'redirect');
  }

  /** A word and the blanks behind it. */
  #word(field: string | null): SyntaxNode | null {
    this.#words += 1;
    const start = this.#at;
    const first = this.#part(field);
    const second = first === null ? null : this.#part(null);
    const own = this.text.slice(start, this.#at);
    if (first === null || !ENDS.has(this.text.charAt(this.#at))) return null;
    if (this.#words > MAX_WORDS || RESERVED.has(own) || ODD.test(own)) return null;
    this.#take(BLANKS);
    if (second === null) return first;
    // Of pieces that touch the grammar makes many things; this is how options are given their values.
    if (first.type !== 'word' || !/^--?[a-z-]+=['"]/.test(own)) return null;
    return node('concatenation', start, second.end, [{ ...first, field: null }, second], field);
  }

  #part(field: string | null): SyntaxNode | null {
    const start = this.#at;
    const bare = this.#take(BARE);
    if (bare !== null) return node(NUMBER.test(bare) ? 'number' : 'word', start, this.#at, NO_CHILDREN, field);
    if (this.#take(SINGLE_QUOTED) !== null) return node('raw_string', start, this.#at, NO_CHILDREN, field);
    return this.#take(DOUBLE_QUOTED) === null ? null : this.#string(start, field);
  }

  /** A string holds its quotes and, line by line, what is not blank. */
  #string(start: number, field: string | null): SyntaxNode {
    const end = this.#at;
    const children = [sign('"', start + 1)];
    let from = start + 1;
    for (const line of this.text.slice(from, end - 1).split('\n')) {
      if (line.trim() !== '') children.push(node('string_content', from, from + line.length));
      from += line.length + 1;
    }
    children.push(sign('"', end));
    return node('string', start, end, children, field);
  }

  #isAtEnd(): boolean {
    return ENDS.has(this.text.charAt(this.#at)) && !this.#isAt(REDIRECT);
  }

  #isAt(expression: RegExp): boolean {
    expression.lastIndex = this.#at;
    return expression.test(this.text);
  }

  /** What stands here and fits, which is then passed; null where nothing fits. */
  #take(expression: RegExp): string | null {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.text)?.[0];
    if (found === undefined) return null;
    this.#at += found.length;
    return found;
  }
}

/**
 * Reads a line that is made of nothing but plain words and quoted strings, joined by `&&`, `||`, `|`, `;`, `&` and line ends, with
 * simple redirections behind the words. Its tree is the one that the grammar makes of the line, node for node, which is held by
 * a test over generated lines. Null for every other text, which the grammar reads. Linear.
 */
export function readPlainLine(text: string): SyntaxNode | null {
  return text.length > MAX_UNITS ? null : new Reader(text).program();
}
