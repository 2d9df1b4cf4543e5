import type { Interpolation, LexicalRules, Part, StringRule, Token } from './token.js';

/** Tokens of a program text, and whether it could be cut to its end. */
export interface Lexed {
  readonly tokens: readonly Token[];
  /** A string, comment or bracket is not closed. */
  readonly isUnfinished: boolean;
}

const SPACE = /[ \t\f\r\u00a0]+|\\\r?\n/y;
const NUMBER = /(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:e[+-]?\d+)?|\.\d+)[nLjlf]?/iy;
const SIGN =
  /\.\.\.|\*\*=|<=>|===|!==|\?\?=|\|\|=|&&=|>>>=?|<<=|>>=|\*\*|=>|->|&\.(?=[A-Za-z_])|::|\?\.|\?\?|\?->|\.\.|==|!=|<=|>=|&&|\|\||\+\+|--|\+=|-=|\*=|\/\/=|\/\/|\/=|\.=|%=|\|=|&=|\^=|:=|=~|!~|<<|>>|[^\s]/y;

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** More tokens than ordinary code has in a text that is looked at; beyond them it counts as unfinished. */
const MOST_TOKENS = 20_000;

/** Cuts a program text into tokens by the rules of its language. Linear in the text, up to its here-documents. */
export const lex = (text: string, rules: LexicalRules): Lexed => new Lexer(text, rules).run();

class Lexer {
  readonly #tokens: Token[] = [];
  readonly #open: string[] = [];
  readonly #pendingHere: {
    readonly mark: string;
    readonly isRaw: boolean;
    readonly mayIndent: boolean;
    readonly at: number;
  }[] = [];
  #at = 0;
  #indent = 0;
  #isFirst = true;
  #hasSpace = true;
  #isUnfinished = false;

  constructor(
    readonly text: string,
    readonly rules: LexicalRules,
  ) {}

  run(): Lexed {
    this.#startLine();
    while (this.#at < this.text.length && this.#tokens.length < MOST_TOKENS) this.#next();
    return {
      tokens: this.#tokens,
      isUnfinished:
        this.#isUnfinished || this.#at < this.text.length || this.#open.length > 0 || this.#pendingHere.length > 0,
    };
  }

  #next(): void {
    const character = this.text[this.#at] ?? '';
    if (character === '\n') {
      this.#at += 1;
      this.#endLine();
      return;
    }
    if (/[ \t\f\r\u00a0\\]/.test(character) && this.#skip(SPACE)) return;
    if (this.rules.commentStarts.includes(character) && this.#skip(this.rules.comment)) return;
    if (character === '<' && this.#hereDocument()) return;
    if (this.rules.stringStarts.includes(character)) {
      for (const rule of this.rules.strings) if (this.#string(rule)) return;
    }
    const number = /[\d.]/.test(character) ? this.#take(NUMBER) : null;
    if (number) return this.#push('number', number[0]);
    const name = this.#take(this.rules.name);
    if (name) return this.#push('name', name[0]);
    const sign = this.#take(SIGN);
    if (!sign) {
      this.#at += 1;
      return;
    }
    this.#bracket(sign[0]);
    this.#push('sign', sign[0]);
  }

  #bracket(sign: string): void {
    const close = PAIRS[sign];
    if (close !== undefined) this.#open.push(close);
    else if (/^[)\]}]$/.test(sign)) {
      if (this.#open.at(-1) === sign) this.#open.pop();
      else this.#isUnfinished = true;
    }
  }

  #endLine(): void {
    if (!this.#isFirst) this.#push('end-of-line', '\n');
    this.#startLine();
    for (const here of this.#pendingHere.splice(0)) this.#readHere(here);
  }

  #startLine(): void {
    this.#isFirst = true;
    this.#hasSpace = true;
    this.#indent = 0;
    for (let at = this.#at; at < this.text.length; at += 1) {
      const character = this.text[at];
      if (character === ' ') this.#indent += 1;
      else if (character === '\t') this.#indent = (Math.floor(this.#indent / 8) + 1) * 8;
      else break;
    }
  }

  #push(type: Token['type'], text: string, parts: readonly Part[] = []): void {
    this.#tokens.push({
      type,
      text,
      parts,
      indent: this.#indent,
      isFirstOfLine: this.#isFirst,
      hasSpaceBefore: this.#hasSpace,
    });
    this.#isFirst = false;
    this.#hasSpace = false;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.text);
    if (!match || match[0] === '') return null;
    this.#at += match[0].length;
    return match;
  }

  #skip(pattern: RegExp): boolean {
    if (this.#take(pattern) === null) return false;
    this.#hasSpace = true;
    return true;
  }

  /** Whether an operand stands right before, so that what follows is an operator. */
  #isAfterOperand(): boolean {
    const last = this.#tokens.at(-1);
    if (!last || this.#isFirst) return false;
    if (last.type === 'sign') return /^[)\]}]$/.test(last.text);
    return last.type !== 'end-of-line' && !(last.type === 'name' && this.rules.operators.has(last.text));
  }

  #string(rule: StringRule): boolean {
    if (rule.isOperator && this.#isAfterOperand()) return false;
    const before = this.#at;
    const match = this.#take(rule.open);
    if (!match) return false;
    const { end, nests } = rule.close(match);
    const inside = rule.inside?.(match) ?? { mark: null, name: null };
    const parts = new StringReader(this.text, this.#at, end, nests, rule.escapes(match), inside);
    const read = parts.read();
    if (read === null) {
      if (rule.type === 'regex') {
        this.#at = before;
        return false;
      }
      this.#isUnfinished = true;
      this.#at = this.text.length;
      this.#push(rule.type, '', [{ code: '' }]);
      return true;
    }
    this.#at = read.after;
    this.#push(rule.type, read.parts.every((part) => typeof part === 'string') ? read.parts.join('') : '', read.parts);
    return true;
  }

  #hereDocument(): boolean {
    const { hereDocument } = this.rules;
    if (hereDocument === null) return false;
    const match = this.#take(hereDocument);
    if (!match) return false;
    const groups = match.groups ?? {};
    this.#pendingHere.push({
      mark: groups['mark'] ?? '',
      isRaw: groups['quote'] === "'",
      mayIndent: groups['dash'] !== undefined && groups['dash'] !== '',
      at: this.#tokens.length,
    });
    this.#push('string', '');
    return true;
  }

  /** Puts the lines of a here-document into the token that announced it. */
  #readHere({ mark, isRaw, mayIndent, at }: { mark: string; isRaw: boolean; mayIndent: boolean; at: number }): void {
    const end = new RegExp(`^${mayIndent ? '[ \\t]*' : ''}${mark}\\b`, 'm');
    const rest = this.text.slice(this.#at);
    const found = end.exec(rest);
    if (!found) this.#isUnfinished = true;
    const body = rest.slice(0, found?.index ?? rest.length);
    this.#at += found ? found.index + found[0].length : rest.length;
    const token = this.#tokens[at];
    if (!token) return;
    const parts = isRaw ? [body] : partsOf(body, this.rules.hereInside);
    this.#tokens[at] = { ...token, text: parts.every((part) => typeof part === 'string') ? parts.join('') : '', parts };
  }
}

/** Parts of a text that has no end mark of its own. */
function partsOf(body: string, inside: Interpolation): readonly Part[] {
  return new StringReader(`${body}\u0000`, 0, '\u0000', null, 'c', inside).read()?.parts ?? [{ code: '' }];
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\u001b',
  a: '\u0007',
  '\n': '',
};

/** Reads one string from behind its opening to its end. */
class StringReader {
  readonly #parts: Part[] = [];
  #text = '';
  #at: number;

  constructor(
    readonly text: string,
    start: number,
    readonly end: string,
    readonly nests: string | null,
    readonly escapes: 'c' | 'quote' | 'none',
    readonly inside: Interpolation,
  ) {
    this.#at = start;
  }

  /** The parts and where the text goes on; null when the end is missing. */
  read(): { readonly parts: readonly Part[]; readonly after: number } | null {
    let depth = 0;
    while (this.#at < this.text.length) {
      if (depth === 0 && this.text.startsWith(this.end, this.#at)) return this.#finish();
      const character = this.text[this.#at] ?? '';
      if (character === '\\' && this.escapes !== 'none') this.#escape();
      else if (this.#interpolation()) continue;
      else {
        if (this.nests !== null && character === this.nests) depth += 1;
        else if (this.nests !== null && character === this.end) depth -= 1;
        else if (
          this.end.length === 1 &&
          /["']/.test(this.end) &&
          character === '\n' &&
          this.escapes === 'c' &&
          this.inside.mark === null
        )
          return null;
        this.#text += character;
        this.#at += 1;
      }
    }
    return null;
  }

  #finish(): { readonly parts: readonly Part[]; readonly after: number } {
    if (this.#text !== '' || this.#parts.length === 0) this.#parts.push(this.#text);
    return { parts: this.#parts, after: this.#at + this.end.length };
  }

  #escape(): void {
    const next = this.text[this.#at + 1] ?? '';
    if (this.escapes === 'quote') {
      this.#text += next === '\\' || this.end.startsWith(next) || next === this.nests ? next : `\\${next}`;
      this.#at += 2;
      return;
    }
    const code = /^(?:x([\da-f]{1,2})|u\{([\da-f]{1,6})\}|u([\da-f]{4})|U([\da-f]{8})|([0-7]{1,3}))/i.exec(
      this.text.slice(this.#at + 1, this.#at + 11),
    );
    if (code) {
      const hex = code[1] ?? code[2] ?? code[3] ?? code[4];
      const point = hex === undefined ? Number.parseInt(code[5] ?? '0', 8) : Number.parseInt(hex, 16);
      this.#text += point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd';
      this.#at += 1 + code[0].length;
      return;
    }
    this.#text += SIMPLE[next] ?? next;
    this.#at += 2;
  }

  #interpolation(): boolean {
    const { mark, name } = this.inside;
    if (mark !== null && this.text.startsWith(mark, this.#at)) {
      if (mark === '{' && this.text[this.#at + 1] === '{') {
        this.#text += '{';
        this.#at += 2;
        return true;
      }
      const start = this.#at + mark.length;
      const close = closingBrace(this.text, start);
      if (close < 0) return false;
      this.#add(this.text.slice(start, close));
      this.#at = close + 1;
      return true;
    }
    if (mark === '{' && this.text.startsWith('}}', this.#at)) {
      this.#text += '}';
      this.#at += 2;
      return true;
    }
    if (name === null) return false;
    name.lastIndex = this.#at;
    const match = name.exec(this.text);
    if (!match) return false;
    this.#add(match.groups?.['code'] ?? match[0]);
    this.#at += match[0].length;
    return true;
  }

  #add(code: string): void {
    if (this.#text !== '') this.#parts.push(this.#text);
    this.#text = '';
    this.#parts.push({ code });
  }
}

/** Index of the brace that closes an expression inside a string; -1 when there is none within reach. */
function closingBrace(text: string, from: number): number {
  let depth = 0;
  let quote = '';
  const limit = Math.min(text.length, from + 4_000);
  for (let at = from; at < limit; at += 1) {
    const character = text[at] ?? '';
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'" || character === '`') quote = character;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return -1;
}
