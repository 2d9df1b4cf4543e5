/** A word: its text without quotes and carets, and how it was written. */
export interface CmdWord {
  readonly text: string;
  readonly raw: string;
  readonly isQuoted: boolean;
}

export interface CmdRedirect {
  readonly kind: 'read' | 'replace' | 'append';
  readonly target: CmdWord;
  readonly descriptor: number;
}

export type CmdNode =
  /** `rest` is all that stands behind the name, as it was written; `echo` and `set` take it whole. */
  | {
      readonly kind: 'command';
      readonly words: readonly CmdWord[];
      readonly rest: string;
      readonly redirects: readonly CmdRedirect[];
    }
  /** Parts of a pipe. */
  | { readonly kind: 'pipe'; readonly parts: readonly CmdNode[] }
  | { readonly kind: 'list'; readonly parts: readonly CmdNode[]; readonly redirects: readonly CmdRedirect[] }
  | {
      readonly kind: 'if';
      readonly condition: readonly CmdWord[];
      readonly then: CmdNode;
      readonly otherwise: CmdNode | null;
    }
  /** `for %x in (set) do body`; `option` is `/f`, `/r`, `/d`, `/l` or empty, `detail` what stands behind it. */
  | {
      readonly kind: 'for';
      readonly option: string;
      readonly detail: string;
      readonly variable: string;
      readonly set: string;
      readonly body: CmdNode;
    };

export interface CmdScript {
  readonly nodes: readonly CmdNode[];
  readonly problems: readonly string[];
}

const MOST_NESTED = 40;
/** Words and redirections beyond this of one command are not read. */
const MOST_WORDS = 3_000;

/** Reads a line of cmd.exe whose `%…%` are expanded already. Source: "How does the Windows Command Interpreter parse scripts", phases 2 and later. */
export function parseCmd(text: string): CmdScript {
  const reader = new Reader(text);
  return { nodes: reader.script(), problems: reader.problems };
}

class Reader {
  readonly problems: string[] = [];
  #at = 0;
  #depth = 0;
  /** How many brackets around commands are open: only in one does a closing bracket end a word. */
  #groups = 0;

  constructor(readonly text: string) {}

  script(): readonly CmdNode[] {
    const nodes: CmdNode[] = [];
    while (this.#at < this.text.length) {
      const before = this.#at;
      this.#skip(/[\s;,=&]*/y);
      if (this.#at >= this.text.length) break;
      if (this.#look(')')) {
        this.#problem('a bracket that closes nothing');
        this.#at += 1;
        continue;
      }
      nodes.push(this.#list());
      if (this.#at === before) this.#at += 1;
    }
    return nodes;
  }

  #look(text: string): boolean {
    return this.text.startsWith(text, this.#at);
  }

  #skip(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.text);
    if (match) this.#at += match[0].length;
    return match;
  }

  #problem(what: string): void {
    if (this.problems.length < 4 && !this.problems.includes(what)) this.problems.push(what);
  }

  /** Commands with `&`, `&&` and `||` between them, to the end of the line or bracket. */
  #list(): CmdNode {
    const parts: CmdNode[] = [];
    for (;;) {
      this.#skip(/[ \t;,=]*/y);
      if (this.#at >= this.text.length || this.#look('\n') || this.#look(')')) break;
      if (this.#skip(/&&|\|\||&/y)) continue;
      const before = this.#at;
      parts.push(this.#pipe());
      if (this.#at === before) this.#at += 1;
    }
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'list', parts, redirects: [] };
  }

  #pipe(): CmdNode {
    const parts = [this.#nested()];
    while (this.#skip(/[ \t]*\|(?!\|)/y)) {
      this.#skip(/\s*/y);
      parts.push(this.#nested());
    }
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'pipe', parts };
  }

  #nested(): CmdNode {
    this.#depth += 1;
    if (this.#depth > MOST_NESTED) {
      this.#problem('nested too deeply');
      this.#at = this.text.length;
      this.#depth -= 1;
      return { kind: 'list', parts: [], redirects: [] };
    }
    const node = this.#command();
    this.#depth -= 1;
    return node;
  }

  #command(): CmdNode {
    this.#skip(/[ \t;,=@]*/y);
    if (this.#look('(')) return this.#group();
    if (this.#skip(/:[^\n]*/y) || this.#skip(/rem(?:[ \t][^\n]*|(?=\n|$))/iy))
      return { kind: 'list', parts: [], redirects: [] };
    if (this.#skip(/if(?=[\s(])/iy)) return this.#if();
    if (this.#skip(/for(?=\s)/iy)) return this.#for();
    return this.#simple();
  }

  #group(): CmdNode {
    this.#at += 1;
    this.#groups += 1;
    const parts: CmdNode[] = [];
    for (;;) {
      this.#skip(/[\s;,=&]*/y);
      if (this.#at >= this.text.length) {
        this.#problem('a bracket is not closed');
        break;
      }
      if (this.#look(')')) {
        this.#at += 1;
        break;
      }
      const before = this.#at;
      parts.push(this.#list());
      if (this.#at === before) this.#at += 1;
    }
    this.#groups -= 1;
    return { kind: 'list', parts, redirects: this.#redirects() };
  }

  #redirects(): CmdRedirect[] {
    const found: CmdRedirect[] = [];
    for (;;) {
      this.#skip(/[ \t]*/y);
      const redirect = this.#redirect();
      if (redirect === null) return found;
      if (redirect !== 'merge') found.push(redirect);
    }
  }

  #redirect(): CmdRedirect | 'merge' | null {
    if (this.#skip(/\d?>&\d/y) || this.#skip(/\d?<&\d/y)) return 'merge';
    const sign = this.#skip(/(\d)?(>>|>|<)/y);
    if (!sign) return null;
    this.#skip(/[ \t]*/y);
    const kind = sign[2] === '>>' ? 'append' : sign[2] === '<' ? 'read' : 'replace';
    return { kind, target: this.#word(), descriptor: Number(sign[1] ?? (kind === 'read' ? 0 : 1)) };
  }

  /** `if [/i] [not] exist x`, `defined x`, `errorlevel n`, `a==b`, `a equ b`; what follows is the command. */
  #if(): CmdNode {
    const condition: CmdWord[] = [];
    this.#skip(/[ \t]*/y);
    while (this.#skip(/(?:\/i|not)(?=[\s(])[ \t]*/iy));
    const unary = this.#skip(/(?:exist|defined|errorlevel|cmdextversion)[ \t]+/iy);
    if (unary) condition.push({ text: unary[0].trim().toLowerCase(), raw: unary[0], isQuoted: false }, this.#word());
    else {
      const left = this.#comparand();
      condition.push(left);
      if (!this.#skip(/[ \t]*==[ \t]*/y)) this.#skip(/[ \t]*(?:equ|neq|lss|leq|gtr|geq)[ \t]*/iy);
      condition.push(this.#comparand());
    }
    this.#skip(/[ \t]*/y);
    const then = this.#nested();
    const before = this.#at;
    if (this.#skip(/\s*else(?=[\s(])/iy)) return { kind: 'if', condition, then, otherwise: this.#nested() };
    this.#at = before;
    return { kind: 'if', condition, then, otherwise: null };
  }

  /** One side of a comparison, which may stand without blanks before the sign. */
  #comparand(): CmdWord {
    const start = this.#at;
    let isQuoted = false;
    let inQuotes = false;
    while (this.#at < this.text.length) {
      const character = this.text[this.#at] ?? '';
      if (character === '"') {
        inQuotes = !inQuotes;
        isQuoted = true;
      } else if (!inQuotes && (/[\s()&|<>]/.test(character) || this.#look('=='))) break;
      this.#at += 1;
    }
    const raw = this.text.slice(start, this.#at);
    return { text: raw.replaceAll('"', ''), raw, isQuoted };
  }

  #for(): CmdNode {
    // `/d /r` goes through folders below, as `/r` does.
    const options = this.#skip(/(?:[ \t]*\/[frdl]\b)+/iy)?.[0].toLowerCase() ?? '';
    const option = ['f', 'l', 'r', 'd'].find((one) => options.includes(`/${one}`)) ?? '';
    const detail = this.#skip(/[ \t]*((?:"[^"\n]*"|[^\s(%"])*)[ \t]*(?=%)/y)?.[1] ?? '';
    const variable = this.#skip(/[ \t]*%{1,2}(\w)/y)?.[1] ?? '';
    this.#skip(/\s*in\s*\(/iy);
    const start = this.#at;
    let quote = '';
    while (this.#at < this.text.length) {
      const character = this.text[this.#at] ?? '';
      if (quote !== '') quote = character === quote ? '' : quote;
      else if (character === '"' || (option === 'f' && (character === "'" || character === '`'))) quote = character;
      else if (character === ')') break;
      this.#at += 1;
    }
    const set = this.text.slice(start, this.#at).trim();
    this.#at += 1;
    if (variable === '' || !this.#skip(/\s*do(?=[\s(])\s*/iy)) this.#problem('a for without a body');
    return { kind: 'for', option, detail, variable, set, body: this.#nested() };
  }

  #simple(): CmdNode {
    const words: CmdWord[] = [];
    const redirects: CmdRedirect[] = [];
    let restStart = -1;
    while (this.#at < this.text.length) {
      if (this.#look('\n') || this.#look('&') || this.#look('|') || (this.#groups > 0 && this.#look(')'))) break;
      if (words.length + redirects.length >= MOST_WORDS) {
        this.#problem('more words than are read');
        this.#at = this.text.length;
        break;
      }
      const redirect =
        words.length > 0 && /\S/.test(this.text[this.#at - 1] ?? '') && /\d/.test(this.text[this.#at] ?? '')
          ? null
          : this.#redirect();
      if (redirect !== null) {
        if (redirect !== 'merge') redirects.push(redirect);
        continue;
      }
      if (this.#skip(/[ \t\u00a0]+/y)) continue;
      if (words.length === 0 && this.#look('(')) {
        const group = this.#group();
        return group.kind === 'list' ? { ...group, redirects: [...redirects, ...group.redirects] } : group;
      }
      if (words.length > 0 && this.#skip(/[,;=]+/y)) continue;
      const before = this.#at;
      const word = words.length === 0 ? this.#name() : this.#word();
      words.push(word);
      if (words.length === 1) restStart = this.#at;
      if (this.#at === before) this.#at += 1;
    }
    return { kind: 'command', words, rest: restStart < 0 ? '' : this.text.slice(restStart, this.#at), redirects };
  }

  /** The name of a command ends before what no name holds: `echo.`, `cd..`, `del/f`, `dir\\x`. */
  #name(): CmdWord {
    const glued = this.#skip(
      /(echo|cd|chdir|md|mkdir|rd|rmdir|dir|del|erase|type|copy|move|ren|rename|pushd|start|set|exit|call|color|cls|ver|vol)(?=[./\\:;,=+[\]"(])(?!\.(?:exe|com|bat|cmd)\b)/iy,
    );
    const shell = this.#skip(/cmd(?:\.exe)?(?=\/[ckqdsv])/iy);
    if (shell) return { text: shell[0], raw: shell[0], isQuoted: false };
    if (glued) return { text: glued[0], raw: glued[0], isQuoted: false };
    return this.#word();
  }

  #word(): CmdWord {
    const start = this.#at;
    let text = '';
    let inQuotes = false;
    let isQuoted = false;
    while (this.#at < this.text.length) {
      const character = this.text[this.#at] ?? '';
      if (character === '\n') break;
      if (character === '"') {
        inQuotes = !inQuotes;
        isQuoted = true;
        this.#at += 1;
        continue;
      }
      if (!inQuotes) {
        if (character === '^') {
          text += this.text[this.#at + 1] ?? '';
          this.#at += 2;
          continue;
        }
        if (/[\s&|<>]/.test(character) || (character === ')' && this.#groups > 0)) break;
      }
      text += character;
      this.#at += 1;
    }
    return { text, raw: this.text.slice(start, this.#at), isQuoted };
  }
}
