import type { SyntaxNode } from '../../syntax.js';

/** What is said where brackets stand behind a name, as in a call of another language. */
export const NO_WORD = 'something stands where no word can stand';

/**
 * The shape of a script by the shell's own grammar (POSIX, Shell Command Language §2.10). The parser's tree is made for colouring:
 * it knows words, quotes and compound commands well, but hangs redirections and pipes at the wrong places (`a || b 2>x | c`).
 * So its nodes are laid out in a row here, and put together again by precedence. Every character of the text must be
 * accounted for: what is neither a known node nor blank is a problem, and a problem is an `unknown` effect.
 */
export interface Script {
  readonly items: readonly Item[];
  /** What was not understood, in words. */
  readonly problems: readonly string[];
}

/** `a && b || c &` */
export interface Item {
  readonly pipelines: readonly Pipeline[];
  /** Between pipelines: one fewer than these. */
  readonly operators: readonly ('&&' | '||')[];
  readonly isBackground: boolean;
}

/** `! a | b |& c` */
export interface Pipeline {
  readonly stages: readonly Command[];
  readonly isNegated: boolean;
}

/** A word: one or more nodes that touch each other. */
export type WordNodes = readonly SyntaxNode[];

/** One redirection. A here-document has its body as target. */
export interface RedirectNode {
  readonly operator: string;
  /** Null where the operator's own default holds. */
  readonly descriptor: number | null;
  /** The variable that is given the number of a descriptor which the shell picks (`{fd}<file`); null otherwise. */
  readonly numbers: string | null;
  readonly target: WordNodes;
  readonly heredoc: Heredoc | null;
}

/** A here-document. */
export interface Heredoc {
  readonly body: SyntaxNode | null;
  /** Whether its delimiter was quoted: then nothing in it is expanded. */
  readonly isLiteral: boolean;
  readonly stripsTabs: boolean;
}

/** `A=1 cmd word >f`, a compound command with its redirections, or a group in braces. */
export type Command =
  | {
      readonly type: 'simple';
      readonly assignments: readonly SyntaxNode[];
      readonly words: readonly WordNodes[];
      readonly redirects: readonly RedirectNode[];
    }
  | { readonly type: 'compound'; readonly node: SyntaxNode; readonly redirects: readonly RedirectNode[] }
  | { readonly type: 'group'; readonly items: readonly Item[]; readonly redirects: readonly RedirectNode[] };

/** Nodes that only hold others together. */
const CONTAINERS = new Set([
  'program',
  'list',
  'pipeline',
  'redirected_statement',
  'negated_command',
  'command',
  'command_name',
  'variable_assignments',
  'heredoc_redirect',
  'file_redirect',
  'herestring_redirect',
  'declaration_command',
  'unset_command',
]);
/** Compound commands, walked by their own rules. */
const COMPOUNDS = new Set([
  'if_statement',
  'while_statement',
  'for_statement',
  'c_style_for_statement',
  'case_statement',
  'subshell',
  'compound_statement',
  'function_definition',
  'test_command',
]);
/** Nodes that are a word or a part of one. */
const WORDS = new Set([
  'word',
  'number',
  'string',
  'raw_string',
  'ansi_c_string',
  'translated_string',
  'concatenation',
  'simple_expansion',
  'expansion',
  'command_substitution',
  'process_substitution',
  'arithmetic_expansion',
  'brace_expression',
  'extglob_pattern',
  'regex',
  'variable_name',
  'special_variable_name',
  'subscript',
  'array',
  '$',
]);
const SEPARATORS = new Set([';', '&', '\n', ';;']);
const CONNECTORS = new Set(['|', '|&', '&&', '||']);
const REDIRECTS = new Set(['<', '>', '>>', '&>', '&>>', '<&', '>&', '>|', '<&-', '>&-', '<<', '<<-', '<<<', '<>']);
/** Words that are grammar when they stand where a command begins. Where the parser took one for a program, it was lost. */
const RESERVED = new Set('if then else elif fi do done case esac while until for select function [[ ]] }'.split(' '));

type Token =
  | { readonly type: 'operator'; readonly text: string; readonly start: number; readonly end: number }
  | { readonly type: 'redirect'; readonly text: string; readonly start: number; readonly end: number }
  | { readonly type: 'descriptor'; readonly value: number; readonly start: number; readonly end: number }
  | { readonly type: 'word'; readonly nodes: SyntaxNode[]; readonly start: number; end: number }
  | { readonly type: 'assignment'; readonly node: SyntaxNode; readonly start: number; readonly end: number }
  | { readonly type: 'compound'; readonly node: SyntaxNode; readonly start: number; readonly end: number }
  | { readonly type: 'delimiter'; readonly node: SyntaxNode; readonly start: number; readonly end: number };

/** The shape of a sequence of sibling nodes (a whole program, the body of a loop…). `text` is what was parsed. Linear. */
export function shapeOf(nodes: readonly SyntaxNode[], text: string): Script {
  const row = new Row(text);
  row.addAll(nodes);
  const grammar = new Grammar(row.tokens, row.bodies, text);
  const items = grammar.list(false);
  return { items, problems: [...row.problems, ...grammar.problems] };
}

/** Lays nodes out in source order. */
class Row {
  readonly tokens: Token[] = [];
  readonly bodies: (SyntaxNode | null)[] = [];
  readonly problems: string[] = [];
  #end = -1;

  constructor(readonly text: string) {}

  addAll(nodes: readonly SyntaxNode[]): void {
    for (const node of nodes) this.add(node);
  }

  add(node: SyntaxNode): void {
    const { type } = node;
    if (node.isMissing) {
      // `A=1 >f` has no program; the parser wants one and makes it up.
      if (type !== 'word' && type !== 'command_name') this.problems.push(`something is missing here: ${type}`);
      return;
    }
    if (CONTAINERS.has(type)) {
      this.addAll(node.children);
      return;
    }
    if (type === 'ERROR') {
      this.#error(node);
      return;
    }
    if (type === '\n' || node.start === node.end) return;
    if (type === 'variable_assignment' && this.#assignment(node)) return;
    this.#gap(node.start);
    this.#place(node);
    this.#end = node.end;
  }

  #place(node: SyntaxNode): void {
    const { type, start, end } = node;
    if (type === 'comment') return;
    if (type === 'heredoc_body') {
      this.bodies.push(node);
      this.#newline(end);
    } else if (type === 'heredoc_end') this.#newline(end);
    else if (type === 'heredoc_start') this.tokens.push({ type: 'delimiter', node, start, end });
    else if (type === 'file_descriptor') {
      this.tokens.push({ type: 'descriptor', value: Number(this.text.slice(start, end)), start, end });
    } else if (type === 'variable_assignment') this.tokens.push({ type: 'assignment', node, start, end });
    else if (COMPOUNDS.has(type)) this.tokens.push({ type: 'compound', node, start, end });
    else if (REDIRECTS.has(type)) this.#redirect(type, start, end);
    else if (SEPARATORS.has(type) || CONNECTORS.has(type))
      this.tokens.push({ type: 'operator', text: type, start, end });
    else if (WORDS.has(type) || (!node.isNamed && /^[\w!]+$/.test(type))) this.#word(node);
    else this.problems.push(`${type.replaceAll('_', ' ')} is not understood`);
  }

  /**
   * An assignment ends where its word ends. The parser has been seen to reach over a blank or a redirection for a value
   * (`a+=\\  cmd`, `a=>f cmd`): what does not touch the operator is laid out behind the assignment. False when all of it touches.
   */
  #assignment(node: SyntaxNode): boolean {
    const sign = node.children.findIndex(({ type }) => type === '=' || type === '+=');
    const own = node.children.slice(0, sign + 1);
    const [first, ...others] = node.children.slice(sign + 1);
    const end = own.at(-1)?.end;
    if (end === undefined || !first) return false;
    const isWhole = first.type !== 'ERROR' && others.length === 0;
    const gap = this.text.slice(end, first.start).replace(/\\\r?\n/g, '');
    if (isWhole && gap === '') return false;
    // The value begins with an escaped blank, which the parser leaves out; its end is right.
    const isEscaped = isWhole && /^(?:\\[ \t])+$/.test(gap);
    if (gap.trim() !== '') this.problems.push(`this is not understood: ${gap.trim().slice(0, 40)}`);
    if (isEscaped) return false;
    this.add({ ...node, end, children: own });
    if (gap.trim() !== '') {
      // What stands in the gap is told already.
      if (gap.includes('\n')) this.#newline(end);
      this.#end = first.start;
    }
    this.addAll([first, ...others]);
    return true;
  }

  /** `<` and `>` that touch are one operator, `<<` and `<` too: the parser does not know `<>` and some places of `<<<`. */
  #redirect(text: string, start: number, end: number): void {
    const last = this.tokens.at(-1);
    if (last?.type === 'redirect' && last.end === start && REDIRECTS.has(last.text + text)) {
      this.tokens[this.tokens.length - 1] = { type: 'redirect', text: last.text + text, start: last.start, end };
    } else this.tokens.push({ type: 'redirect', text, start, end });
  }

  #word(node: SyntaxNode): void {
    const last = this.tokens.at(-1);
    // The parser ends some values too early (`a=b,<(cmd)`); what it calls the program is then still the value.
    if (last?.type === 'assignment' && last.end === node.start) this.problems.push('a value is not understood');
    if (last?.type === 'word' && last.end === node.start) {
      last.nodes.push(node);
      last.end = node.end;
    } else this.tokens.push({ type: 'word', nodes: [node], start: node.start, end: node.end });
  }

  /** What the parser could not place is good all the same when it is only operators: the grammar here places them. */
  #error(node: SyntaxNode): void {
    const isRow = node.children.length > 0 && node.children.every((child) => isOperator(child.type));
    const own = this.text.slice(node.start, node.end).trim();
    if (isRow) this.addAll(node.children);
    else if (isOperator(own)) this.add({ ...node, type: own, isNamed: false, children: [] });
    else this.problems.push('it cannot be parsed');
  }

  #newline(at: number): void {
    this.tokens.push({ type: 'operator', text: '\n', start: at, end: at });
  }

  #lost(start: number, length: number): void {
    const end = start + length;
    this.#word({
      type: 'word',
      field: null,
      isNamed: true,
      isMissing: false,
      hasError: false,
      start,
      end,
      children: [],
    });
  }

  /** Checks what stands between two tokens. A line end is a separator of its own. */
  #gap(start: number): void {
    if (this.#end < 0 || start <= this.#end) return;
    const gap = this.text.slice(this.#end, start).replace(/\\\r?\n/g, '');
    const last = this.tokens.at(-1);
    // A backslash at the end of a line goes on with the same word.
    if (gap === '' && last?.type === 'word') last.end = start;
    if (gap.includes('\n')) this.#newline(this.#end);
    if (!/[^\s]/.test(gap)) return;
    // The parser drops some plain words, such as the dash of `python3 - <<EOF`. They are words all the same.
    const word = /^\s*([\w./:=@%+,-]+)\s*$/.exec(gap)?.[1];
    if (word === undefined || gap.includes('\n'))
      this.problems.push(`this is not understood: ${gap.trim().slice(0, 40)}`);
    else this.#lost(this.text.indexOf(word, this.#end), word.length);
  }
}

const isOperator = (type: string): boolean => SEPARATORS.has(type) || CONNECTORS.has(type) || REDIRECTS.has(type);

/** Puts tokens together by precedence. Never fails: what does not fit is a problem and is passed over. */
class Grammar {
  readonly problems: string[] = [];
  #at = 0;
  #body = 0;

  constructor(
    readonly tokens: readonly Token[],
    readonly bodies: readonly (SyntaxNode | null)[],
    readonly text: string,
  ) {}

  list(isGroup: boolean): readonly Item[] {
    const items: Item[] = [];
    for (;;) {
      this.#skipSeparators();
      if (this.#at >= this.tokens.length) {
        if (isGroup) this.problems.push('a group is not closed');
        return items;
      }
      if (isGroup && this.#isWord('}')) {
        this.#at += 1;
        return items;
      }
      const before = this.#at;
      items.push(this.#item());
      if (this.#at === before) {
        this.problems.push('it cannot be parsed');
        this.#at += 1;
      }
    }
  }

  #item(): Item {
    const pipelines = [this.#pipeline()];
    const operators: ('&&' | '||')[] = [];
    for (let operator = this.#operator(); operator === '&&' || operator === '||'; operator = this.#operator()) {
      this.#at += 1;
      this.#skipNewlines();
      operators.push(operator);
      pipelines.push(this.#pipeline());
    }
    return { pipelines, operators, isBackground: this.#operator() === '&' };
  }

  #pipeline(): Pipeline {
    const isNegated = this.#isWord('!');
    this.#prefixes();
    const stages = [this.#command()];
    for (let operator = this.#operator(); operator === '|' || operator === '|&'; operator = this.#operator()) {
      this.#at += 1;
      this.#skipNewlines();
      // Behind a pipe `time` is a program like any other.
      if (!this.#isWord('time')) this.#prefixes();
      stages.push(this.#command());
    }
    return { stages, isNegated };
  }

  /** `!`, `time -p` and `coproc NAME` before a command change nothing in what it does. */
  #prefixes(): void {
    for (;;) {
      if (this.#isWord('!')) this.#at += 1;
      else if (this.#isWord('time')) {
        this.#at += 1;
        while (this.#isWord('-p') || this.#isWord('--')) this.#at += 1;
      } else if (this.#isWord('coproc')) {
        this.#at += 1;
        if (this.#isWord('{', 1) || this.tokens[this.#at + 1]?.type === 'compound') this.#at += 1;
      } else return;
    }
  }

  #command(): Command {
    const token = this.tokens[this.#at];
    if (token?.type === 'compound') {
      this.#at += 1;
      return { type: 'compound', node: token.node, redirects: this.#redirects() };
    }
    if (this.#isWord('{')) {
      this.#at += 1;
      const items = this.list(true);
      return { type: 'group', items, redirects: this.#redirects() };
    }
    if (token?.type === 'word' && RESERVED.has(this.#textOf(token))) {
      this.problems.push(`${this.#textOf(token)} stands where it cannot be understood`);
    }
    return this.#simple();
  }

  #redirects(): readonly RedirectNode[] {
    const redirects: RedirectNode[] = [];
    for (let found = this.#redirect(); found; found = this.#redirect()) redirects.push(found);
    return redirects;
  }

  #simple(): Command {
    const assignments: SyntaxNode[] = [];
    const words: WordNodes[] = [];
    const redirects: RedirectNode[] = [];
    for (;;) {
      const redirect = this.#redirect();
      if (redirect) {
        redirects.push(redirect);
        continue;
      }
      const token = this.tokens[this.#at];
      if (token?.type === 'assignment') {
        if (words.length === 0) assignments.push(token.node);
        else words.push([token.node]);
      } else if (token?.type === 'word') words.push(token.nodes);
      else {
        if (token && token.type !== 'operator') this.problems.push(NO_WORD);
        if (assignments.length + words.length + redirects.length === 0) this.problems.push('a command is missing');
        return { type: 'simple', assignments, words, redirects };
      }
      this.#at += 1;
    }
  }

  #redirect(): RedirectNode | null {
    let token = this.tokens[this.#at];
    let descriptor: number | null = null;
    let numbers: string | null = null;
    if (token?.type === 'descriptor') descriptor = token.value;
    else if (token?.type === 'word' && /^\d+$/.test(this.#textOf(token))) descriptor = Number(this.#textOf(token));
    else if (token?.type === 'word' && /^\{\w+\}$/.test(this.#textOf(token))) {
      descriptor = 10;
      numbers = this.#textOf(token).slice(1, -1);
    }
    if (descriptor !== null) {
      const next = this.tokens[this.#at + 1];
      if (next?.type !== 'redirect' || next.start !== token?.end) return null;
      this.#at += 1;
      token = next;
    }
    if (token?.type !== 'redirect') return null;
    this.#at += 1;
    const operator = token.text;
    if (operator.endsWith('-') && operator !== '<<-')
      return { operator, descriptor, numbers, target: [], heredoc: null };
    if (operator === '<<' || operator === '<<-') return this.#heredoc(operator, descriptor, numbers);
    const target = this.tokens[this.#at];
    if (target?.type !== 'word') {
      this.problems.push(`${operator} leads nowhere`);
      return { operator, descriptor, numbers, target: [], heredoc: null };
    }
    this.#at += 1;
    return { operator, descriptor, numbers, target: target.nodes, heredoc: null };
  }

  #heredoc(operator: string, descriptor: number | null, numbers: string | null): RedirectNode {
    const delimiter = this.tokens[this.#at];
    if (delimiter?.type !== 'delimiter') {
      this.problems.push('a here-document has no delimiter');
      return { operator, descriptor, numbers, target: [], heredoc: null };
    }
    this.#at += 1;
    const body = this.bodies[this.#body];
    this.#body += 1;
    if (body === undefined) this.problems.push('a here-document has no end');
    const isLiteral = /['"\\]/.test(this.text.slice(delimiter.start, delimiter.end));
    return {
      operator,
      descriptor,
      numbers,
      target: [],
      heredoc: { body: body ?? null, isLiteral, stripsTabs: operator === '<<-' },
    };
  }

  #operator(): string | null {
    const token = this.tokens[this.#at];
    return token?.type === 'operator' ? token.text : null;
  }

  #skipSeparators(): void {
    for (let operator = this.#operator(); operator !== null && SEPARATORS.has(operator); operator = this.#operator()) {
      this.#at += 1;
    }
  }

  #skipNewlines(): void {
    while (this.#operator() === '\n') this.#at += 1;
  }

  #isWord(text: string, ahead = 0): boolean {
    const token = this.tokens[this.#at + ahead];
    return token?.type === 'word' && this.#textOf(token) === text;
  }

  #textOf(token: Token): string {
    return this.text.slice(token.start, token.end);
  }
}
