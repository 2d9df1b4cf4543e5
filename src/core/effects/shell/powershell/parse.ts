import type { Block, Element, Expression, Redirection, Script, Stage, Statement, TextPart } from './tree.js';

/** Nesting beyond this is not followed. */
const MOST_NESTED = 60;
const MOST_CHARACTERS = 64 * 1024;
/** Operands of one expression. */
const MOST_CHAINED = 500;
/** Statements beyond this of one block are not read. */
const MOST_STATEMENTS = 3_000;

const SINGLE_QUOTES = "'\u2018\u2019\u201a\u201b";
const DOUBLE_QUOTES = '"\u201c\u201d\u201e';
const DASHES = '-\u2013\u2014\u2015';

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\u001b',
};

/** Binary operators that are words, without their dash and without the `c` or `i` that says how case counts. */
const WORD_OPERATORS =
  /^[ci]?(?:eq|ne|gt|ge|lt|le|like|notlike|match|notmatch|contains|notcontains|in|notin|replace|split)$|^(?:and|or|xor|band|bor|bxor|shl|shr|is|isnot|as|f|join)$/i;
const UNARY_WORDS = /^(?:not|bnot|join|split|csplit|isplit)$/i;

const NUMBER_ALONE = /(?:0x[\da-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?)[ldu]*(?:[kmgtp]b)?(?=[\s)|;,+*/%.\-}]|$)/iy;

const NOTHING: Statement = { kind: 'nothing' };
const EMPTY_TEXT: Expression = { kind: 'text', parts: [''], isBare: false, raw: '' };

/** Reads PowerShell. Total: what it cannot read is a problem in words. Source: PowerShell language specification 3.0, about_Parsing 7.4. */
export function parsePowerShell(text: string): Script {
  if (text.length > MOST_CHARACTERS)
    return { block: { parameters: [], body: [], raw: '' }, problems: ['more than 64 KiB of PowerShell'] };
  return new Reader(text).script();
}

class Reader {
  readonly #problems: string[] = [];
  #at = 0;
  #depth = 0;

  constructor(readonly text: string) {}

  script(): Script {
    const block = this.#block(() => this.#at >= this.text.length, 0);
    return { block, problems: this.#problems };
  }

  // Characters.

  get #character(): string {
    return this.text[this.#at] ?? '';
  }

  #look(text: string): boolean {
    return this.text.startsWith(text, this.#at);
  }

  #accept(text: string): boolean {
    if (!this.#look(text)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.text);
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    const match = this.#match(pattern);
    if (match) this.#at += match[0].length;
    return match;
  }

  #problem(what: string): void {
    if (this.#problems.length < 4 && !this.#problems.includes(what)) this.#problems.push(what);
  }

  /** Blanks, comments and continued lines. */
  #blanks(): void {
    for (;;) {
      if (this.#take(/[ \t\u00a0\f\v]+|`\r?\n/y)) continue;
      if (this.#look('<#')) {
        const end = this.text.indexOf('#>', this.#at);
        if (end < 0) this.#problem('a comment is not closed');
        this.#at = end < 0 ? this.text.length : end + 2;
        continue;
      }
      if (this.#character === '#') {
        this.#take(/[^\n]*/y);
        continue;
      }
      return;
    }
  }

  #blanksAndLines(): void {
    for (;;) {
      this.#blanks();
      if (!this.#take(/[\r\n]+/y)) return;
    }
  }

  get #endsStatement(): boolean {
    return this.#at >= this.text.length || /[;\r\n)}]/.test(this.#character) || this.#look('&&') || this.#look('||');
  }

  #nested<T>(otherwise: T, read: () => T): T {
    this.#depth += 1;
    if (this.#depth > MOST_NESTED) {
      this.#problem('nested too deeply');
      this.#depth -= 1;
      this.#at = this.text.length;
      return otherwise;
    }
    const value = read();
    this.#depth -= 1;
    return value;
  }

  // Statements.

  #block(isEnd: () => boolean, start: number): Block {
    const parameters: { name: string; fallback: Expression | null }[] = [];
    const body: Statement[] = [];
    for (;;) {
      this.#take(/[;\s]+/y);
      this.#blanksAndLines();
      if (this.#at >= this.text.length || isEnd()) break;
      if (body.length >= MOST_STATEMENTS) {
        this.#problem('more statements than are read');
        this.#at = this.text.length;
        break;
      }
      const before = this.#at;
      const param = this.#take(/(?:\[cmdletbinding[^\]]*\]\s*)?param\s*\(/iy);
      if (param) {
        parameters.push(...this.#parameters());
        continue;
      }
      const named = this.#take(/(?:begin|process|end|dynamicparam|clean)\s*\{/iy);
      if (named) {
        const inner = this.#nested<Block>({ parameters: [], body: [], raw: '' }, () =>
          this.#block(() => this.#character === '}', this.#at),
        );
        this.#accept('}');
        body.push(...inner.body);
        continue;
      }
      body.push(this.#nested(NOTHING, () => this.#statement()));
      while (this.#at < this.text.length && (this.#look('&&') || this.#look('||'))) {
        this.#at += 2;
        this.#blanksAndLines();
        body.push({
          kind: 'branches',
          conditions: [],
          branches: [[this.#nested(NOTHING, () => this.#statement())]],
          subject: null,
        });
      }
      this.#blanks();
      if (this.#at === before) {
        this.#problem(`this is not understood: ${this.text.slice(this.#at, this.#at + 20)}`);
        this.#at += 1;
      }
    }
    return { parameters, body, raw: this.text.slice(start, this.#at) };
  }

  /** `[type] $name = value, …` up to the closing bracket. */
  #parameters(): { name: string; fallback: Expression | null }[] {
    const parameters: { name: string; fallback: Expression | null }[] = [];
    for (;;) {
      this.#blanksAndLines();
      if (this.#at >= this.text.length || this.#accept(')')) return parameters;
      if (this.#character === '[') {
        this.#typeText();
        continue;
      }
      const name = this.#take(/\$([\w:]+)/y);
      if (!name) {
        if (!this.#accept(',')) this.#at += 1;
        continue;
      }
      this.#blanksAndLines();
      const hasFallback = this.#accept('=');
      if (hasFallback) this.#blanksAndLines();
      const fallback = hasFallback ? this.#oneArgument() : null;
      parameters.push({ name: (name[1] ?? '').toLowerCase(), fallback });
    }
  }

  #statement(): Statement {
    const word = this.#match(/([A-Za-z]+)(?=[\s({;]|$)/y)?.[1]?.toLowerCase();
    switch (word) {
      case 'if':
      case 'while':
      case 'switch':
        if (this.#match(/\w+\s*(?:-\w+\s+)*\(/y) || word === 'switch') return this.#conditional(word);
        break;
      case 'do':
      case 'try':
      case 'trap':
        if (this.#match(/\w+\s*(?:\[[^\]]*\]\s*)?\{/y)) return this.#blockStatement(word);
        break;
      case 'for':
        if (this.#match(/for\s*\(/iy)) return this.#forLoop();
        break;
      case 'foreach':
        if (this.#match(/foreach\s*(?:-parallel\s*)?\(/iy)) return this.#foreachLoop();
        break;
      case 'function':
      case 'filter':
      case 'workflow':
      case 'configuration':
        return this.#definition(word);
      case 'class':
      case 'enum':
        return this.#typeDefinition(word);
      case 'return':
      case 'throw':
      case 'exit':
      case 'break':
      case 'continue':
        this.#at += word.length;
        this.#blanks();
        return { kind: 'leave', word, value: this.#endsStatement ? null : this.#pipelineOrAssignment() };
      case 'using':
        return this.#using();
      default:
    }
    if (this.#take(/:\w+\s*(?=foreach|for|while|switch|do)/iy)) return this.#statement();
    return this.#pipelineOrAssignment();
  }

  #bracedStatements(): readonly Statement[] {
    this.#blanksAndLines();
    if (!this.#accept('{')) {
      this.#problem('a block is missing');
      return [];
    }
    const start = this.#at;
    const block = this.#nested<Block>({ parameters: [], body: [], raw: '' }, () =>
      this.#block(() => this.#character === '}', start),
    );
    if (!this.#accept('}')) this.#problem('a block is not closed');
    return block.body;
  }

  #condition(): Statement {
    this.#blanksAndLines();
    while (this.#take(/-\w+\s+/y));
    if (!this.#accept('(')) return NOTHING;
    this.#blanksAndLines();
    const condition = this.#nested(NOTHING, () => this.#pipelineOrAssignment());
    this.#blanksAndLines();
    if (!this.#accept(')')) this.#problem('a bracket is not closed');
    return condition;
  }

  #conditional(word: string): Statement {
    this.#at += word.length;
    if (word === 'switch') return this.#switchStatement();
    const conditions = [this.#condition()];
    const branches = [this.#bracedStatements()];
    for (;;) {
      const before = this.#at;
      this.#blanksAndLines();
      if (word === 'if' && this.#take(/elseif\b/iy)) {
        conditions.push(this.#condition());
        branches.push(this.#bracedStatements());
      } else if (word === 'if' && this.#take(/else\b/iy)) branches.push(this.#bracedStatements());
      else {
        this.#at = before;
        return { kind: 'branches', conditions, branches, subject: null };
      }
    }
  }

  #switchStatement(): Statement {
    const file = this.#switchedFile();
    const subject = file ?? this.#condition();
    this.#blanksAndLines();
    if (subject.kind === 'nothing') this.#take(/[^{]*/y);
    const branches: (readonly Statement[])[] = [];
    const conditions: Statement[] = [];
    if (!this.#accept('{')) return { kind: 'branches', conditions, branches, subject };
    for (;;) {
      this.#take(/[;\s]+/y);
      this.#blanksAndLines();
      if (this.#at >= this.text.length || this.#accept('}')) return { kind: 'branches', conditions, branches, subject };
      const before = this.#at;
      if (this.#character === '{') {
        const value = this.#primary();
        conditions.push(pipelineOf(value));
      } else if (!this.#take(/default\b/iy)) conditions.push(pipelineOf(this.#argument()));
      this.#blanksAndLines();
      if (this.#character === '{') branches.push(this.#bracedStatements());
      if (this.#at === before) this.#at += 1;
    }
  }

  /** `switch [-Regex] -File path { … }` goes over the lines of a file; null for any other. */
  #switchedFile(): Statement | null {
    const start = this.#at;
    if (!this.#take(/\s*(?:-(?!f)\w+\s+)*-f\w*\s+/iy)) return null;
    const value = this.#oneArgument();
    const raw = this.text.slice(start, this.#at).trim();
    const reading: Stage = {
      kind: 'command',
      operator: '',
      name: bare('Get-Content'),
      elements: [{ kind: 'argument', value, raw }],
      redirections: [],
      raw,
    };
    return { kind: 'pipeline', stages: [reading], isBackground: false };
  }

  #blockStatement(word: string): Statement {
    this.#at += word.length;
    this.#blanks();
    if (word === 'trap' && this.#character === '[') this.#typeText();
    const branches = [this.#bracedStatements()];
    const conditions: Statement[] = [];
    for (;;) {
      const before = this.#at;
      this.#blanksAndLines();
      if (word === 'try' && this.#take(/catch\b|finally\b/iy)) {
        this.#blanks();
        while (this.#character === '[' || this.#character === ',') {
          if (this.#character === '[') this.#typeText();
          else this.#at += 1;
          this.#blanks();
        }
        branches.push(this.#bracedStatements());
      } else if (word === 'do' && this.#take(/while\b|until\b/iy)) conditions.push(this.#condition());
      else {
        this.#at = before;
        return { kind: 'branches', conditions, branches, subject: null };
      }
    }
  }

  #forLoop(): Statement {
    this.#take(/for\s*\(/iy);
    const conditions: Statement[] = [];
    for (;;) {
      this.#take(/[;\s]+/y);
      if (this.#at >= this.text.length || this.#accept(')')) break;
      const before = this.#at;
      conditions.push(this.#nested(NOTHING, () => this.#pipelineOrAssignment()));
      if (this.#at === before) this.#at += 1;
    }
    return { kind: 'branches', conditions, branches: [this.#bracedStatements()], subject: null };
  }

  #foreachLoop(): Statement {
    this.#take(/foreach\s*(?:-parallel\s*)?\(\s*/iy);
    const variable = this.#take(/\$([\w:]+)/y)?.[1]?.toLowerCase() ?? '';
    this.#take(/\s*in\s+/iy);
    const items = this.#nested(NOTHING, () => this.#pipelineOrAssignment());
    this.#blanksAndLines();
    if (!this.#accept(')')) this.#problem('a bracket is not closed');
    return { kind: 'foreach', variable, items, body: this.#bracedStatements() };
  }

  #definition(word: string): Statement {
    const start = this.#at;
    this.#at += word.length;
    this.#blanks();
    const name = this.#take(/[^\s({]+/y)?.[0] ?? '';
    this.#blanksAndLines();
    const own = this.#accept('(') ? this.#parameters() : [];
    this.#blanksAndLines();
    if (!this.#accept('{')) {
      this.#problem('a function without a body');
      return NOTHING;
    }
    const block = this.#restOfBlock();
    return {
      kind: 'function',
      name: name.replace(/^(?:global|script|local|private):/i, ''),
      block: { ...block, parameters: [...own, ...block.parameters] },
      raw: this.text.slice(start, this.#at),
    };
  }

  /** `using module .\\x.psm1` and `using assembly x.dll` load code; `using namespace` does not. */
  #using(): Statement {
    const loads = this.#take(/using\s+(module|assembly)\s+/iy);
    if (!loads) {
      this.#take(/[^\r\n;]*/y);
      return NOTHING;
    }
    const value = this.#oneArgument();
    const loading: Stage = {
      kind: 'command',
      operator: '',
      name: bare('Import-Module'),
      elements: [{ kind: 'argument', value, raw: loads[0] }],
      redirections: [],
      raw: loads[0],
    };
    return { kind: 'pipeline', stages: [loading], isBackground: false };
  }

  /** A class is its methods, each of which may run; an enum is nothing. */
  #typeDefinition(word: string): Statement {
    const name = /^\w+\s+([\w.]+)/.exec(this.#take(/[^{]*/y)?.[0] ?? '')?.[1] ?? '';
    this.#accept('{');
    if (word === 'enum') {
      this.#skipToClosing();
      return NOTHING;
    }
    const methods: Block[] = [];
    for (;;) {
      this.#take(/[;\s]+/y);
      this.#blanksAndLines();
      if (this.#at >= this.text.length || this.#accept('}')) return { kind: 'class', name, methods };
      const before = this.#at;
      if (this.#character === '[') this.#typeText();
      else if (this.#take(/\$[\w:]+/y)) methods.push(...this.#propertyValue());
      else if (!this.#take(/(?:static|hidden)\b/iy) && this.#take(/\w+\s*\(/y)) methods.push(this.#method());
      if (this.#at === before) this.#at += 1;
    }
  }

  /** `= value` behind the name of a property. */
  #propertyValue(): readonly Block[] {
    this.#blanks();
    const start = this.#at;
    if (!this.#accept('=')) return [];
    this.#blanksAndLines();
    const value = this.#nested(NOTHING, () => this.#pipelineOrAssignment());
    return [{ parameters: [], body: [value], raw: this.text.slice(start, this.#at) }];
  }

  /** From behind the opening bracket of a method's parameters to the end of its body. */
  #method(): Block {
    const parameters = this.#parameters();
    this.#take(/\s*:\s*base\s*\([^)]*\)/iy);
    this.#blanksAndLines();
    if (!this.#accept('{')) {
      this.#problem('a method without a body');
      return { parameters, body: [], raw: '' };
    }
    return { ...this.#restOfBlock(), parameters };
  }

  /** From behind an opening brace to behind its partner, strings and comments passed over. */
  #skipToClosing(): void {
    for (let depth = 1; depth > 0 && this.#at < this.text.length;) {
      this.#blanks();
      const character = this.#character;
      if (SINGLE_QUOTES.includes(character) || DOUBLE_QUOTES.includes(character)) {
        this.#string();
        continue;
      }
      if (character === '{') depth += 1;
      else if (character === '}') depth -= 1;
      this.#at += 1;
    }
  }

  // Pipelines.

  #pipelineOrAssignment(): Statement {
    const stages: Stage[] = [];
    for (;;) {
      this.#blanksAndLines();
      const stage = this.#stage(stages.length === 0);
      if (stage.kind === 'expression' && stages.length === 0) {
        const operator = this.#take(/\s*(=(?!=)|[-+*/%]=|\?\?=)/y);
        if (operator) {
          this.#blanksAndLines();
          const value = this.#nested(NOTHING, () => this.#statement());
          return { kind: 'assignment', target: stage.value, operator: operator[1] ?? '=', value };
        }
      }
      stages.push(stage);
      this.#blanks();
      const isPiped = this.#character === '|' && !this.#look('||');
      if (!isPiped) {
        const before = this.#at;
        this.#blanksAndLines();
        if (this.#character === '|' && !this.#look('||')) {
          this.#at += 1;
          continue;
        }
        this.#at = before;
        break;
      }
      this.#at += 1;
    }
    const isBackground = this.#character === '&' && !this.#look('&&');
    if (isBackground) this.#at += 1;
    return { kind: 'pipeline', stages, isBackground };
  }

  #stage(isFirst: boolean): Stage {
    // A word that begins with a digit and is no number is a program: `7z`.
    const isProgram = /\d/.test(this.#character) && !this.#match(NUMBER_ALONE);
    const isExpression = (/[$"'@([{\d!+,\u2018-\u201e]/.test(this.#character) && !isProgram) || this.#startsUnary();
    if (isExpression && (isFirst || !/[{%?]/.test(this.#character))) {
      const value = this.#expression();
      return { kind: 'expression', value, redirections: this.#redirections() };
    }
    return this.#command();
  }

  #startsUnary(): boolean {
    if (!DASHES.includes(this.#character)) return false;
    const word = this.#match(/.([A-Za-z]+)/y)?.[1];
    return word === undefined ? this.#match(/.[\d.$(]/y) !== null : UNARY_WORDS.test(word);
  }

  #command(): Stage {
    const start = this.#at;
    let operator: '' | '&' | '.' = '';
    if (this.#character === '&' && !this.#look('&&')) operator = '&';
    else if (this.#match(/\.(?=[\s$"'({])/y)) operator = '.';
    if (operator !== '') {
      this.#at += 1;
      this.#blanks();
    }
    const name = this.#commandName(operator);
    const elements: Element[] = [];
    const redirections: Redirection[] = [];
    for (;;) {
      this.#blanks();
      if (this.#endsStatement || this.#character === '|' || (this.#character === '&' && !this.#look('&&'))) break;
      const before = this.#at;
      const redirection = this.#redirection();
      if (redirection) redirections.push(redirection);
      else elements.push(...this.#element());
      if (this.#at === before) {
        this.#problem(`this is not understood: ${this.text.slice(this.#at, this.#at + 20)}`);
        this.#at += 1;
      }
    }
    return { kind: 'command', operator, name, elements, redirections, raw: this.text.slice(start, this.#at).trim() };
  }

  #commandName(operator: '' | '&' | '.'): Expression {
    if (operator !== '' && /[$"'({@\u2018-\u201e]/.test(this.#character)) return this.#postfix(this.#primary());
    // `del,-Force,C:\\foo`: a comma ends the name.
    return this.#bareText(/[\s|;&(){},<>]/);
  }

  #element(): readonly Element[] {
    const start = this.#at;
    if (this.#look('--%')) {
      this.#at += 3;
      const rest = this.#take(/[^\r\n|]*/y)?.[0].trim() ?? '';
      return rest
        .split(/\s+/)
        .filter(Boolean)
        .map((word): Element => ({ kind: 'argument', value: bare(word), raw: word }));
    }
    const parameter = DASHES.includes(this.#character)
      ? this.#take(/[-\u2013\u2014\u2015]([A-Za-z_?][^\s|;&(){},<>"'$:`=.]*)(:)?/y)
      : null;
    if (parameter) {
      const name = parameter[1] ?? '';
      const isContinued = parameter[2] === undefined && this.#match(/[^\s|;&(){},<>]/y) !== null;
      if (!isContinued) {
        const end = this.#at;
        this.#blanks();
        const value = parameter[2] === undefined || this.#endsStatement ? null : this.#argument();
        return [{ kind: 'parameter', name, value, raw: this.text.slice(start, value === null ? end : this.#at) }];
      }
      this.#at = start;
    }
    if (this.#accept(',')) return [];
    const value = this.#argument();
    return [{ kind: 'argument', value, raw: this.text.slice(start, this.#at) }];
  }

  #redirections(): Redirection[] {
    const found: Redirection[] = [];
    for (;;) {
      this.#blanks();
      const redirection = this.#redirection();
      if (!redirection) return found;
      found.push(redirection);
    }
  }

  #redirection(): Redirection | null {
    const merge = this.#take(/([1-6*]?)>&([12])/y);
    if (merge) return { stream: 2, kind: 'merge', target: null };
    const sign = this.#take(/([1-6*])?(>>|>|<)/y);
    if (!sign) return null;
    this.#blanks();
    const kind = sign[2] === '>>' ? 'append' : sign[2] === '<' ? 'read' : 'replace';
    return { stream: sign[1] === '*' ? 0 : Number(sign[1] ?? 1), kind, target: this.#argument() };
  }

  // Arguments: text unless they begin like an expression; commas make a list.

  #argument(): Expression {
    return this.#commaList(() => this.#oneArgument());
  }

  /** Items with commas between them: one alone is itself. */
  #commaList(item: () => Expression): Expression {
    const items = [item()];
    for (;;) {
      const before = this.#at;
      this.#blanks();
      if (!this.#accept(',')) {
        this.#at = before;
        const [first = EMPTY_TEXT] = items;
        return items.length === 1 ? first : { kind: 'array', items };
      }
      this.#blanksAndLines();
      items.push(item());
    }
  }

  #oneArgument(): Expression {
    const character = this.#character;
    if (character === '(' || character === '{' || this.#look('@(') || this.#look('@{') || this.#match(/\$\(/y)) {
      const value = this.#postfix(this.#primary());
      return this.#continuedText(value);
    }
    if (SINGLE_QUOTES.includes(character) || DOUBLE_QUOTES.includes(character) || this.#match(/@["']\r?\n/y)) {
      return this.#postfix(this.#string());
    }
    if (this.#match(/@[A-Za-z_]\w*/y) && !this.#match(/@[\w]+\//y)) return this.#primary();
    if (character === '$' && this.#match(/\$(?:[\w:?^$]|\{)/y))
      return this.#continuedText(this.#postfix(this.#variable()));
    return this.#bareText(/[\s|;&(){},]/);
  }

  /** `$x\\a` and `$(…)b`: an expression at the beginning of a bare word. */
  #continuedText(value: Expression): Expression {
    if (this.#at >= this.text.length || /[\s|;&(){},<>]/.test(this.#character)) return value;
    const rest = this.#bareText(/[\s|;&(){},]/);
    return rest.kind === 'text' ? { ...rest, parts: [value, ...rest.parts], raw: rest.raw } : value;
  }

  /** A word without quotes around it, with quotes and variables inside. */
  #bareText(end: RegExp): Expression {
    const start = this.#at;
    const parts: TextPart[] = [];
    let text = '';
    const flush = (): void => {
      if (text !== '') parts.push(text);
      text = '';
    };
    while (this.#at < this.text.length) {
      const character = this.#character;
      if (character === '`') {
        const next = this.text[this.#at + 1] ?? '';
        if (/[\r\n]/.test(next)) break;
        // In Windows PowerShell an escaped e is an e; what reads as a command is taken for one.
        text += next === 'e' ? next : (ESCAPES[next] ?? next);
        this.#at += 2;
      } else if (character === '$' && this.#match(/\$[\w({:?^]/y)) {
        flush();
        parts.push(this.#look('$(') ? this.#primary() : this.#variable());
      } else if (SINGLE_QUOTES.includes(character) || DOUBLE_QUOTES.includes(character)) {
        flush();
        const quoted = this.#string();
        if (quoted.kind === 'text') parts.push(...quoted.parts);
      } else if (end.test(character) || (/[<>]/.test(character) && this.#at > start)) break;
      else {
        text += character;
        this.#at += 1;
      }
    }
    flush();
    if (this.#at === start && this.#at < this.text.length) {
      this.#problem(`this is not understood: ${this.text.slice(this.#at, this.#at + 20)}`);
      this.#at += 1;
    }
    return { kind: 'text', parts, isBare: true, raw: this.text.slice(start, this.#at) };
  }

  // Expressions.

  #expression(): Expression {
    return this.#nested(EMPTY_TEXT, () => this.#operation(() => this.#listed(), 0));
  }

  /** An argument of a method: there a comma parts arguments and makes no list. */
  #methodArgument(): Expression {
    return this.#nested(EMPTY_TEXT, () => this.#operation(() => this.#unary(), 0));
  }

  /** Operands with operators that bind at least as tightly as `least`. */
  #operation(operand: () => Expression, least: number): Expression {
    let left = operand();
    for (let count = 0; ; count += 1) {
      if (count > MOST_CHAINED) {
        this.#problem('an expression of too many parts');
        this.#at = this.text.length;
        return left;
      }
      const before = this.#at;
      this.#blanks();
      const operator = this.#binaryOperator();
      const strength = operator === null ? -1 : strengthOf(operator);
      if (operator === null || strength < least) {
        this.#at = before;
        return left;
      }
      this.#blanksAndLines();
      const right = operator === '?:' ? this.#alternatives(operand) : this.#operation(operand, strength + 1);
      left = { kind: 'binary', operator, left, right };
    }
  }

  /** What stands behind the `?` of `a ? b : c`. */
  #alternatives(operand: () => Expression): Expression {
    const one = this.#operation(operand, 1);
    this.#blanksAndLines();
    if (!this.#accept(':')) this.#problem('a choice without its other half');
    this.#blanksAndLines();
    return { kind: 'array', items: [one, this.#operation(operand, 0)] };
  }

  /** A comma binds more tightly than any operator. */
  #listed(): Expression {
    return this.#commaList(() => this.#unary());
  }

  #binaryOperator(): string | null {
    if (DASHES.includes(this.#character)) {
      const word = this.#match(/.([A-Za-z]+)(?![\w-])/y);
      if (word && WORD_OPERATORS.test(word[1] ?? '')) {
        this.#at += word[0].length;
        return `-${(word[1] ?? '').toLowerCase().replace(/^[ci](?=eq|ne|gt|ge|lt|le|like|not|match|contains|in|replace|split)/, '')}`;
      }
      if (this.#match(/[-\u2013\u2014\u2015](?![=-])/y)) {
        this.#at += 1;
        return '-';
      }
      return null;
    }
    const sign = this.#match(/\.\.|\?\?(?!=)|[+*/%](?!=)|\?(?=\s)/y);
    if (!sign || (sign[0] === '%' && this.#match(/%\s*\{/y))) return null;
    this.#at += sign[0].length;
    return sign[0] === '?' ? '?:' : sign[0];
  }

  #unary(): Expression {
    return this.#nested(EMPTY_TEXT, () => {
      const word = DASHES.includes(this.#character) ? this.#match(/.([A-Za-z]+)(?![\w-])/y) : null;
      if (word && UNARY_WORDS.test(word[1] ?? '')) {
        this.#at += word[0].length;
        this.#blanksAndLines();
        return { kind: 'unary', operator: (word[1] ?? '').toLowerCase(), value: this.#unary() };
      }
      const sign = this.#take(/\+\+|--|[-+!,]/y);
      if (sign) {
        this.#blanks();
        return { kind: 'unary', operator: sign[0], value: this.#unary() };
      }
      if (this.#character === '[') return this.#typeOrCast();
      return this.#postfix(this.#primary());
    });
  }

  /** `[type]` alone, before `::`, or as a cast of what follows. */
  #typeOrCast(): Expression {
    const name = this.#typeText();
    if (this.#look('::')) return this.#postfix({ kind: 'type', name });
    this.#blanks();
    if (this.#at >= this.text.length || /[\s)|;},\]=]/.test(this.#character)) return { kind: 'type', name };
    if (DASHES.includes(this.#character) && this.#match(/.[A-Za-z]/y)) return { kind: 'type', name };
    return { kind: 'cast', type: name, value: this.#unary() };
  }

  /** `[System.IO.File]` → `io.file`. */
  #typeText(): string {
    this.#at += 1;
    let depth = 1;
    let name = '';
    let isNamed = false;
    while (this.#at < this.text.length) {
      const character = this.#character;
      if (character === '[') depth += 1;
      else if (character === ']') depth -= 1;
      else if (depth > 0 && (SINGLE_QUOTES.includes(character) || DOUBLE_QUOTES.includes(character))) {
        this.#string();
        continue;
      }
      this.#at += 1;
      if (depth === 0) break;
      // Behind the comma stands the assembly that holds the type.
      if (depth === 1 && character === ',') isNamed = true;
      if (!isNamed) name += character;
    }
    return name
      .toLowerCase()
      .replace(/\s/g, '')
      .replace(/^system\.(?=.)/, '');
  }

  #primary(): Expression {
    const character = this.#character;
    if (this.#accept('$(')) return this.#group('$(');
    if (this.#accept('@(')) return this.#group('@(');
    if (this.#accept('@{')) return this.#hash();
    if (
      SINGLE_QUOTES.includes(character) ||
      DOUBLE_QUOTES.includes(character) ||
      this.#match(/@["'\u2018-\u201e]\s*\r?\n/y)
    )
      return this.#string();
    if (character === '$') return this.#variable();
    const splat = this.#take(/@([A-Za-z_][\w:]*)/y);
    if (splat) return { kind: 'variable', name: (splat[1] ?? '').toLowerCase(), isSplat: true };
    if (this.#accept('(')) return this.#group('(');
    if (this.#accept('{')) return { kind: 'block', block: this.#restOfBlock() };
    const number = this.#take(/(?:0x[\da-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)[ldu]*(?:[kmgtp]b)?/iy);
    if (number)
      return { kind: 'number', value: Number.parseFloat(number[0]) || Number(number[0]) || 0, raw: number[0] };
    return this.#bareText(/[\s|;&(){},=\]]/);
  }

  #restOfBlock(): Block {
    const start = this.#at;
    const block = this.#nested<Block>({ parameters: [], body: [], raw: '' }, () =>
      this.#block(() => this.#character === '}', start),
    );
    if (!this.#accept('}')) this.#problem('a block is not closed');
    return block;
  }

  #group(sign: '(' | '$(' | '@('): Expression {
    const body = this.#nested<Block>({ parameters: [], body: [], raw: '' }, () =>
      this.#block(() => this.#character === ')', this.#at),
    ).body;
    if (!this.#accept(')')) this.#problem('a bracket is not closed');
    return { kind: 'group', sign, body };
  }

  #hash(): Expression {
    const entries: (readonly [Expression, Statement])[] = [];
    for (;;) {
      this.#take(/[;\s]+/y);
      this.#blanksAndLines();
      if (this.#at >= this.text.length || this.#accept('}')) return { kind: 'hash', entries };
      const before = this.#at;
      const key = this.#match(/[$"'(\u2018-\u201e]/y) ? this.#primary() : this.#bareText(/[\s=;}]/);
      this.#blanksAndLines();
      if (this.#accept('=')) {
        this.#blanksAndLines();
        entries.push([key, this.#nested(NOTHING, () => this.#statement())]);
      }
      if (this.#at === before) this.#at += 1;
    }
  }

  #postfix(operand: Expression): Expression {
    let value = operand;
    for (let count = 0; count < 200; count += 1) {
      const dot = this.#take(/(\??\.|::)(?=[\w$"'({])/y);
      if (dot) {
        value = this.#member(value, dot[1] === '::');
        continue;
      }
      if (this.#character === '[') {
        this.#at += 1;
        this.#blanksAndLines();
        const key = this.#expression();
        this.#blanksAndLines();
        if (!this.#accept(']')) this.#problem('a bracket is not closed');
        value = { kind: 'index', object: value, key };
        continue;
      }
      if (this.#take(/\+\+|--(?!\w)/y)) continue;
      return value;
    }
    this.#problem('an expression of too many parts');
    return value;
  }

  #member(object: Expression, isStatic: boolean): Expression {
    const word = this.#take(/\w+/y);
    const name = word ? word[0].toLowerCase() : this.#primary();
    // `.ForEach{ … }` needs no brackets.
    if (this.#character === '{' && (name === 'foreach' || name === 'where'))
      return { kind: 'invoke', object, name, isStatic, args: [this.#primary()] };
    if (!this.#accept('(')) return { kind: 'member', object, name, isStatic };
    const args: Expression[] = [];
    for (;;) {
      this.#blanksAndLines();
      if (this.#at >= this.text.length || this.#accept(')')) return { kind: 'invoke', object, name, isStatic, args };
      const before = this.#at;
      if (!this.#accept(',')) {
        args.push(this.#methodArgument());
      }
      if (this.#at === before) {
        this.#problem('arguments that are not understood');
        this.#at += 1;
      }
    }
  }

  /** `$x`, `${a b}`, `$env:PATH`, `$script:x`, `$_`, `$?`. */
  #variable(): Expression {
    const braced = this.#take(/\$\{([^}]*)\}/y);
    if (braced)
      return { kind: 'variable', name: (braced[1] ?? '').replace(/`(.)/g, '$1').toLowerCase(), isSplat: false };
    const plain = this.#take(/\$((?:[A-Za-z]\w*:(?=\w))?[\w?^$]+)/y);
    if (plain) return { kind: 'variable', name: (plain[1] ?? '').toLowerCase(), isSplat: false };
    this.#at += 1;
    return { kind: 'text', parts: ['$'], isBare: false, raw: '$' };
  }

  // Strings.

  #string(): Expression {
    const start = this.#at;
    const here = this.#take(/@(["'\u2018-\u201e])[ \t]*\r?\n/y);
    if (here) return this.#hereString(DOUBLE_QUOTES.includes(here[1] ?? '') ? 'expands' : 'literal', start);
    const quote = this.#character;
    this.#at += 1;
    return SINGLE_QUOTES.includes(quote) ? this.#literal(start) : this.#expandable(start);
  }

  #literal(start: number): Expression {
    let text = '';
    while (this.#at < this.text.length) {
      const character = this.#character;
      this.#at += 1;
      if (!SINGLE_QUOTES.includes(character)) text += character;
      else if (SINGLE_QUOTES.includes(this.#character) && this.#at < this.text.length) {
        text += "'";
        this.#at += 1;
      } else return { kind: 'text', parts: [text], isBare: false, raw: this.text.slice(start, this.#at) };
    }
    this.#problem('a string is not closed');
    return { kind: 'text', parts: [text], isBare: false, raw: this.text.slice(start) };
  }

  #expandable(start: number): Expression {
    const parts: TextPart[] = [];
    let text = '';
    while (this.#at < this.text.length) {
      const character = this.#character;
      if (DOUBLE_QUOTES.includes(character)) {
        this.#at += 1;
        if (this.#at < this.text.length && DOUBLE_QUOTES.includes(this.#character)) {
          text += '"';
          this.#at += 1;
          continue;
        }
        if (text !== '' || parts.length === 0) parts.push(text);
        return { kind: 'text', parts, isBare: false, raw: this.text.slice(start, this.#at) };
      }
      const inner = this.#inside();
      if (typeof inner === 'string') text += inner;
      else {
        if (text !== '') parts.push(text);
        text = '';
        parts.push(inner);
      }
    }
    this.#problem('a string is not closed');
    return { kind: 'text', parts: [...parts, text], isBare: false, raw: this.text.slice(start) };
  }

  /** One character or expression of an expandable text. */
  #inside(): string | Expression {
    const character = this.#character;
    if (character === '`') {
      const unicode = this.#take(/`u\{([\da-f]{1,6})\}/iy);
      if (unicode) return String.fromCodePoint(Math.min(Number.parseInt(unicode[1] ?? '20', 16), 0x10ffff));
      const next = this.text[this.#at + 1] ?? '';
      this.#at += 2;
      return ESCAPES[next] ?? next;
    }
    if (character === '$' && this.#match(/\$[\w({?^]/y)) {
      return this.#look('$(') ? this.#primary() : this.#variable();
    }
    this.#at += 1;
    return character;
  }

  #hereString(kind: 'expands' | 'literal', start: number): Expression {
    const end = /\r?\n["'\u2018-\u201e]@/g;
    end.lastIndex = this.#at - 1;
    const found = end.exec(this.text);
    const stop = found?.index ?? this.text.length;
    if (!found) this.#problem('a here-string is not closed');
    const after = found ? found.index + found[0].length : this.text.length;
    if (kind === 'literal' || stop <= this.#at) {
      const text = this.text.slice(this.#at, Math.max(stop, this.#at));
      this.#at = after;
      return { kind: 'text', parts: [text], isBare: false, raw: this.text.slice(start, after) };
    }
    const parts: TextPart[] = [];
    while (this.#at < stop) {
      const inner = this.#inside();
      const last = parts.at(-1);
      if (typeof inner === 'string' && typeof last === 'string') parts[parts.length - 1] = last + inner;
      else parts.push(inner);
    }
    this.#at = after;
    return { kind: 'text', parts, isBare: false, raw: this.text.slice(start, after) };
  }
}

/** How tightly an operator binds. Source: about_Operator_Precedence. */
function strengthOf(operator: string): number {
  if (operator === '?:') return 0;
  if (/^-(?:and|or|xor)$/.test(operator)) return 2;
  if (/^-(?:band|bor|bxor|shl|shr)$/.test(operator)) return 3;
  if (operator === '+' || operator === '-') return 5;
  if (/^[*/%]$/.test(operator)) return 6;
  if (operator === '-f') return 7;
  if (operator === '..') return 8;
  if (operator === '??') return 1;
  return 4;
}

const bare = (text: string): Expression => ({ kind: 'text', parts: [text], isBare: true, raw: text });

const pipelineOf = (value: Expression): Statement => ({
  kind: 'pipeline',
  stages: [{ kind: 'expression', value, redirections: [] }],
  isBackground: false,
});
