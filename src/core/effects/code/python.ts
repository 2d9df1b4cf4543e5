import type { Node } from './node.js';
import { maybe, NOTHING, Parser, sequence, type Grammar } from './parser.js';
import type { LexicalRules, Token } from './token.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const isRaw = (match: RegExpExecArray): boolean => /r/i.test(match.groups?.['prefix'] ?? '');
const isFormatted = (match: RegExpExecArray): boolean => /[ft]/i.test(match.groups?.['prefix'] ?? '');

const lexical: LexicalRules = {
  comment: /#[^\n]*/y,
  commentStarts: '#',
  stringStarts: 'rbuftRBUFT"\'',
  name: /[\p{L}_][\p{L}\p{N}_]*/uy,
  strings: [
    {
      open: /(?<prefix>[rbuft]{0,2})(?<quote>"""|'''|"|')/iy,
      close: (match) => ({ end: match.groups?.['quote'] ?? '"', nests: null }),
      type: 'string',
      escapes: (match) => (isRaw(match) ? 'none' : 'c'),
      inside: (match) => ({ mark: isFormatted(match) ? '{' : null, name: null }),
      isOperator: false,
    },
  ],
  hereDocument: null,
  hereInside: { mark: null, name: null },
  operators: words('and or not in is if else return yield'),
};

const grammar: Grammar = {
  lexical,
  linesEndStatements: true,
  dotContinuesLine: false,
  prefixWords: words('not await yield'),
  infixWords: words('and or in is'),
  quietWords: words('pass break continue else finally try global nonlocal'),
  callsWithoutParentheses: () => false,
  namedArgument: '=',
  memberSigns: /^\.$/,
  hasTernary: false,
};

/** Reads Python. Source: The Python Language Reference 3.13. */
export class PythonParser extends Parser {
  constructor(text: string) {
    super(text, grammar);
  }

  /** Inside brackets the end of a line means nothing. */
  protected override prepare(tokens: readonly Token[]): readonly Token[] {
    let depth = 0;
    return tokens.filter(({ type, text }) => {
      if (type === 'sign' && /^[([{]$/.test(text)) depth += 1;
      else if (type === 'sign' && /^[)\]}]$/.test(text)) depth = Math.max(0, depth - 1);
      return type !== 'end-of-line' || depth === 0;
    });
  }

  protected override statement(): Node {
    const token = this.peek();
    if (token?.type !== 'name') return this.isSign('@') ? this.decorated() : this.expressions();
    switch (token.text) {
      case 'import':
        return this.importModules();
      case 'from':
        return this.importNames();
      case 'def':
        return this.definition(false);
      case 'async':
        this.at += 1;
        return this.nested(() => this.statement());
      case 'class':
        return this.classDefinition();
      case 'for':
        return this.forLoop();
      case 'with':
        return this.withBlockOf();
      case 'if':
      case 'elif':
      case 'while':
      case 'except':
      case 'else':
      case 'try':
      case 'finally':
        return this.conditional();
      case 'return':
      case 'raise': {
        this.at += 1;
        const value = this.endsStatement ? null : this.expressions();
        return { kind: 'return', value };
      }
      case 'del':
      case 'assert':
      case 'print':
        if (this.isSign('(', 1) || this.isSign('=', 1) || this.isSign('.', 1)) return this.expressions();
        this.at += 1;
        return this.endsStatement ? NOTHING : this.expressions();
      case 'global':
      case 'nonlocal':
        this.at += 1;
        while (!this.endsStatement) this.at += 1;
        return NOTHING;
      default:
        return this.annotated();
    }
  }

  /** `x: int = 1`: the type is stepped over. */
  private annotated(): Node {
    const target = this.expressions();
    if (!this.isSign(':')) return target;
    this.at += 1;
    while (!this.endsStatement && !this.isSign('=')) {
      if (this.isSign('[') || this.isSign('(')) this.skipBalanced();
      else this.at += 1;
    }
    return this.isSign('=') ? this.assignment(target) : target;
  }

  private importModules(): Node {
    this.at += 1;
    const imports: Node[] = [];
    do {
      const module = this.dottedName();
      const as = this.acceptWord('as') ? (this.takeName() ?? '') : (module.split('.')[0] ?? '');
      const isWhole = as !== module.split('.')[0];
      imports.push({ kind: 'import', module: isWhole ? module : as, member: null, as });
      if (!isWhole && module.includes('.')) imports.push({ kind: 'import', module, member: null, as: '' });
    } while (this.accept(','));
    return sequence(imports);
  }

  private importNames(): Node {
    this.at += 1;
    const module = this.dottedName();
    if (!this.acceptWord('import')) return NOTHING;
    const isBracketed = this.accept('(');
    const imports: Node[] = [];
    if (this.accept('*')) return { kind: 'import', module, member: '*', as: '*' };
    do {
      const member = this.takeName();
      if (member === null) break;
      const as = this.acceptWord('as') ? (this.takeName() ?? member) : member;
      imports.push({ kind: 'import', module, member, as });
    } while (this.accept(','));
    if (isBracketed) this.accept(')');
    return sequence(imports);
  }

  private dottedName(): string {
    let name = '';
    while (this.isSign('.') || this.isSign('...') || (this.isName() && !this.isWord('import') && !this.isWord('as'))) {
      name += this.peek()?.text ?? '';
      this.at += 1;
      if (!this.isSign('.') && !this.isSign('...') && !/\.$/.test(name)) break;
    }
    return name;
  }

  private decorated(): Node {
    this.at += 1;
    const decorator = this.expression();
    this.skipLines();
    this.acceptWord('async');
    if (this.isWord('def')) return sequence([decorator, this.definition(true)]);
    return decorator;
  }

  private definition(hasDecorator: boolean): Node {
    this.at += 1;
    const name = this.takeName();
    const parameters = this.accept('(') ? this.parameters(')') : [];
    while (!this.endsStatement && !this.isSign(':')) this.at += 1;
    return this.functionNode(name, parameters, this.suite(), hasDecorator);
  }

  private classDefinition(): Node {
    this.at += 1;
    const name = this.takeName() ?? '';
    const bases = this.accept('(') ? this.list(')') : [];
    return { kind: 'class', name, bases, body: this.suite() };
  }

  private forLoop(): Node {
    this.at += 1;
    const target = this.targets();
    this.acceptWord('in');
    const value = this.expressions();
    return { kind: 'loop', target, value, body: this.suite() };
  }

  /** Names before `in`, which is no operator here. */
  private targets(): Node {
    const items: Node[] = [];
    do {
      items.push(this.operand());
    } while (this.accept(','));
    return items.length === 1 ? (items[0] ?? NOTHING) : { kind: 'list', items };
  }

  private withBlockOf(): Node {
    this.at += 1;
    const isBracketed = this.isSign('(') && this.tokens[this.behindBracket(this.at)]?.text === ':';
    if (isBracketed) this.at += 1;
    const body: Node[] = [];
    do {
      const value = this.expression();
      if (this.acceptWord('as')) body.push({ kind: 'assign', target: this.operand(), operator: '=', value });
      else body.push(value);
    } while (this.accept(',') && !this.isSign(')'));
    if (isBracketed) this.accept(')');
    return sequence([...body, ...this.suite()]);
  }

  private conditional(): Node {
    const word = this.takeName();
    const condition = this.isSign(':') ? NOTHING : this.expressions();
    if (word === 'except' && this.acceptWord('as')) this.takeName();
    return sequence([condition, maybe(this.suite())]);
  }

  /** The body behind a colon: on the same line, or the lines that are indented more. */
  private suite(): Node[] {
    const before = this.tokens[this.at - 1];
    const indent = this.lineIndent(this.at - 1) ?? before?.indent ?? 0;
    this.accept(':');
    if (this.peek()?.type !== 'end-of-line') return this.statements(() => this.peek()?.type === 'end-of-line');
    return this.statements(() => {
      const token = this.peek();
      return token !== undefined && token.type !== 'end-of-line' && token.isFirstOfLine && token.indent <= indent;
    });
  }

  /** Indent of the logical line that a token stands on. */
  private lineIndent(index: number): number | null {
    for (let at = index; at >= 0; at -= 1) {
      const token = this.tokens[at];
      if (token?.type === 'end-of-line') return this.tokens[at + 1]?.indent ?? null;
      if (at === 0) return token?.indent ?? null;
    }
    return null;
  }

  protected override keyword(word: string): Node | null {
    if (word === 'lambda') {
      this.at += 1;
      const parameters = this.parameters(':');
      return this.functionNode(null, parameters, [{ kind: 'return', value: this.expression() }]);
    }
    if (word === 'None' || word === 'True' || word === 'False') {
      this.at += 1;
      return word === 'True' ? { kind: 'number', value: 1 } : NOTHING;
    }
    if (/^(?:if|else|for|pass|break|continue)$/.test(word)) {
      this.at += 1;
      return NOTHING;
    }
    return null;
  }

  /** `x[::-1]` is the reverse of a text or list. */
  protected override postfix(operand: Node): Node | null {
    const turns = ['[', '::', '-', '1', ']'].every((text, ahead) => this.peek(ahead)?.text === text);
    if (!turns) return super.postfix(operand);
    this.at += 5;
    const callee: Node = { kind: 'member', object: operand, name: 'reversed' };
    return { kind: 'call', callee, positional: [], named: [], block: null };
  }

  protected override brace(): Node {
    this.at += 1;
    return this.pairsOrList('}');
  }

  /** Also `x for y in z if c`, and `a if c else b`. */
  protected override continued(left: Node): Node | null {
    if (this.isWord('if')) {
      if (this.isFirstWord()) return null;
      this.at += 1;
      const condition = this.expression();
      if (!this.acceptWord('else')) return sequence([condition, left]);
      return { kind: 'either', options: [left, this.expression()] };
    }
    if (this.isWord('for') || (this.isWord('async') && this.isWord('for', 1))) {
      this.acceptWord('async');
      this.at += 1;
      const target = this.targets();
      this.acceptWord('in');
      const value = this.expressionWithoutFor();
      return { kind: 'loop', target, value, body: [left] };
    }
    return super.continued(left);
  }

  private isFirstWord(): boolean {
    return this.peek()?.isFirstOfLine ?? false;
  }

  private expressionWithoutFor(): Node {
    let left = this.operand();
    while (!this.isWord('for') && !this.isWord('if') && !this.isWord('async')) {
      const next = super.continued(left);
      if (next === null) return left;
      left = next;
    }
    return left;
  }

  protected override inner(code: string): Node {
    return this.within(new PythonParser(code));
  }
}
