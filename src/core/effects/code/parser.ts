import { lex } from './lexer.js';
import type { FunctionNode, Node, Parameter, Parsed } from './node.js';
import type { LexicalRules, Part, Token } from './token.js';

/** How a language's expressions are put together. */
export interface Grammar {
  readonly lexical: LexicalRules;
  /** Whether the end of a line can end a statement. */
  readonly linesEndStatements: boolean;
  /** Whether a line that begins with a dot goes on with the expression before it. */
  readonly dotContinuesLine: boolean;
  /** Words that stand before an operand: `not`, `await`, `new`, `my`. */
  readonly prefixWords: ReadonlySet<string>;
  /** Words that stand between operands: `and`, `in`, `eq`. */
  readonly infixWords: ReadonlySet<string>;
  /** Words that begin nothing worth looking at by themselves: `pass`, `break`, `else`. */
  readonly quietWords: ReadonlySet<string>;
  /** Whether `puts x` is a call, for a name or member before an operand. */
  readonly callsWithoutParentheses: (name: string) => boolean;
  /** Whether `name = x` (`=`) or `name: x` (`:`) in arguments names a parameter. */
  readonly namedArgument: '=' | ':' | null;
  /** Signs between a value and its member. */
  readonly memberSigns: RegExp;
  readonly hasTernary: boolean;
}

const ASSIGNMENTS = new Set([
  '=',
  '+=',
  '-=',
  '*=',
  '/=',
  '//=',
  '.=',
  '%=',
  '**=',
  '|=',
  '&=',
  '^=',
  '<<=',
  '>>=',
  '||=',
  '&&=',
  '??=',
  ':=',
]);
const INFIX = new Set(
  '+ - * / % ** // == != === !== < > <= >= <=> && || ?? & | ^ << >> >>> .. ... =~ !~ . @ <<<'.split(' '),
);
const PREFIX = new Set(['-', '+', '!', '~', '*', '**', '&', '...', '@', '\\', '++', '--', '<']);

/** Nesting beyond this is read as nothing, and said to be trouble. */
const MOST_NESTED = 150;
const MOST_STRINGS = 12;
const TOO_DEEP = 'nested too deeply';

/** Operators or members in a row: more would be a tree too deep to walk. */
const MOST_CHAINED = 500;

export const NOTHING: Node = { kind: 'list', items: [] };
export const nameNode = (name: string): Node => ({ kind: 'name', name });
export const stringNode = (text: string): Node => ({ kind: 'string', parts: [text] });

/**
 * Reads program text loosely: statements are taken apart only as far as names, constants, calls and functions need it, and what
 * is not understood is stepped over token by token, so that a call behind it is still seen. Languages add their statements.
 */
export abstract class Parser {
  protected readonly tokens: readonly Token[];
  protected at = 0;
  protected trouble = '';
  #depth = 0;
  /** How many strings this text stands in, each in the source inside another. */
  #strings = 0;
  #closing: ReadonlyMap<number, number> | null = null;

  constructor(
    text: string,
    protected readonly grammar: Grammar,
  ) {
    const { tokens, isUnfinished } = lex(text, grammar.lexical);
    this.tokens = this.prepare(tokens);
    if (isUnfinished) this.trouble = 'a string, comment or bracket is not closed';
  }

  /** The whole text. */
  parse(): Parsed {
    const body = this.statements(() => false);
    return { body, trouble: this.trouble };
  }

  /** One expression: the source inside a string. */
  parseExpression(): Node {
    return this.expression();
  }

  protected abstract statement(): Node;
  /** Reads a word that means something of its own where an operand is expected; null for ordinary names. */
  protected abstract keyword(word: string): Node | null;
  /** Reads what an opening brace begins where an operand is expected. */
  protected abstract brace(): Node;
  /** Parses the source of an expression inside a string. */
  protected abstract inner(code: string): Node;

  /** Leaves out tokens that mean nothing to the language. */
  protected prepare(tokens: readonly Token[]): readonly Token[] {
    return tokens;
  }

  /** More that can follow an operand; null when nothing of the language's own follows. */
  protected more(_operand: Node): Node | null {
    return null;
  }

  // Reading tokens.

  protected peek(ahead = 0): Token | undefined {
    return this.tokens[this.at + ahead];
  }

  protected get isAtEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  protected isSign(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token?.type === 'sign' && token.text === text;
  }

  protected isWord(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token?.type === 'name' && token.text === text;
  }

  protected isName(ahead = 0): boolean {
    return this.peek(ahead)?.type === 'name';
  }

  protected accept(sign: string): boolean {
    if (!this.isSign(sign)) return false;
    this.at += 1;
    return true;
  }

  protected acceptWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.at += 1;
    return true;
  }

  protected takeName(): string | null {
    const token = this.peek();
    if (token?.type !== 'name') return null;
    this.at += 1;
    return token.text;
  }

  protected skipLines(): void {
    while (this.peek()?.type === 'end-of-line') this.at += 1;
  }

  protected get endsStatement(): boolean {
    const token = this.peek();
    if (!token) return true;
    return token.type === 'end-of-line' || (token.type === 'sign' && /^[;)\]}]$/.test(token.text));
  }

  /** Steps over a balanced bracket that opens here; the index behind it. */
  protected skipBalanced(): void {
    let depth = 0;
    while (!this.isAtEnd) {
      const token = this.peek();
      this.at += 1;
      if (token?.type !== 'sign') continue;
      if (/^[([{]$/.test(token.text)) depth += 1;
      else if (/^[)\]}]$/.test(token.text)) depth -= 1;
      if (depth <= 0) return;
    }
  }

  /** Index of the token behind the bracket that closes the one at `from`. */
  protected behindBracket(from: number): number {
    this.#closing ??= closingBrackets(this.tokens);
    return (this.#closing.get(from) ?? this.tokens.length - 1) + 1;
  }

  // Statements.

  protected statements(isEnd: () => boolean): Node[] {
    const body: Node[] = [];
    while (!this.isAtEnd && !isEnd()) {
      const before = this.at;
      const token = this.peek();
      if (token?.type === 'end-of-line' || this.isSign(';')) this.at += 1;
      else body.push(this.nested(() => this.statement()));
      if (this.at === before) this.at += 1;
    }
    return body;
  }

  /** Reads the source inside a string of this text by a parser of its own. Strings in strings in strings come to an end. */
  protected within(parser: Parser): Node {
    if (this.#strings >= MOST_STRINGS) {
      this.trouble ||= TOO_DEEP;
      return NOTHING;
    }
    parser.#strings = this.#strings + 1;
    const node = parser.parseExpression();
    if (parser.trouble === TOO_DEEP) this.trouble ||= TOO_DEEP;
    return node;
  }

  protected nested(read: () => Node): Node {
    this.#depth += 1;
    try {
      if (this.#depth <= MOST_NESTED) return read();
      this.trouble ||= TOO_DEEP;
      this.at += 1;
      return NOTHING;
    } finally {
      this.#depth -= 1;
    }
  }

  /** `{ … }` as statements. */
  protected braces(): Node[] {
    this.skipLines();
    if (!this.accept('{')) return [];
    const body = this.statements(() => this.isSign('}'));
    this.accept('}');
    return body;
  }

  // Expressions.

  /** Expressions with commas between them are a list; a single one is itself. */
  protected expressions(): Node {
    const items = [this.expression()];
    while (this.isSign(',')) {
      this.at += 1;
      if (this.endsStatement) break;
      items.push(this.expression());
    }
    const [first = NOTHING] = items;
    if (items.length === 1) return first;
    const list: Node = { kind: 'list', items };
    return this.isSign('=') ? this.assignment(list) : list;
  }

  protected expression(): Node {
    return this.nested(() => {
      let left = this.operand();
      for (let count = 0; count < MOST_CHAINED; count += 1) {
        const next = this.continued(left);
        if (next === null) return left;
        left = next;
      }
      this.trouble ||= 'an expression of too many parts';
      return NOTHING;
    });
  }

  /** One operator and what follows it; null when the expression ends here. */
  protected continued(left: Node): Node | null {
    const before = this.at;
    if (this.grammar.dotContinuesLine && this.peek()?.type === 'end-of-line') {
      let ahead = 0;
      while (this.peek(ahead)?.type === 'end-of-line') ahead += 1;
      const token = this.peek(ahead);
      const goesOn = token?.type === 'sign' && /^(?:\?|:|&&|\|\||\?\?|[+*%]|=>?|==|===)$/.test(token.text);
      if (goesOn && token.text !== ':' && token.text !== '*') this.at += ahead;
    }
    const token = this.peek();
    if (token?.type === 'sign') {
      if (ASSIGNMENTS.has(token.text)) return this.assignment(left);
      if (token.text === '?' && this.grammar.hasTernary) return this.ternary();
      if (INFIX.has(token.text)) return this.infix(left, token.text);
    } else if (token?.type === 'name' && this.grammar.infixWords.has(token.text)) return this.infix(left, token.text);
    this.at = before;
    return null;
  }

  protected assignment(target: Node): Node {
    const operator = this.peek()?.text ?? '=';
    this.at += 1;
    this.skipLines();
    return { kind: 'assign', target, operator, value: this.expressions() };
  }

  private infix(left: Node, operator: string): Node {
    this.at += 1;
    this.skipLines();
    return { kind: 'operation', operator, left, right: this.operand() };
  }

  private ternary(): Node {
    this.at += 1;
    this.skipLines();
    const first = this.expression();
    this.skipLines();
    if (this.accept(':')) this.skipLines();
    return { kind: 'either', options: [first, this.expression()] };
  }

  protected operand(): Node {
    const token = this.peek();
    const isPrefix =
      (token?.type === 'sign' && PREFIX.has(token.text)) ||
      (token?.type === 'name' && this.grammar.prefixWords.has(token.text));
    if (isPrefix && token) {
      this.at += 1;
      return { kind: 'prefix', operator: token.text, value: this.nested(() => this.operand()) };
    }
    let node = this.primary();
    for (let count = 0; count < MOST_CHAINED; count += 1) {
      const next = this.postfix(node);
      if (next === null) return node;
      node = next;
    }
    this.trouble ||= 'an expression of too many parts';
    return NOTHING;
  }

  protected primary(): Node {
    const token = this.peek();
    if (!token) return NOTHING;
    switch (token.type) {
      case 'string':
        return this.string();
      case 'exec':
        this.at += 1;
        return { kind: 'exec', parts: this.parts(token.parts) };
      case 'words': {
        this.at += 1;
        const text = token.parts.map((part) => (typeof part === 'string' ? part : '$')).join('');
        return { kind: 'list', items: text.split(/\s+/).filter(Boolean).map(stringNode) };
      }
      case 'regex':
        this.at += 1;
        return nameNode('');
      case 'glob': {
        this.at += 1;
        const pattern: Node = { kind: 'string', parts: this.parts(token.parts) };
        return { kind: 'call', callee: nameNode('glob'), positional: [pattern], named: [], block: null };
      }
      case 'number':
        this.at += 1;
        return { kind: 'number', value: Number(token.text.replaceAll('_', '').replace(/[nLjlf]$/, '')) };
      case 'name':
        return this.nameOrKeyword(token.text);
      case 'end-of-line':
        return NOTHING;
      case 'sign':
        return this.bracketed(token.text);
    }
  }

  /** Strings that stand side by side are one. */
  protected string(): Node {
    const parts: (string | Node)[] = [];
    for (let token = this.peek(); token?.type === 'string'; token = this.peek()) {
      parts.push(...this.parts(token.parts));
      this.at += 1;
    }
    return { kind: 'string', parts };
  }

  private parts(parts: readonly Part[]): readonly (string | Node)[] {
    return parts.map((part) => (typeof part === 'string' ? part : this.inner(part.code)));
  }

  private nameOrKeyword(word: string): Node {
    const known = this.keyword(word);
    if (known !== null) return known;
    this.at += 1;
    return nameNode(word);
  }

  private bracketed(sign: string): Node {
    if (sign === '(') {
      this.at += 1;
      const items = this.list(')');
      const isTuple = this.tokens[this.at - 2]?.text === ',';
      return items.length === 1 && !isTuple ? (items[0] ?? NOTHING) : { kind: 'list', items };
    }
    if (sign === '[') {
      this.at += 1;
      return this.pairsOrList(']');
    }
    if (sign === '{') return this.brace();
    if (!/^[)\]};,]$/.test(sign)) this.at += 1;
    return NOTHING;
  }

  /** Items up to a closing bracket, which is stepped over. */
  protected list(close: string): Node[] {
    const items: Node[] = [];
    for (;;) {
      this.skipLines();
      if (this.isAtEnd || this.accept(close)) return items;
      const before = this.at;
      if (this.isSign(',') || this.isSign(';')) this.at += 1;
      else items.push(this.item());
      if (this.at === before) this.at += 1;
    }
  }

  /** One item of a list; languages add comprehensions. */
  protected item(): Node {
    return this.expression();
  }

  /** `[a, b]`, and where the language has it `[k => v]`. */
  protected pairsOrList(close: string): Node {
    const entries: (readonly [Node | null, Node])[] = [];
    let hasPairs = false;
    for (;;) {
      this.skipLines();
      if (this.isAtEnd || this.accept(close)) break;
      const before = this.at;
      if (this.isSign(',') || this.isSign(';')) this.at += 1;
      else {
        const key = this.item();
        this.skipLines();
        if (this.accept('=>') || this.accept(':')) {
          this.skipLines();
          entries.push([key, this.item()]);
          hasPairs = true;
        } else entries.push([null, key]);
      }
      if (this.at === before) this.at += 1;
    }
    if (hasPairs) return { kind: 'map', entries };
    return { kind: 'list', items: entries.map(([, value]) => value) };
  }

  protected postfix(operand: Node): Node | null {
    const token = this.peek();
    if (!token) return null;
    if (token.type === 'end-of-line') return this.nextLine(operand);
    if (token.type === 'string' && operand.kind !== 'string' && !token.hasSpaceBefore) {
      return { kind: 'call', callee: operand, positional: [this.string()], named: [], block: null };
    }
    if (token.type === 'sign') {
      if (this.grammar.memberSigns.test(token.text)) return this.member(operand);
      if (token.text === '(' && this.isCallable(operand, token)) {
        this.at += 1;
        return this.withBlock(this.call(operand, ')'));
      }
      if (token.text === '[' && !(token.hasSpaceBefore && this.canCallBare(operand))) {
        this.at += 1;
        const items = this.list(']');
        return { kind: 'index', object: operand, key: items[0] ?? null };
      }
      if (token.text === '++' || token.text === '--') {
        this.at += 1;
        return operand;
      }
    }
    const more = this.more(operand);
    if (more !== null) return more;
    return this.canCallBare(operand) && this.startsBareArgument() ? this.withBlock(this.bareCall(operand)) : null;
  }

  private nextLine(operand: Node): Node | null {
    if (!this.grammar.dotContinuesLine) return null;
    let ahead = 1;
    while (this.peek(ahead)?.type === 'end-of-line') ahead += 1;
    const token = this.peek(ahead);
    if (token?.type !== 'sign' || !/^(?:\.|\?\.|->|&\.)$/.test(token.text)) return null;
    this.at += ahead;
    return this.member(operand);
  }

  private isCallable(operand: Node, token: Token): boolean {
    if (operand.kind === 'number' || operand.kind === 'string') return false;
    return !(token.hasSpaceBefore && this.canCallBare(operand) && this.grammar.linesEndStatements);
  }

  private member(object: Node): Node {
    const sign = this.peek()?.text;
    this.at += 1;
    this.skipLines();
    if (this.isSign('(') && sign !== '::') {
      this.at += 1;
      return this.call(sign === '.' ? { kind: 'member', object, name: 'call' } : object, ')');
    }
    if (this.isSign('[')) {
      this.at += 1;
      return { kind: 'index', object, key: this.list(']')[0] ?? null };
    }
    if (this.isSign('{')) {
      this.at += 1;
      return { kind: 'index', object, key: this.list('}')[0] ?? null };
    }
    const token = this.peek();
    if (token?.type !== 'name') {
      if (token && token.type !== 'end-of-line' && !/^[;)\]},]$/.test(token.text)) this.at += 1;
      return { kind: 'member', object, name: '' };
    }
    this.at += 1;
    return { kind: 'member', object, name: token.text.replace(/^#/, '') };
  }

  /** Arguments up to the closing bracket. */
  protected call(callee: Node, close: string): Node {
    const positional: Node[] = [];
    const named: (readonly [string, Node])[] = [];
    for (;;) {
      this.skipLines();
      if (this.isAtEnd || this.accept(close)) break;
      const before = this.at;
      if (this.isSign(',') || this.isSign(';')) this.at += 1;
      else this.argument(positional, named);
      if (this.at === before) this.at += 1;
    }
    return { kind: 'call', callee, positional, named, block: null };
  }

  protected argument(positional: Node[], named: (readonly [string, Node])[]): void {
    const sign = this.grammar.namedArgument;
    const name = this.peek();
    if (sign !== null && name?.type === 'name' && this.isSign(sign, 1)) {
      this.at += 2;
      this.skipLines();
      named.push([name.text, this.item()]);
      return;
    }
    const value = this.item();
    const before = this.at;
    this.skipLines();
    if (this.accept('=>')) {
      this.skipLines();
      const key =
        value.kind === 'string' && typeof value.parts[0] === 'string'
          ? value.parts[0]
          : value.kind === 'name'
            ? value.name
            : '';
      named.push([key.replace(/^:/, ''), this.item()]);
      return;
    }
    this.at = before; // In a call without brackets the end of the line ends it.
    positional.push(value);
  }

  private canCallBare(operand: Node): boolean {
    if (operand.kind === 'name') return this.grammar.callsWithoutParentheses(operand.name);
    return operand.kind === 'member' && this.grammar.callsWithoutParentheses(`.${operand.name}`);
  }

  /** Whether what stands here, behind a space, can only be the first argument of a call without brackets. */
  protected startsBareArgument(): boolean {
    const token = this.peek();
    if (!token?.hasSpaceBefore) return false;
    if (token.type === 'name')
      return !this.grammar.infixWords.has(token.text) && !this.grammar.quietWords.has(token.text);
    if (token.type === 'sign') {
      const isTight = this.peek(1)?.hasSpaceBefore === false;
      return token.text === '->' || token.text === '(' || (/^(?:[[*&:\\-]|::|\*\*)$/.test(token.text) && isTight);
    }
    return token.type !== 'end-of-line';
  }

  protected bareCall(callee: Node): Node {
    const positional: Node[] = [];
    const named: (readonly [string, Node])[] = [];
    do {
      this.skipLines();
      this.argument(positional, named);
    } while (this.accept(','));
    return { kind: 'call', callee, positional, named, block: null };
  }

  /** Languages whose calls take a block override this. */
  protected withBlock(call: Node): Node {
    return call;
  }

  // Functions.

  /** Parameters between brackets: names with fallbacks; types and patterns are stepped over. */
  protected parameters(close: string): Parameter[] {
    const parameters: Parameter[] = [];
    let depth = 0;
    while (!this.isAtEnd && !(depth === 0 && this.isSign(close))) {
      const token = this.peek();
      const pattern = depth === 0 ? this.pattern(close) : null;
      if (pattern !== null) {
        parameters.push(pattern);
        continue;
      }
      if (token?.type === 'sign' && /^[([{]$/.test(token.text)) depth += 1;
      else if (token?.type === 'sign' && /^[)\]}]$/.test(token.text)) depth -= 1;
      else if (token?.type === 'name' && depth === 0) {
        const sign = this.tokens[this.at - 1]?.text;
        this.at += 1;
        const takes = sign === '*' || sign === '...' ? 'rest' : sign === '**' ? 'named' : null;
        const parameter = this.parameter(token.text, close);
        parameters.push(takes === null ? parameter : { ...parameter, takes });
        continue;
      } else if (token?.type === 'name') parameters.push({ name: token.text, fallback: null });
      this.at += 1;
    }
    this.accept(close);
    return parameters;
  }

  /** A parameter that takes its argument apart, where the language has such. */
  protected pattern(_close: string): Parameter | null {
    return null;
  }

  /** What follows a parameter's name up to the comma: a type, a fallback. A later name (PHP `int $x`) takes its place. */
  protected parameter(first: string, close: string): Parameter {
    let name = first;
    let depth = 0;
    while (!this.isAtEnd) {
      const token = this.peek();
      if (depth === 0 && (this.isSign(',') || this.isSign(close))) break;
      if (depth === 0 && this.isSign('=')) {
        this.at += 1;
        return { name, fallback: this.expression() };
      }
      if (token?.type === 'sign' && /^[([{<]$/.test(token.text)) depth += 1;
      else if (token?.type === 'sign' && /^[)\]}>]$/.test(token.text)) depth -= 1;
      else if (token?.type === 'name' && token.text.startsWith('$')) name = token.text;
      this.at += 1;
    }
    return { name, fallback: null };
  }

  protected functionNode(
    name: string | null,
    parameters: readonly Parameter[],
    body: readonly Node[],
    hasDecorator = false,
  ): FunctionNode {
    return { kind: 'function', name, parameters, body, hasDecorator };
  }
}

export const maybe = (body: readonly Node[]): Node => ({ kind: 'block', body, isMaybe: true });
export const sequence = (body: readonly Node[]): Node => ({ kind: 'block', body, isMaybe: false });

/** Index of each opening bracket → index of its partner. */
function closingBrackets(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const partners = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach(({ type, text }, at) => {
    if (type !== 'sign') return;
    if (/^[([{]$/.test(text)) open.push(at);
    else if (/^[)\]}]$/.test(text)) partners.set(open.pop() ?? -1, at);
  });
  return partners;
}
