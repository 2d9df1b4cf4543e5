/** What a sed script does besides editing its stream. */
export interface SedScript {
  /** Commands that `e` runs; null for those whose text is the stream itself. */
  readonly commands: readonly (string | null)[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Whether it ended where a command was expected to be whole. */
  readonly isUnderstood: boolean;
  /** Whether it deletes every line, or takes its text away, before anything is printed; in its blocks nothing is looked for. */
  readonly takesAll: boolean;
  /** How lines come out that are printed by command (`p`): none, some, or each. */
  readonly prints: 'none' | 'some' | 'each';
}

/** Reads a sed script. Linear. Source: GNU sed 4.9, POSIX sed. */
export function readSedScript(script: string): SedScript {
  const reader = new Reader(script);
  reader.run();
  return reader;
}

/** What `s/pattern/replacement/e` runs: the line after the change, which is the replacement alone where all of it is replaced. */
function ranBy(pattern: string, replacement: string): readonly (string | null)[] {
  const text = replacement.replace(/\\([^\d])/g, '$1');
  if (/(?<!\\)&|\\\d/.test(replacement)) return [null];
  if (/^\^?\.\*\$?$/.test(pattern)) return [text];
  return /\s/.test(text.trim()) ? [null, text] : [null];
}

class Reader implements SedScript {
  readonly commands: (string | null)[] = [];
  readonly reads: string[] = [];
  readonly writes: string[] = [];
  isUnderstood = true;
  takesAll = false;
  prints: SedScript['prints'] = 'none';
  #at = 0;
  #depth = 0;

  constructor(readonly script: string) {}

  run(): void {
    while (this.#at < this.script.length && this.isUnderstood) this.#statement();
  }

  #statement(): void {
    this.#skip(/[\s;]/);
    const start = this.#at;
    this.#address();
    const address = this.script.slice(start, this.#at).trim();
    const before = this.#at;
    this.#skip(/[\s!]/);
    const isNegated = this.script.slice(before, this.#at).includes('!');
    const command = this.#take();
    this.#weigh(command, address, isNegated);
    switch (command) {
      case '':
        return;
      case '{':
        this.#depth += 1;
        return;
      case '}':
        this.#depth = Math.max(0, this.#depth - 1);
        return;
      case '#':
        this.#line();
        return;
      case 's':
        this.#substitute();
        return;
      case 'y': {
        const delimiter = this.#take();
        this.#until(delimiter);
        this.#until(delimiter);
        return;
      }
      case 'a':
      case 'i':
      case 'c':
        this.#text();
        return;
      case 'r':
      case 'R':
        this.reads.push(this.#line().trim());
        return;
      case 'w':
      case 'W':
        this.writes.push(this.#line().trim());
        return;
      case 'e': {
        const text = this.#line().trim();
        this.commands.push(text === '' ? null : text);
        return;
      }
      case 'b':
      case 't':
      case 'T':
      case ':':
        this.#label();
        return;
      case 'l':
      case 'L':
      case 'q':
      case 'Q':
        this.#skip(/[\s\d]/);
        return;
      default:
        if (!/[dDgGhHnNpPxzFv=]/.test(command)) this.isUnderstood = false;
    }
  }

  /** What a command means for the lines that come out. */
  #weigh(command: string, address: string, isNegated: boolean): void {
    const isOfAll = this.#depth === 0 && !isNegated && /^(?:|[01],\$|0~1|1~1|\/\^?(?:\.[*+]?)?\$?\/)$/.test(address);
    if (/^[aircw]$/i.test(command) && command !== 'c') this.prints = 'each'; // Something else comes out at least.
    if (/^[pP]$/.test(command)) this.prints = isOfAll ? 'each' : this.prints === 'each' ? 'each' : 'some';
    const text = this.script.slice(this.#at, this.#at + 12);
    const isErasing = command === 's' && /^([/|#,])\^?\.\*\$?\1\1g?(?:[;}\s]|$)/.test(text);
    // `1,5!d` and `5q` keep the first lines alone.
    const keepsSome = (/^[dD]$/.test(command) && isNegated) || (/^[qQ]$/.test(command) && this.#depth === 0);
    if (this.prints !== 'none') return;
    if (keepsSome || (isOfAll && (/^[dDc]$/.test(command) || isErasing))) this.takesAll = true;
  }

  #substitute(): void {
    const delimiter = this.#take();
    if (delimiter === '' || delimiter === '\n' || delimiter === '\\') {
      this.isUnderstood = false;
      return;
    }
    const pattern = this.#until(delimiter);
    const replacement = this.#until(delimiter);
    for (let flag = this.#peek(); /[gpiImMe0-9]/.test(flag); flag = this.#peek()) {
      this.#at += 1;
      if (flag === 'p' && this.prints === 'none') this.prints = 'some';
      if (flag === 'e') this.commands.push(...ranBy(pattern, replacement));
    }
    if (this.#peek() === 'w') {
      this.#at += 1;
      this.writes.push(this.#line().trim());
    }
  }

  /** `1`, `$`, `/re/I`, `\%re%`, `1~2`, `2,+3`, `0,/re/` */
  #address(): void {
    for (;;) {
      this.#skip(/\s/);
      const char = this.#peek();
      if (/[\d$~+,]/.test(char)) this.#at += 1;
      else if (char === '/') {
        this.#at += 1;
        this.#until('/');
        this.#skip(/[IM]/);
      } else if (char === '\\') {
        this.#at += 1;
        this.#until(this.#take());
        this.#skip(/[IM]/);
      } else return;
    }
  }

  /** Text of `a`, `i`, `c`: to the end of a line that does not end in a backslash. */
  #text(): void {
    let line = this.#line();
    while (line.endsWith('\\') && this.#at < this.script.length) line = this.#line();
  }

  #label(): void {
    while (this.#at < this.script.length && !/[\n;}]/.test(this.#peek())) this.#at += 1;
  }

  #peek(): string {
    return this.script.charAt(this.#at);
  }

  #take(): string {
    this.#at += 1;
    return this.script.charAt(this.#at - 1);
  }

  #skip(what: RegExp): void {
    while (this.#at < this.script.length && what.test(this.#peek())) this.#at += 1;
  }

  #line(): string {
    const end = this.script.indexOf('\n', this.#at);
    const line = this.script.slice(this.#at, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.script.length : end + 1;
    return line;
  }

  /** Passes over text up to a delimiter; a bracket expression may hold it, a backslash takes it away. */
  /** The text up to the delimiter, which is taken too. */
  #until(delimiter: string): string {
    const start = this.#at;
    while (this.#at < this.script.length) {
      const char = this.#take();
      if (char === '\\') this.#at += 1;
      else if (char === delimiter) return this.script.slice(start, this.#at - 1);
      else if (char === '[' && delimiter !== '[') this.#bracket(delimiter);
    }
    this.isUnderstood = false;
    return '';
  }

  /** `[a/b]` holds the delimiter, but only where the bracket is closed on the same line. */
  #bracket(delimiter: string): void {
    const rest = this.script.slice(this.#at);
    const match = /^\^?\]?[^\]\n]*\]/.exec(rest);
    if (match && match[0].includes(delimiter) && !/\\/.test(match[0])) this.#at += match[0].length;
  }
}
