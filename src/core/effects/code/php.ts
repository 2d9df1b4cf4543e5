import type { FunctionNode, Node } from './node.js';
import { maybe, nameNode, NOTHING, Parser, sequence, type Grammar } from './parser.js';
import { quotedBy, type LexicalRules, type Token } from './token.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const inside = { mark: '{$', name: /(?<code>\$[A-Za-z_]\w*(?:->\w+|\[[^\]\n]{1,40}\])?)/y };

const lexical: LexicalRules = {
  comment: /\/\/[^\n]*|#(?!\[)[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)|<\?(?:php|=)?|\?>/y,
  commentStarts: '/#<?',
  stringStarts: '"\'`',
  name: /\$+[A-Za-z_]\w*|\\?[A-Za-z_]\w*(?:\\[A-Za-z_]\w*)*/y,
  strings: [
    quotedBy("'", { type: 'string', escapes: 'quote', inside: null, isOperator: false }),
    quotedBy('"', { type: 'string', escapes: 'c', inside, isOperator: false }),
    quotedBy('`', { type: 'exec', escapes: 'c', inside, isOperator: false }),
  ],
  hereDocument: /<<<[ \t]*(?<quote>["']?)(?<mark>[A-Za-z_]\w*)\k<quote>(?<dash>)/y,
  hereInside: inside,
  operators: words('return echo print and or xor case else instanceof new clone throw yield in'),
};

const grammar: Grammar = {
  lexical,
  linesEndStatements: false,
  dotContinuesLine: false,
  prefixWords: words('new clone print yield throw await'),
  infixWords: words('and or xor instanceof as insteadof'),
  quietWords: words('else do break continue default case endif endwhile endforeach endfor endswitch declare'),
  callsWithoutParentheses: (name) => /^(?:echo|print|include|include_once|require|require_once)$/.test(name),
  namedArgument: ':',
  memberSigns: /^(?:->|\?->|::)$/,
  hasTernary: true,
};

/** Reads PHP; text outside of its tags is output and means nothing. Source: PHP 8.3 manual. */
export class PhpParser extends Parser {
  constructor(text: string) {
    super(phpOnly(text), grammar);
  }

  protected override prepare(tokens: readonly Token[]): readonly Token[] {
    // Names of functions, classes and constants are the same in upper and lower case, and with their root's backslash.
    return tokens
      .filter(({ type }) => type !== 'end-of-line')
      .map((token) =>
        token.type === 'name' && !token.text.startsWith('$')
          ? { ...token, text: token.text.replace(/^\\/, '').toLowerCase() }
          : token,
      );
  }

  protected override statement(): Node {
    const token = this.peek();
    if (this.isSign('{')) return sequence(this.braces());
    if (this.isSign('#')) {
      this.at += 1;
      if (this.isSign('[')) this.skipBalanced();
      return NOTHING;
    }
    if (token?.type !== 'name') return this.expressions();
    switch (token.text.toLowerCase()) {
      case 'if':
      case 'elseif':
      case 'while':
      case 'switch':
        return this.conditional();
      case 'else':
      case 'do':
      case 'try':
      case 'finally':
        this.at += 1;
        this.accept(':');
        return maybe([this.body()]);
      case 'catch':
        this.at += 1;
        if (this.isSign('(')) this.skipBalanced();
        return maybe([this.body()]);
      case 'for':
        this.at += 1;
        return sequence([this.isSign('(') ? this.operand() : NOTHING, maybe([this.body()])]);
      case 'foreach':
        return this.foreachLoop();
      case 'return':
      case 'throw':
        this.at += 1;
        return { kind: 'return', value: this.endsStatement ? null : this.expressions() };
      case 'namespace':
      case 'use':
      case 'global':
      case 'const':
        return this.declaration(token.text.toLowerCase());
      case 'function':
        return this.isName(1) || this.isSign('&', 1) ? this.namedFunction() : this.expressions();
      case 'abstract':
      case 'final':
      case 'readonly':
      case 'static':
        if (this.isName(1) && !this.isSign('::', 1)) {
          this.at += 1;
          return this.nested(() => this.statement());
        }
        return this.expressions();
      case 'class':
      case 'interface':
      case 'trait':
      case 'enum':
        return this.isName(1) ? this.classNode() : this.expressions();
      case 'case':
        this.at += 1;
        return maybe([this.expression()]);
      default:
        return this.expressions();
    }
  }

  private body(): Node {
    return this.isSign('{') ? sequence(this.braces()) : this.nested(() => this.statement());
  }

  private conditional(): Node {
    this.at += 1;
    const condition = this.isSign('(') ? this.operand() : NOTHING;
    this.accept(':');
    return sequence([condition, maybe([this.body()])]);
  }

  private foreachLoop(): Node {
    this.at += 1;
    this.accept('(');
    const value = this.operand();
    this.acceptWord('as');
    let target = this.operand();
    if (this.accept('=>')) target = this.operand();
    this.accept(')');
    this.accept(':');
    return { kind: 'loop', target, value, body: [this.body()] };
  }

  /** `const A = 1;` binds; `use` and the rest only name things. */
  private declaration(word: string): Node {
    this.at += 1;
    if (word === 'const') return this.expressions();
    while (!this.isAtEnd && !this.isSign(';') && !this.isSign('{')) this.at += 1;
    return NOTHING;
  }

  private namedFunction(): Node {
    this.at += 1;
    this.accept('&');
    return this.functionRest(this.takeName());
  }

  private functionRest(name: string | null): FunctionNode {
    const parameters = this.accept('(') ? this.parameters(')') : [];
    while (!this.isAtEnd && !this.isSign('{') && !this.isSign(';') && !this.isSign('=>')) {
      if (this.isSign('(')) this.skipBalanced();
      else this.at += 1;
    }
    if (this.accept('=>')) return this.functionNode(name, parameters, [{ kind: 'return', value: this.expression() }]);
    return this.functionNode(name, parameters, this.isSign('{') ? this.braces() : []);
  }

  private classNode(): Node {
    this.at += 1;
    const name = this.isSign('{') ? '' : (this.takeName() ?? '');
    while (!this.isAtEnd && !this.isSign('{')) this.at += 1;
    this.accept('{');
    const body: Node[] = [];
    while (!this.isAtEnd && !this.accept('}')) {
      const before = this.at;
      if (this.isWord('function')) body.push(this.namedFunction());
      else if (this.peek()?.type === 'name' && this.peek()?.text.startsWith('$') && this.isSign('=', 1)) {
        const property = (this.takeName() ?? '').slice(1);
        this.at += 1;
        body.push({
          kind: 'assign',
          target: { kind: 'member', object: nameNode('$this'), name: property },
          operator: '=',
          value: this.expression(),
        });
      } else if (this.isSign('(') || this.isSign('{')) this.skipBalanced();
      else this.at += 1;
      if (this.at === before) this.at += 1;
    }
    return { kind: 'class', name, bases: [], body };
  }

  protected override keyword(word: string): Node | null {
    switch (word.toLowerCase()) {
      case 'function':
      case 'fn':
        if (!this.isSign('(', 1) && !this.isSign('&', 1)) return null;
        this.at += 1;
        this.accept('&');
        return this.functionRest(null);
      case 'static':
        if (!this.isWord('function', 1) && !this.isWord('fn', 1)) return null;
        this.at += 1;
        return this.nested(() => this.primary());
      case 'class':
        return this.isSign('{', 1) || this.isSign('(', 1) ? this.classNode() : null;
      case 'array':
      case 'list': {
        if (!this.isSign('(', 1)) return null;
        this.at += 2;
        return this.pairsOrList(')');
      }
      case 'match':
        if (!this.isSign('(', 1)) return null;
        this.at += 1;
        return sequence([this.operand(), this.brace()]);
      case 'true':
        this.at += 1;
        return { kind: 'number', value: 1 };
      case 'false':
      case 'null':
        this.at += 1;
        return NOTHING;
      default:
        return null;
    }
  }

  protected override brace(): Node {
    this.at += 1;
    return this.pairsOrList('}');
  }

  protected override inner(code: string): Node {
    return this.within(new PhpParser(code.startsWith('$') ? code : `$${code}`));
  }
}

/** The text between PHP's tags; all of it when it has none, as `php -r` takes it. */
function phpOnly(text: string): string {
  if (!/<\?(?:php|=|\s)/i.test(text)) return text;
  const parts: string[] = [];
  for (const match of text.matchAll(/<\?(?:php|=)?([\s\S]*?)(?:\?>|$)/gi)) parts.push(match[1] ?? '');
  return parts.join(';\n');
}
