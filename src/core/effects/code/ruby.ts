import type { FunctionNode, Node, Parameter } from './node.js';
import { maybe, nameNode, NOTHING, Parser, sequence, stringNode, type Grammar } from './parser.js';
import { quotedBy, type LexicalRules } from './token.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };
const partner = (open: string): { end: string; nests: string | null } => {
  const end = PAIRS[open];
  return end === undefined ? { end: open, nests: null } : { end, nests: open };
};
const inside = { mark: '#{', name: null };

const lexical: LexicalRules = {
  comment: /#[^\n]*|^=begin(?:[\s\S]*?^=end[^\n]*|[\s\S]*)/my,
  commentStarts: '#=',
  stringStarts: '"\'`%/',
  name: /(?:@@?|\$)?[\p{L}_][\p{L}\p{N}_]*[?!]?(?!=)|(?:@@?|\$)?[\p{L}_][\p{L}\p{N}_]*|\$[!@&~0-9*$?:"<>,./\\;]/uy,
  strings: [
    quotedBy("'", { type: 'string', escapes: 'quote', inside: null, isOperator: false }),
    quotedBy('"', { type: 'string', escapes: 'c', inside, isOperator: false }),
    quotedBy('`', { type: 'exec', escapes: 'c', inside, isOperator: true }),
    {
      open: /%x(?<open>[^\w\s])/y,
      close: (match) => partner(match.groups?.['open'] ?? ''),
      type: 'exec',
      escapes: () => 'c',
      inside: () => inside,
      isOperator: true,
    },
    {
      open: /%[wi](?<open>[^\w\s])/iy,
      close: (match) => partner(match.groups?.['open'] ?? ''),
      type: 'words',
      escapes: () => 'quote',
      inside: null,
      isOperator: true,
    },
    {
      open: /%q(?<open>[^\w\s])/y,
      close: (match) => partner(match.groups?.['open'] ?? ''),
      type: 'string',
      escapes: () => 'quote',
      inside: null,
      isOperator: true,
    },
    {
      open: /%Q?(?<open>[([{<|!/])/y,
      close: (match) => partner(match.groups?.['open'] ?? ''),
      type: 'string',
      escapes: () => 'c',
      inside: () => inside,
      isOperator: true,
    },
    {
      open: /%r(?<open>[^\w\s])/y,
      close: (match) => partner(match.groups?.['open'] ?? ''),
      type: 'regex',
      escapes: () => 'none',
      inside: null,
      isOperator: true,
    },
    {
      open: /\/(?![\s=])(?:[^/\\\n]|\\.)+\/[a-z]*/y,
      close: () => ({ end: '', nests: null }),
      type: 'regex',
      escapes: () => 'none',
      inside: null,
      isOperator: true,
    },
  ],
  hereDocument: /<<(?<dash>[~-])?(?<quote>["'`]?)(?<mark>[A-Z_]\w*)\k<quote>/y,
  hereInside: inside,
  operators: words(
    'return if unless while until and or not when in puts print p require do then else elsif raise yield',
  ),
};

const RESERVED = words(
  'if unless while until rescue and or do then end else elsif when in ensure self nil true false case begin def class module yield return',
);

const grammar: Grammar = {
  lexical,
  linesEndStatements: true,
  dotContinuesLine: true,
  prefixWords: words('not defined?'),
  infixWords: words('and or'),
  quietWords: words('if unless while until rescue do then end else elsif when ensure in and or'),
  callsWithoutParentheses: (name) => !/^[@$]/.test(name) && !RESERVED.has(name),
  namedArgument: ':',
  memberSigns: /^(?:\.|&\.|::)$/,
  hasTernary: true,
};

/** Reads Ruby. Source: the Ruby 3.3 reference. */
export class RubyParser extends Parser {
  constructor(text: string) {
    super(text, grammar);
  }

  /** A statement, and what may stand behind it: `… if x`, `… unless x`, `… rescue x`. */
  protected override statement(): Node {
    const read = this.expressions();
    const isBare = read.kind === 'name' && /^[a-z_]\w*[?!]?$/.test(read.name);
    const node: Node = isBare ? { kind: 'call', callee: read, positional: [], named: [], block: null } : read;
    for (let token = this.peek(); token?.type === 'name' && !token.isFirstOfLine; token = this.peek()) {
      if (!/^(?:if|unless|while|until|rescue)$/.test(token.text)) break;
      this.at += 1;
      return sequence([this.expression(), maybe([node])]);
    }
    return node;
  }

  protected override keyword(word: string): Node | null {
    switch (word) {
      case 'if':
      case 'unless':
      case 'while':
      case 'until':
      case 'case':
        return this.construct();
      case 'elsif':
      case 'when':
      case 'in':
        this.at += 1;
        return this.expressions();
      case 'else':
      case 'then':
      case 'ensure':
      case 'do':
      case 'end':
        this.at += 1;
        return NOTHING;
      case 'rescue':
        this.at += 1;
        while (!this.endsStatement && !this.isWord('then')) this.at += 1;
        return NOTHING;
      case 'begin':
        this.at += 1;
        return maybe(this.untilEnd());
      case 'for':
        return this.forLoop();
      case 'def':
        return this.definition();
      case 'class':
      case 'module':
        return this.classNode();
      case 'return':
      case 'raise':
      case 'yield':
        this.at += 1;
        return {
          kind: 'return',
          value: this.endsStatement || this.isWord('if') || this.isWord('unless') ? null : this.expressions(),
        };
      case 'lambda':
      case 'proc':
        if (!this.isSign('{', 1) && !this.isWord('do', 1)) return null;
        this.at += 1;
        return this.block() ?? NOTHING;
      case 'true':
        this.at += 1;
        return { kind: 'number', value: 1 };
      case 'nil':
      case 'false':
        this.at += 1;
        return NOTHING;
      default:
        return null;
    }
  }

  /** The value is that of any branch. */
  private construct(): Node {
    this.at += 1;
    const conditions: Node[] = this.endsStatement ? [] : [this.expressions()];
    const branches: Node[] = [];
    for (;;) {
      this.acceptWord('then');
      this.acceptWord('do');
      const isMark = (): boolean => /^(?:end|else|elsif|when|in)$/.test(this.isName() ? (this.peek()?.text ?? '') : '');
      const body = this.statements(isMark);
      if (body.length > 0) branches.push(maybe(body));
      const mark = this.takeName();
      if (mark === null || mark === 'end') break;
      if (mark !== 'else') conditions.push(this.expressions());
    }
    return sequence([...conditions, { kind: 'either', options: branches }]);
  }

  private forLoop(): Node {
    this.at += 1;
    const target = this.nested(() => this.primary());
    this.acceptWord('in');
    const value = this.expression();
    this.acceptWord('do');
    return { kind: 'loop', target, value, body: this.untilEnd() };
  }

  private untilEnd(): Node[] {
    const body = this.statements(() => this.isWord('end'));
    this.acceptWord('end');
    return body;
  }

  private definition(): Node {
    this.at += 1;
    let name = this.takeName();
    while (this.accept('.')) name = this.takeName();
    const parameters = this.accept('(') ? this.parameters(')') : this.bareParameters();
    if (this.accept('=')) return this.functionNode(name, parameters, [{ kind: 'return', value: this.expression() }]);
    return this.functionNode(name, parameters, this.untilEnd());
  }

  private bareParameters(): Parameter[] {
    const parameters: Parameter[] = [];
    while (!this.endsStatement && !this.isSign('=')) {
      const token = this.peek();
      if (token?.type === 'name') parameters.push({ name: token.text, fallback: null });
      this.at += 1;
    }
    return parameters;
  }

  private classNode(): Node {
    this.at += 1;
    let name = '';
    while (!this.endsStatement) {
      name ||= this.peek()?.text ?? '';
      this.at += 1;
    }
    return { kind: 'class', name, bases: [], body: this.untilEnd() };
  }

  /** `{ |x| … }` or `do |x| … end`; null when none stands here. */
  private block(): FunctionNode | null {
    const isBraces = this.isSign('{');
    if (!isBraces && !this.isWord('do')) return null;
    this.at += 1;
    const parameters = this.accept('|') ? this.parameters('|') : [];
    const body = this.statements(() => (isBraces ? this.isSign('}') : this.isWord('end')));
    this.at += 1;
    return this.functionNode(null, parameters, body);
  }

  protected override withBlock(call: Node): Node {
    if (call.kind !== 'call') return call;
    const block = this.block();
    return block === null ? call : { ...call, block };
  }

  /** `:name` is a name as text; `->(x) { … }` a function; a block behind a name calls it. */
  protected override primary(): Node {
    if (this.isSign(':') && (this.isName(1) || this.peek(1)?.type === 'string')) {
      this.at += 1;
      const token = this.peek();
      this.at += 1;
      return stringNode(token?.text ?? '');
    }
    if (this.accept('::')) return this.nested(() => this.primary());
    if (this.isSign('->')) {
      this.at += 1;
      const parameters = this.accept('(') ? this.parameters(')') : [];
      const block = this.block();
      return { kind: 'function', name: null, parameters, body: block?.body ?? [], hasDecorator: false };
    }
    return super.primary();
  }

  protected override more(operand: Node): Node | null {
    const isNamed = operand.kind === 'name' ? !RESERVED.has(operand.name) : operand.kind === 'member';
    if (!isNamed || !(this.isSign('{') || this.isWord('do')) || this.peek()?.isFirstOfLine === true) return null;
    if (this.isWord('do') && this.#isLoopHead) return null;
    const block = this.block();
    return block === null ? null : { kind: 'call', callee: operand, positional: [], named: [], block };
  }

  /** In `while x do` the word belongs to the loop, not to `x`. */
  get #isLoopHead(): boolean {
    for (let at = this.at - 1; at >= 0; at -= 1) {
      const token = this.tokens[at];
      if (token?.type === 'end-of-line' || token === undefined) return false;
      if (token.type === 'name' && /^(?:while|until|for)$/.test(token.text)) return true;
    }
    return false;
  }

  /** `key: value` and `key => value`. */
  protected override brace(): Node {
    this.at += 1;
    const entries: (readonly [Node | null, Node])[] = [];
    for (;;) {
      this.skipLines();
      if (this.isAtEnd || this.accept('}')) return { kind: 'map', entries };
      const before = this.at;
      if (!this.accept(',')) {
        const key = this.isName() && this.isSign(':', 1) ? nameNode(this.takeName() ?? '') : this.expression();
        this.skipLines();
        if (this.accept(':') || this.accept('=>')) {
          this.skipLines();
          entries.push([key, this.expression()]);
        } else entries.push([null, key]);
      }
      if (this.at === before) this.at += 1;
    }
  }

  protected override inner(code: string): Node {
    return this.within(new RubyParser(code));
  }
}
