import type { FunctionNode, Node, Parameter } from './node.js';
import { maybe, nameNode, NOTHING, Parser, sequence, type Grammar } from './parser.js';
import type { LexicalRules } from './token.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const plain = (): 'c' => 'c';

const lexical: LexicalRules = {
  comment: /\/\/[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)|#![^\n]*|<!--[^\n]*/y,
  commentStarts: '/#<',
  stringStarts: '"\'`/',
  name: /#?[\p{L}_$][\p{L}\p{N}_$]*/uy,
  strings: [
    {
      open: /["']/y,
      close: ([quote]) => ({ end: quote, nests: null }),
      type: 'string',
      escapes: plain,
      inside: null,
      isOperator: false,
    },
    {
      open: /`/y,
      close: () => ({ end: '`', nests: null }),
      type: 'string',
      escapes: plain,
      inside: () => ({ mark: '${', name: null }),
      isOperator: false,
    },
    {
      open: /\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y,
      close: () => ({ end: '', nests: null }),
      type: 'regex',
      escapes: () => 'none',
      inside: null,
      isOperator: true,
    },
  ],
  hereDocument: null,
  hereInside: { mark: null, name: null },
  operators: words('return typeof case in of delete void throw new instanceof else do await yield'),
};

const grammar: Grammar = {
  lexical,
  linesEndStatements: true,
  dotContinuesLine: true,
  prefixWords: words('new typeof void delete await yield'),
  infixWords: words('in of instanceof as satisfies'),
  quietWords: words('else do break continue default case'),
  callsWithoutParentheses: () => false,
  namedArgument: null,
  memberSigns: /^(?:\.|\?\.)$/,
  hasTernary: true,
};

/** Behind these a type still has to come. */
const TYPE_GOES_ON = words(': | & => ? , < is extends keyof typeof readonly asserts infer new unique');

/** Reads JavaScript and TypeScript. Source: ECMAScript 2024; types of TypeScript are stepped over. */
export class JavaScriptParser extends Parser {
  constructor(text: string) {
    super(text, grammar);
  }

  protected override statement(): Node {
    const token = this.peek();
    if (token?.type === 'sign' && token.text === '{') return sequence(this.braces());
    if (token?.type === 'sign' && token.text === '@') {
      this.at += 1;
      return this.operand();
    }
    if (token?.type !== 'name') return this.expressions();
    switch (token.text) {
      case 'import':
        return this.isSign('(', 1) || this.isSign('.', 1) ? this.expressions() : this.importStatement();
      case 'export':
        return this.exportStatement();
      case 'const':
      case 'let':
      case 'var':
      case 'using':
        return this.isSign('=', 1) || this.isSign('.', 1) ? this.expressions() : this.declarations();
      case 'if':
      case 'while':
      case 'switch':
      case 'with':
        return this.conditional();
      case 'else':
      case 'do':
      case 'try':
      case 'finally':
        this.at += 1;
        return maybe([this.body()]);
      case 'catch':
        this.at += 1;
        if (this.isSign('(')) this.skipBalanced();
        return maybe([this.body()]);
      case 'for':
        return this.forLoop();
      case 'return':
      case 'throw':
        this.at += 1;
        return { kind: 'return', value: this.endsStatement ? null : this.expressions() };
      case 'case':
      case 'default':
        this.at += 1;
        return this.isSign(':') ? this.afterColon() : maybe([this.expression(), this.afterColon()]);
      case 'interface':
      case 'declare':
      case 'namespace':
      case 'abstract':
      case 'enum':
      case 'type':
        return this.isName(1) ? this.typeStatement(token.text) : this.expressions();
      default:
        if (this.isSign(':', 1)) this.at += 2; // a label
        return this.expressions();
    }
  }

  private afterColon(): Node {
    this.accept(':');
    return NOTHING;
  }

  private body(): Node {
    this.skipLines();
    return this.isSign('{') ? sequence(this.braces()) : this.nested(() => this.statement());
  }

  private conditional(): Node {
    this.at += 1;
    const condition = this.isSign('(') ? this.operand() : NOTHING;
    return sequence([condition, maybe([this.body()])]);
  }

  /** What follows a type is not looked at; the body of a namespace or abstract class is. */
  private typeStatement(word: string): Node {
    this.at += 1;
    if (word === 'abstract' || word === 'namespace' || word === 'declare') return NOTHING;
    while (!this.isAtEnd && !(this.endsStatement && word !== 'interface')) {
      if (this.isSign('{')) {
        this.skipBalanced();
        if (word !== 'type') return NOTHING;
      } else this.at += 1;
    }
    return NOTHING;
  }

  private importStatement(): Node {
    this.at += 1;
    this.acceptWord('type');
    const names: { readonly member: string | null; readonly as: string }[] = [];
    while (
      !this.isAtEnd &&
      !this.isWord('from') &&
      this.peek()?.type !== 'string' &&
      !this.isSign('=') &&
      !this.isSign(';')
    ) {
      if (this.accept('*')) {
        this.acceptWord('as');
        names.push({ member: null, as: this.takeName() ?? '' });
      } else if (this.accept('{')) names.push(...this.importNames());
      else if (this.isName()) names.push({ member: 'default', as: this.takeName() ?? '' });
      else this.at += 1;
    }
    if (this.accept('='))
      return { kind: 'assign', target: nameNode(names[0]?.as ?? ''), operator: '=', value: this.expression() };
    this.acceptWord('from');
    const module = this.peek()?.type === 'string' ? (this.peek()?.text ?? '') : '';
    this.at += 1;
    if (names.length === 0) return { kind: 'import', module, member: null, as: '' };
    return sequence(names.map(({ member, as }): Node => ({ kind: 'import', module, member, as })));
  }

  private importNames(): { readonly member: string; readonly as: string }[] {
    const names: { readonly member: string; readonly as: string }[] = [];
    while (!this.isAtEnd && !this.accept('}')) {
      this.acceptWord('type');
      const token = this.peek();
      this.at += 1;
      if (token?.type !== 'name' && token?.type !== 'string') continue;
      const member = token.text;
      const as = this.acceptWord('as') ? (this.takeName() ?? member) : member;
      names.push({ member, as });
    }
    return names;
  }

  private exportStatement(): Node {
    this.at += 1;
    if (this.acceptWord('default')) {
      const isDeclared = /^(?:function|class|async|abstract)$/.test(this.peek()?.text ?? '');
      const value = isDeclared ? this.nested(() => this.statement()) : this.expression();
      return { kind: 'assign', target: nameNode('default'), operator: '=', value };
    }
    if (this.isSign('{') || this.isSign('*')) {
      while (!this.endsStatement || this.isSign('}')) this.at += 1;
      return NOTHING;
    }
    return this.nested(() => this.statement());
  }

  private declarations(): Node {
    this.at += 1;
    const declared: Node[] = [];
    do {
      this.skipLines();
      const target = this.target();
      if (this.isSign('=')) {
        this.at += 1;
        this.skipLines();
        declared.push({ kind: 'assign', target, operator: '=', value: this.expression() });
      }
    } while (this.accept(','));
    return sequence(declared);
  }

  /** A name or pattern, with its type stepped over. */
  private target(): Node {
    const target = this.nested(() => this.primary());
    this.accept('!');
    if (this.isSign(':')) this.skipType();
    return target;
  }

  private skipType(): void {
    let depth = 0;
    while (!this.isAtEnd) {
      const token = this.peek();
      if (depth === 0 && (token?.type === 'end-of-line' || (token?.type === 'sign' && /^[=,;)]$/.test(token.text))))
        return;
      if (this.isSign('{') || this.isSign('(') || this.isSign('[')) {
        this.skipBalanced();
        continue;
      }
      if (this.isSign('<')) depth += 1;
      else if (this.isSign('>') || this.isSign('>>')) depth = Math.max(0, depth - (this.peek()?.text.length ?? 1));
      this.at += 1;
    }
  }

  /** The type of what a function gives: a bracket that stands where no type can begin opens the body. */
  private skipReturnType(): void {
    let depth = 0;
    let mayBegin = true;
    while (!this.isAtEnd) {
      const token = this.peek();
      if (depth === 0 && (token?.type === 'end-of-line' || (token?.type === 'sign' && /^[=,;)]$/.test(token.text))))
        return;
      if (depth === 0 && !mayBegin && this.isSign('{')) return;
      if (this.isSign('{') || this.isSign('(') || this.isSign('[')) {
        this.skipBalanced();
        mayBegin = false;
        continue;
      }
      if (this.isSign('<')) depth += 1;
      else if (this.isSign('>') || this.isSign('>>')) depth = Math.max(0, depth - (token?.text.length ?? 1));
      mayBegin = TYPE_GOES_ON.has(token?.text ?? '');
      this.at += 1;
    }
  }

  /** `<T extends X>` behind the name of a function. */
  private skipTypeParameters(): void {
    if (this.isSign('<')) while (!this.isAtEnd && !this.isSign('(')) this.at += 1;
  }

  private forLoop(): Node {
    this.at += 1;
    this.acceptWord('await');
    if (!this.accept('(')) return NOTHING;
    const isDeclared = ['const', 'let', 'var', 'using'].some((word) => this.isWord(word));
    const behind = this.behindBracket(this.at - 1);
    if (isDeclared) this.at += 1;
    const target = this.nested(() => this.primary());
    if (this.acceptWord('of') || this.acceptWord('in')) {
      const value = this.expression();
      this.accept(')');
      return { kind: 'loop', target, value, body: [this.body()] };
    }
    const parts: Node[] = [];
    while (!this.isAtEnd && this.at < behind - 1) {
      const before = this.at;
      if (!this.accept(';') && !this.accept(','))
        parts.push(this.isSign('=') ? this.assignment(target) : this.expressions());
      if (this.at === before) this.at += 1;
    }
    this.at = behind;
    return sequence([...parts, maybe([this.body()])]);
  }

  protected override keyword(word: string): Node | null {
    switch (word) {
      case 'function':
        this.at += 1;
        return this.functionRest();
      case 'async':
        if (this.isWord('function', 1)) {
          this.at += 2;
          return this.functionRest();
        }
        if (this.isSign('(', 1) || (this.isName(1) && this.isSign('=>', 2))) {
          const after = this.isSign('(', 1) ? this.tokens[this.behindBracket(this.at + 1)]?.text : '=>';
          if (after === '=>' || after === ':') {
            this.at += 1;
            return this.nested(() => this.primary());
          }
        }
        return null;
      case 'class':
        return this.classNode();
      case 'true':
        this.at += 1;
        return { kind: 'number', value: 1 };
      case 'false':
      case 'null':
      case 'undefined':
        this.at += 1;
        return NOTHING;
      default:
        if (!this.isSign('=>', 1)) return null;
        this.at += 2;
        return this.arrow([{ name: word, fallback: null }]);
    }
  }

  private functionRest(): FunctionNode {
    this.accept('*');
    const name = this.takeName();
    this.skipTypeParameters();
    const parameters = this.accept('(') ? this.parameters(')') : [];
    if (this.isSign(':')) this.skipReturnType();
    return this.functionNode(name, parameters, this.braces());
  }

  private arrow(parameters: readonly Parameter[]): Node {
    this.skipLines();
    const body: readonly Node[] = this.isSign('{') ? this.braces() : [{ kind: 'return', value: this.expression() }];
    return this.functionNode(null, parameters, body);
  }

  protected override primary(): Node {
    if (this.isSign('(') && this.isArrow()) {
      this.at += 1;
      const parameters = this.parameters(')');
      while (!this.isAtEnd && !this.accept('=>')) this.at += 1;
      return this.arrow(parameters);
    }
    return super.primary();
  }

  /** Whether the bracket that opens here holds the parameters of an arrow function, perhaps with a type behind it. */
  private isArrow(): boolean {
    const behind = this.behindBracket(this.at);
    if (this.tokens[behind]?.text === '=>') return true;
    if (this.tokens[behind]?.text !== ':' || this.tokens[this.at - 1]?.text === '?') return false;
    for (let at = behind + 1; at < behind + 12; at += 1) {
      const text = this.tokens[at]?.text;
      if (text === '=>') return true;
      if (text === undefined || /^[;{\n?]$/.test(text)) return false;
    }
    return false;
  }

  private classNode(): Node {
    this.at += 1;
    const name = this.isSign('{') || this.isWord('extends') ? '' : (this.takeName() ?? '');
    const bases: Node[] = [];
    while (!this.isAtEnd && !this.isSign('{')) {
      if (this.acceptWord('extends')) bases.push(this.nested(() => this.primary()));
      else this.at += 1;
    }
    this.accept('{');
    const body: Node[] = [];
    while (!this.isAtEnd && !this.accept('}')) {
      const before = this.at;
      const member = this.member_();
      if (member) body.push(member);
      if (this.at === before) this.at += 1;
    }
    return { kind: 'class', name, bases, body };
  }

  /** A member of a class: a method, a field, a static block. */
  private member_(): Node | null {
    while (
      /^(?:static|async|get|set|public|private|protected|readonly|override|abstract|declare|accessor)$/.test(
        this.peek()?.text ?? '',
      ) &&
      !this.isSign('(', 1) &&
      !this.isSign('=', 1)
    )
      this.at += 1;
    this.accept('*');
    if (this.isSign('{')) return sequence(this.braces());
    const token = this.peek();
    if (token?.type !== 'name' && token?.type !== 'string' && !this.isSign('[')) return null;
    if (this.isSign('[')) this.skipBalanced();
    else this.at += 1;
    const name = token?.text.replace(/^#/, '') ?? '';
    this.accept('?');
    this.skipTypeParameters();
    if (this.accept('(')) {
      const parameters = this.parameters(')');
      if (this.isSign(':')) this.skipReturnType();
      return this.functionNode(name, parameters, this.isSign('{') ? this.braces() : []);
    }
    if (this.isSign(':')) this.skipType();
    if (!this.accept('=')) return null;
    const target: Node = { kind: 'member', object: nameNode('this'), name };
    return { kind: 'assign', target, operator: '=', value: this.expression() };
  }

  /** `({ path, force = false }, [first]) => …` */
  protected override pattern(close: string): Parameter | null {
    if (!this.isSign('{') && !this.isSign('[')) return null;
    const pattern = this.nested(() => this.primary());
    return { ...this.parameter('', close), pattern };
  }

  /** An object, or a pattern of names. */
  protected override brace(): Node {
    this.at += 1;
    const entries: (readonly [Node | null, Node])[] = [];
    for (;;) {
      this.skipLines();
      if (this.isAtEnd || this.accept('}')) return { kind: 'map', entries };
      const before = this.at;
      if (!this.accept(',') && !this.accept(';')) entries.push(this.property());
      if (this.at === before) this.at += 1;
    }
  }

  private property(): readonly [Node | null, Node] {
    if (this.isSign('...')) return [null, this.operand()];
    while (/^(?:async|get|set)$/.test(this.peek()?.text ?? '') && (this.isName(1) || this.isSign('*', 1))) this.at += 1;
    this.accept('*');
    const key = this.key();
    if (this.accept('(')) {
      const parameters = this.parameters(')');
      if (this.isSign(':')) this.skipReturnType();
      const name = key.kind === 'name' ? key.name : null;
      return [key, this.functionNode(name, parameters, this.braces())];
    }
    if (this.accept(':')) {
      this.skipLines();
      return [key, this.expression()];
    }
    if (this.isSign('=')) {
      this.at += 1;
      return [null, { kind: 'assign', target: key, operator: '=', value: this.expression() }];
    }
    return [null, key];
  }

  private key(): Node {
    const token = this.peek();
    if (token?.type === 'name') {
      this.at += 1;
      return nameNode(token.text);
    }
    if (this.accept('[')) return this.list(']')[0] ?? NOTHING;
    return this.nested(() => this.primary());
  }

  /** `x!.y`: the mark only speaks to the type checker. */
  protected override more(_operand: Node): Node | null {
    if (!this.isSign('!') || !/^(?:[.([]|\?\.)$/.test(this.peek(1)?.text ?? '')) return null;
    this.at += 1;
    return this.postfix(_operand);
  }

  protected override inner(code: string): Node {
    return this.within(new JavaScriptParser(code));
  }
}
