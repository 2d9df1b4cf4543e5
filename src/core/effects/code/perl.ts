import type { FunctionNode, Node } from './node.js';
import { maybe, nameNode, NOTHING, Parser, sequence, stringNode, type Grammar } from './parser.js';
import { quotedBy, type LexicalRules, type Token } from './token.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };
const partner = (match: RegExpExecArray): { end: string; nests: string | null } => {
  const open = match.groups?.['open'] ?? '';
  const end = PAIRS[open];
  return end === undefined ? { end: open, nests: null } : { end, nests: open };
};
const inside = {
  mark: '@{[',
  name: /(?<code>[$@]\{?[A-Za-z_]\w*\}?(?:->)?(?:\[[^\]\n]{1,40}\]|\{[^}\n]{1,60}\})?|\$[0-9&_])/y,
};
const plain = (): 'c' => 'c';

const lexical: LexicalRules = {
  comment:
    /#[^\n]*|^=(?:pod|head\d|begin|over|item|for|encoding)(?:[\s\S]*?^=cut[^\n]*|[\s\S]*)|^__(?:END|DATA)__[\s\S]*/my,
  commentStarts: '#=_',
  stringStarts: '"\'`qmsty/<',
  name: /[$@%&]\{?\^?[A-Za-z_]\w*(?:(?:::|')[A-Za-z_]\w*)*|\$#?[\d!@&_0,;./\\$]|[@%]_|[@%]\$\w+|[A-Za-z_]\w*(?:::\w+)*/y,
  strings: [
    quotedBy("'", { type: 'string', escapes: 'quote', inside: null, isOperator: false }),
    quotedBy('"', { type: 'string', escapes: 'c', inside, isOperator: false }),
    quotedBy('`', { type: 'exec', escapes: 'c', inside, isOperator: false }),
    {
      open: /\bqx\s*(?<open>[^\w\s,;=])/y,
      close: partner,
      type: 'exec',
      escapes: plain,
      inside: () => inside,
      isOperator: true,
    },
    {
      open: /\bqw\s*(?<open>[^\w\s,;=])/y,
      close: partner,
      type: 'words',
      escapes: () => 'quote',
      inside: null,
      isOperator: true,
    },
    {
      open: /\bqq\s*(?<open>[^\w\s,;=])/y,
      close: partner,
      type: 'string',
      escapes: plain,
      inside: () => inside,
      isOperator: true,
    },
    {
      open: /\bq\s*(?<open>[^\w\s,;=])/y,
      close: partner,
      type: 'string',
      escapes: () => 'quote',
      inside: null,
      isOperator: true,
    },
    {
      open: /<(?=[^\s<>=;]*[*?~/.{][^\s<>=;]*>)(?!\$\w+>)/y,
      close: () => ({ end: '>', nests: null }),
      type: 'glob',
      escapes: () => 'none',
      inside: () => inside,
      isOperator: false,
    },
    {
      open: /\b(?:s|tr|y)(?<open>[/|!#,~])(?:[^\\\n]|\\.)*?\k<open>(?:[^\\\n]|\\.)*?\k<open>[a-z]*|\b(?:s|tr|y)\{(?:[^{}\\]|\\.)*\}\s*\{(?:[^{}\\]|\\.)*\}[a-z]*/y,
      close: () => ({ end: '', nests: null }),
      type: 'regex',
      escapes: () => 'none',
      inside: null,
      isOperator: true,
    },
    {
      open: /\b(?:m|qr)(?<open>[/|!#,~{([])/y,
      close: partner,
      type: 'regex',
      escapes: () => 'quote',
      inside: null,
      isOperator: true,
    },
    {
      open: /\/(?!\s)(?:[^/\\\n]|\\.)*\/[a-z]*/y,
      close: () => ({ end: '', nests: null }),
      type: 'regex',
      escapes: () => 'none',
      inside: null,
      isOperator: true,
    },
  ],
  hereDocument: /<<(?<dash>~)?(?<quote>["']?)(?<mark>[A-Za-z_]\w*)\k<quote>/y,
  hereInside: inside,
  operators: words('return if unless while until and or not x eq ne lt gt le ge cmp split grep map join push print'),
};

const grammar: Grammar = {
  lexical,
  linesEndStatements: false,
  dotContinuesLine: false,
  prefixWords: words('not my our local state return defined ref scalar'),
  infixWords: words('and or xor x eq ne lt gt le ge cmp isa'),
  quietWords: words('if unless while until else elsif for foreach and or x eq ne lt gt le ge cmp'),
  callsWithoutParentheses: (name) => /^\.?[A-Za-z_][\w:]*$/.test(name) && !name.startsWith('.'),
  namedArgument: null,
  memberSigns: /^(?:->|::)$/,
  hasTernary: true,
};

/** Reads Perl. Source: perlsyn, perlop and perlfunc of Perl 5.38. */
export class PerlParser extends Parser {
  constructor(text: string) {
    super(text, grammar);
  }

  protected override prepare(tokens: readonly Token[]): readonly Token[] {
    return tokens.filter(({ type }) => type !== 'end-of-line');
  }

  protected override statement(): Node {
    const node = this.plainStatement();
    const token = this.peek();
    if (token?.type !== 'name') return node;
    if (/^(?:if|unless|while|until)$/.test(token.text)) {
      this.at += 1;
      return sequence([this.expression(), maybe([node])]);
    }
    if (/^(?:for|foreach)$/.test(token.text)) {
      this.at += 1;
      return { kind: 'loop', target: nameNode('$_'), value: this.expressions(), body: [node] };
    }
    return node;
  }

  private plainStatement(): Node {
    const token = this.peek();
    if (this.isSign('{')) return sequence(this.braces());
    if (token?.type !== 'name') return this.expressions();
    switch (token.text) {
      case 'if':
      case 'unless':
      case 'elsif':
      case 'while':
      case 'until':
        this.at += 1;
        return sequence([this.isSign('(') ? this.operand() : NOTHING, maybe(this.braces())]);
      case 'else':
      case 'continue':
      case 'BEGIN':
      case 'END':
      case 'INIT':
        this.at += 1;
        return maybe(this.braces());
      case 'for':
      case 'foreach':
        return this.forLoop();
      case 'sub':
        return this.isName(1) ? this.subroutine() : this.expressions();
      case 'use':
      case 'no':
        return this.use();
      case 'package':
        this.at += 2;
        return NOTHING;
      default:
        return this.expressions();
    }
  }

  private forLoop(): Node {
    this.at += 1;
    const isDeclared = this.acceptWord('my') || this.acceptWord('our');
    const target = isDeclared || this.isName() ? nameNode(this.takeName() ?? '$_') : nameNode('$_');
    if (!this.accept('(')) return NOTHING;
    const items = this.list(')');
    return { kind: 'loop', target, value: { kind: 'list', items }, body: this.braces() };
  }

  private subroutine(): FunctionNode {
    this.at += 1;
    const name = this.isName() ? this.takeName() : null;
    const parameters = this.accept('(') ? this.parameters(')') : [];
    return this.functionNode(name, parameters, this.braces());
  }

  private use(): Node {
    this.at += 1;
    const module = this.takeName() ?? '';
    while (!this.isAtEnd && !this.isSign(';')) this.at += 1;
    return /^[A-Z]/.test(module) ? { kind: 'import', module, member: '*', as: '*' } : NOTHING;
  }

  protected override keyword(word: string): Node | null {
    switch (word) {
      case 'sub':
        return this.subroutine();
      case 'do':
      case 'eval':
        if (!this.isSign('{', 1)) return null;
        this.at += 1;
        return sequence(this.braces());
      case 'print':
      case 'printf':
      case 'say':
        return this.printTo(word);
      case 'map':
      case 'grep':
      case 'sort':
      case 'first':
      case 'any':
      case 'all':
        return this.listFunction(word);
      case 'shift':
      case 'pop':
        if (this.isSign('(', 1) || /^[@$]/.test(this.peek(1)?.text ?? '')) return null;
        this.at += 1;
        return { kind: 'call', callee: nameNode('shift'), positional: [], named: [], block: null };
      case 'undef':
        if (this.isSign('(', 1)) return null;
        this.at += 1;
        return NOTHING;
      default:
        return null;
    }
  }

  /** `print $handle "text"`, `print {$handle} "text"`: null where no handle stands there. */
  private printTo(word: string): Node | null {
    const isBraced = this.isSign('{', 1) && this.isName(2) && this.isSign('}', 3);
    const handle = this.peek(isBraced ? 2 : 1);
    const behind = this.peek(isBraced ? 4 : 2);
    const startsText = behind?.type === 'string' || (behind?.type === 'name' && /^[$@]/.test(behind.text));
    if (handle?.type !== 'name' || !/^(?:\$\w+|[A-Z][A-Z0-9_]*)$/.test(handle.text) || !startsText) return null;
    this.at += isBraced ? 4 : 2;
    return this.bareCall({ kind: 'member', object: nameNode(handle.text), name: word });
  }

  /** `map { … } @list`, `grep { … } @list`: a loop over the list. */
  private listFunction(word: string): Node | null {
    const isBracketed = this.isSign('(', 1);
    if (!this.isSign('{', 1) && !(isBracketed && this.isSign('{', 2))) return null;
    this.at += isBracketed ? 2 : 1;
    const body = this.braces();
    this.accept(',');
    const value = this.expressions();
    if (isBracketed) this.accept(')');
    if (word === 'map') return { kind: 'loop', target: nameNode('$_'), value, body };
    return sequence([{ kind: 'loop', target: nameNode('$_'), value, body }, value]);
  }

  /** `$h{key}` and `$a[0]` right behind a name; `{` elsewhere is a hash. */
  protected override more(operand: Node): Node | null {
    const token = this.peek();
    if (!this.isSign('{') || token?.hasSpaceBefore === true) return null;
    const isVariable =
      (operand.kind === 'name' && /^[$@%]/.test(operand.name)) || operand.kind === 'index' || operand.kind === 'member';
    if (!isVariable) return null;
    this.at += 1;
    if (this.isName() && this.isSign('}', 1) && !/^[$@%]/.test(this.peek()?.text ?? '')) {
      const key = stringNode(this.takeName() ?? '');
      this.at += 1;
      return { kind: 'index', object: operand, key };
    }
    return { kind: 'index', object: operand, key: this.list('}')[0] ?? null };
  }

  protected override brace(): Node {
    this.at += 1;
    return this.pairsOrList('}');
  }

  /** Words before `=>` are texts. */
  protected override item(): Node {
    if (this.isName() && this.isSign('=>', 1) && !/^[$@%]/.test(this.peek()?.text ?? ''))
      return stringNode(this.takeName() ?? '');
    return super.item();
  }

  /** `<$fh>` and `<STDIN>` read a line. */
  protected override primary(): Node {
    if (this.isSign('<') && this.isName(1) && this.isSign('>', 2)) {
      this.at += 3;
      return { kind: 'call', callee: nameNode('readline'), positional: [], named: [], block: null };
    }
    return super.primary();
  }

  protected override inner(code: string): Node {
    return this.within(new PerlParser(code.replace(/^([$@])\{(\w+)\}/, '$1$2')));
  }
}
