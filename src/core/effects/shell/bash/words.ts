import type { Inflow, TerminalState, Word } from '../../effect.js';
import type { SyntaxNode } from '../../syntax.js';
import type { Called, Frame } from '../frame.js';
import { isSecretName } from '../secretNames.js';
import { windowsVariable } from '../windowsEnvironment.js';
import { exactWord, OWN_JOB } from '../word.js';
import { ansiC } from './ansiC.js';
import { expandBraces, type Unit } from './braces.js';
import { applyOperator, elementsOf, positionalOf, readParameter, type Parameter } from './parameter.js';
import { bare, BREAK, numberPiece, quoted, unknownPiece, valuePiece, wordOf, wordsOf, type Piece } from './pieces.js';
import type { WordNodes } from './shape.js';
import { isUnset, referredName } from './terminal.js';
import { withoutEnd } from '../../../trim.js';

/** What the expansion of words needs from the walk that it is part of. */
export interface Surroundings {
  /** The text that was parsed. */
  readonly text: string;
  readonly frame: Frame;
  /** Runs the statements of a substitution and says what is known of their output. */
  substitute(node: SyntaxNode, kind: 'output' | 'input-of' | 'output-to'): Called;
  /** The name under which a process substitution can be opened. */
  substitutedFile(node: SyntaxNode): Word;
  /** Text of a here-document whose tabs are taken away, after expansion. */
  untabbed(body: string): Word;
  /** Something in a word was not understood. */
  problem(what: string): void;
}

const NUMBERS = new Set(
  '$ ! ? # RANDOM SECONDS LINENO UID EUID PPID BASHPID EPOCHSECONDS EPOCHREALTIME SRANDOM COLUMNS LINES'.split(' '),
);
const DEFAULT_SEPARATORS = ' \t\n';
/** Nodes whose text is a literal outside of quotes. */
const LITERALS = new Set([
  'word',
  'number',
  'extglob_pattern',
  'regex',
  'brace_expression',
  'variable_name',
  'special_variable_name',
  'test_operator',
]);

/** Expands words as bash does, with what is known; what is not known stays visible in the word (`certainty`). */
export class Expander {
  /** Where data that was substituted into words comes from. Taken and cleared by whoever makes a command of the words. */
  inflows: Inflow[] = [];
  /** Names that the command itself sets: its own words still see the old values, though whoever wrote them may mean the new ones. */
  ownNames: ReadonlySet<string> = new Set();
  /** Whether the words only stand in a test: that a secret is set or equal to something is no reading of it. */
  isTesting = false;

  constructor(readonly around: Surroundings) {}

  get #terminal(): TerminalState {
    return this.around.frame.terminal;
  }

  /** The fields that one written word becomes: none, one or several. */
  fields(nodes: WordNodes): Word[] {
    const raw = this.#raw(nodes);
    const only = nodes.length === 1 ? nodes[0] : undefined;
    if (only?.type === 'variable_assignment') return this.#assignmentWords(only);
    const globs = this.#terminal.options.has('noglob') ? 'noglob' : 'globs';
    return this.#braced(nodes).flatMap((units) => {
      const pieces = this.#separable(this.#tilde(units.flatMap((unit) => this.#unit(unit))));
      return wordsOf(pieces, raw, this.#separators(), globs);
    });
  }

  /** The target of a redirection. Braces are expanded to one word; bash refuses several. */
  target(nodes: WordNodes): Word {
    const [units, ...others] = this.#braced(nodes);
    if (!units || others.length > 0) return this.single(nodes);
    const pieces = this.#tilde(units.flatMap((unit) => this.#unit(unit)));
    return wordOf(pieces, this.#raw(nodes), 'globs');
  }

  /** One word without splitting and globs: the subject of `case`, a here-string. */
  single(nodes: WordNodes): Word {
    const pieces = this.#tilde(nodes.flatMap((node) => this.#node(node, 'bare')));
    return wordOf(pieces, this.#raw(nodes), 'globs');
  }

  /** The value of an assignment: no splitting, no globs, tildes after colons too. */
  value(node: SyntaxNode): Word {
    const pieces = this.#node(node, 'bare').map((piece, at): Piece => {
      if (piece.quoting !== 'bare') return piece;
      const text = piece.text.replace(/(^|:)~(?=[/:]|$)/g, (tilde, before: string, offset: number) =>
        at === 0 || offset > 0 ? before + this.around.frame.facts.home : tilde,
      );
      return { ...piece, text };
    });
    return wordOf(pieces, this.#raw([node]), 'noglob');
  }

  /** Elements of `(a b c)`; null where their number or one of their keys cannot be known. */
  elements(array: SyntaxNode): readonly Word[] {
    const words: WordNodes[] = [];
    for (const child of array.children) {
      if (!child.isNamed || child.type === 'comment') continue;
      const last = words.at(-1);
      if (last && last.at(-1)?.end === child.start) words[words.length - 1] = [...last, child];
      else words.push([child]);
    }
    return words.flatMap((word) => this.fields(word));
  }

  /** Text of a here-document after expansion. */
  heredoc(body: SyntaxNode, isLiteral: boolean, stripsTabs: boolean): Word {
    const raw = this.around.text.slice(body.start, body.end);
    // The parser overlooks what is substituted right behind the tabs that `<<-` takes away.
    if (stripsTabs && !isLiteral && raw.includes('$(')) return this.around.untabbed(raw.replace(/^\t+/gm, ''));
    const pieces = isLiteral ? [quoted(raw)] : this.#range(body.start, body.end, body.children, 'heredoc');
    const word = wordOf(pieces, raw, 'noglob');
    return stripsTabs ? { ...word, text: word.text.replace(/^\t+/gm, '') } : word;
  }

  /** Evaluates all that is substituted anywhere below a node, for its effects alone (tests, arithmetic, subscripts). */
  evaluate(node: SyntaxNode): void {
    const { type } = node;
    if (type === 'command_substitution') this.#substitution(node, true);
    else if (type === 'process_substitution') this.around.substitutedFile(node);
    else if (type === 'expansion' || type === 'simple_expansion') this.#node(node, 'quoted');
    else if (type === 'ERROR') this.around.problem('an expression cannot be parsed');
    else for (const child of node.children) this.evaluate(child);
  }

  /** `declare X={a,b}`: as an operand of a builtin, braces in the value make several words of it, of which the last one stays. */
  #assignmentWords(node: SyntaxNode): Word[] {
    const value = node.children.find(({ field }) => field === 'value');
    const values = value && value.type !== 'array' ? this.#braced([value]) : [];
    if (!value || values.length < 2) return [this.#assignmentWord(node)];
    const raw = this.#raw([node]);
    const head = this.around.text.slice(node.start, value.start);
    return values.map((units) => {
      const pieces = units.flatMap((unit) => this.#unit(unit));
      const word = wordOf(this.#tilde(pieces), raw, 'noglob');
      return { ...word, text: head + word.text, raw };
    });
  }

  #assignmentWord(node: SyntaxNode): Word {
    const value = node.children.find(({ field }) => field === 'value');
    const raw = this.#raw([node]);
    const head = this.around.text.slice(node.start, value?.start ?? node.end);
    if (!value) return exactWord(head);
    if (value.type === 'array') {
      this.elements(value);
      return { text: raw, raw, certainty: 'dynamic', quoted: false };
    }
    const word = this.value(value);
    return { ...word, text: head + word.text, raw };
  }

  #raw(nodes: WordNodes): string {
    return this.around.text.slice(nodes[0]?.start ?? 0, nodes.at(-1)?.end ?? 0);
  }

  /** Where IFS cannot be known, neither can the words that an unquoted value makes, but for plain ones. */
  #separable(pieces: Piece[]): Piece[] {
    const separators = this.#terminal.variables.get('IFS');
    if (!separators || separators.certainty === 'exact') return pieces;
    return pieces.map((piece) =>
      piece.quoting === 'split' && /\W/.test(piece.text) ? unknownPiece(`$(${piece.text})`, 'split') : piece,
    );
  }

  #separators(): string {
    const value = this.#terminal.variables.get('IFS');
    return value?.certainty === 'exact' ? value.text : DEFAULT_SEPARATORS;
  }

  // Braces come first, over what is written.

  #braced(nodes: WordNodes): readonly (readonly Unit[])[] {
    const units: Unit[] = [];
    const add = (node: SyntaxNode): void => {
      if (node.type === 'concatenation') for (const child of node.children) add(child);
      else if (LITERALS.has(node.type))
        units.push({ type: 'text', text: this.around.text.slice(node.start, node.end) });
      else units.push({ type: 'node', node });
    };
    for (const node of nodes) add(node);
    const expanded = expandBraces(units);
    if (expanded) return expanded;
    this.around.problem('braces make too many words');
    return [units];
  }

  #unit(unit: Unit): Piece[] {
    return unit.type === 'text' ? this.#literal(unit.text, 'bare') : this.#node(unit.node, 'bare');
  }

  #tilde(pieces: Piece[]): Piece[] {
    const [first] = pieces;
    if (first?.quoting !== 'bare' || !first.text.startsWith('~')) return pieces;
    const [, user = '', rest = ''] = /^~([^/]*)(.*)$/s.exec(first.text) ?? [];
    if (rest === '' && pieces.length > 1 && user !== '') return pieces;
    const home = this.#homeOf(user);
    return home === null ? pieces : [quoted(home), bare(rest), ...pieces.slice(1)];
  }

  #homeOf(user: string): string | null {
    const { facts } = this.around.frame;
    if (user === '') {
      const home = this.#terminal.variables.get('HOME');
      return home ? (home.certainty === 'exact' ? home.text : null) : facts.home;
    }
    if (user === '+') return this.#terminal.cwd;
    if (user === '-') return this.#terminal.previousCwd;
    if (user === 'root') return facts.platform === 'darwin' ? '/var/root' : '/root';
    return /^[\w.-]+$/.test(user) ? `${facts.platform === 'darwin' ? '/Users' : '/home'}/${user}` : null;
  }

  // Nodes to pieces.

  #node(node: SyntaxNode, quoting: 'bare' | 'quoted'): Piece[] {
    const { text } = this.around;
    const own = text.slice(node.start, node.end);
    switch (node.type) {
      case 'raw_string':
        return [quoted(own.slice(1, -1))];
      case 'ansi_c_string':
        // The parser has been seen to read over its end.
        if (!/^\$'(?:\\[\s\S]|[^\\'])*'$/.test(own)) return this.#strange(own);
        return [quoted(ansiC(own.slice(2, -1)))];
      case 'string':
        return [quoted(''), ...this.#range(node.start + 1, node.end - 1, node.children.slice(1, -1), 'quoted')];
      case 'translated_string':
        return node.children.flatMap((child) => (child.type === '$' ? [] : this.#node(child, quoting)));
      case 'concatenation':
        return this.#range(node.start, node.end, node.children, quoting);
      case 'simple_expansion':
      case 'expansion':
        return this.#expansion(node, own, quoting === 'quoted');
      case 'command_substitution':
        return [this.#substitution(node, quoting === 'quoted')];
      case 'process_substitution':
        return [valuePiece(this.around.substitutedFile(node), true)];
      case 'arithmetic_expansion':
        return [this.#arithmetic(node, own)];
      case '$':
        if (own === '$$') return [numberPiece];
        return own === '$' && text.charAt(node.end) === '"' ? [] : [quoting === 'bare' ? bare(own) : quoted(own)];
      case 'array':
      case 'subscript':
      case 'ERROR':
        this.around.problem(`this is not understood: ${own.slice(0, 40)}`);
        return [unknownPiece(`$(${own})`, 'split')];
      default:
        if (LITERALS.has(node.type) || !node.isNamed) return this.#literal(own, quoting);
        this.around.problem(`${node.type.replaceAll('_', ' ')} is not understood`);
        return [unknownPiece(`$(${own})`, 'split')];
    }
  }

  /** Pieces of a stretch of text in which some nodes are known; what lies between them is literal. */
  #range(start: number, end: number, nodes: readonly SyntaxNode[], quoting: 'bare' | 'quoted' | 'heredoc'): Piece[] {
    const pieces: Piece[] = [];
    let at = start;
    const inner = quoting === 'bare' ? 'bare' : 'quoted';
    const literal = (to: number): void => {
      if (to > at) pieces.push(...this.#literal(this.around.text.slice(at, to), quoting));
    };
    for (const node of nodes) {
      if (node.start < at || node.end > end || isPlain(node)) continue;
      literal(node.start);
      pieces.push(...this.#node(node, inner));
      at = node.end;
    }
    literal(end);
    return pieces;
  }

  /** Text without expansions in it: backslashes by the rules of where it stands. */
  #literal(text: string, quoting: 'bare' | 'quoted' | 'heredoc'): Piece[] {
    if (quoting !== 'bare') {
      if (/`|\$[\w({@*#?!$-]/.test(text.replace(/\\[\s\S]/g, ''))) {
        this.around.problem(`this is not understood: ${text.trim().slice(0, 40)}`);
        return [unknownPiece(`$(${text})`, 'quoted')];
      }
      const escapes = quoting === 'quoted' ? /\\([$`"\\]|\r?\n)/g : /\\([$`\\]|\r?\n)/g;
      return [quoted(text.replace(escapes, (_all, char: string) => (char.endsWith('\n') ? '' : char)))];
    }
    // The parser has been seen to take a blank or an operator into a word; the shell never does.
    const unescaped = text.replace(/\\[\s\S]/g, '').replace(/[!@+?*]\([^()\s;&<>]*\)/g, '');
    if (/[\s;|&<>]/.test(unescaped)) return this.#strange(text);
    if (!/[\\'"`$]/.test(text)) return [bare(text)];
    const pieces: Piece[] = [];
    let plain = '';
    for (let at = 0; at < text.length; at += 1) {
      const char = text.charAt(at);
      if (char === '\\' && at + 1 < text.length) {
        if (plain !== '') pieces.push(bare(plain));
        plain = '';
        at += 1;
        if (text.charAt(at) !== '\n') pieces.push(quoted(text.charAt(at)));
        continue;
      }
      // A quote or dollar that the parser did not take for one: the shell may.
      if (/['"`]/.test(char) || (char === '$' && /[\w({'"@*#?!$-]/.test(text.charAt(at + 1)))) {
        return this.#strange(text);
      }
      plain += char;
    }
    if (plain !== '') pieces.push(bare(plain));
    return pieces;
  }

  #strange(text: string): Piece[] {
    this.around.problem(`this is not understood: ${text.slice(0, 40)}`);
    return [unknownPiece(`$(${text})`, 'split')];
  }

  // Substitutions.

  #substitution(node: SyntaxNode, isQuoted: boolean): Piece {
    const called = this.around.substitute(node, 'output');
    this.inflows.push(...called.inflows);
    const raw = this.around.text.slice(node.start, node.end);
    if (!called.output)
      return unknownPiece(raw.startsWith('$') ? raw : `$(${raw.slice(1, -1)})`, isQuoted ? 'quoted' : 'split');
    const text = withoutEnd(called.output.text, '\n');
    return valuePiece({ ...called.output, text }, isQuoted);
  }

  #arithmetic(node: SyntaxNode, own: string): Piece {
    this.evaluate(node);
    this.#arithmeticNames(node);
    const sum = /^\$(?:\(\(|\[)\s*(\d{1,9})\s*(?:([-+*])\s*(\d{1,9})\s*)?(?:\)\)|\])$/.exec(own);
    if (!sum) return numberPiece;
    const [, left, operator, right] = sum;
    if (operator === undefined) return quoted(String(Number(left)));
    const [a, b] = [Number(left), Number(right)];
    return quoted(String(operator === '+' ? a + b : operator === '-' ? a - b : a * b));
  }

  /** A name in arithmetic is evaluated again as an expression: `x='a[$(cmd)]'; ((x))` runs cmd. */
  #arithmeticNames(node: SyntaxNode): void {
    // Single quotes protect nothing in arithmetic: what is substituted between them runs.
    if (/'[^']*(?:`|\$\()[^']*'/.test(this.around.text.slice(node.start, node.end)))
      this.around.problem('quotes in arithmetic');
    const words = this.around.text.slice(node.start, node.end).match(/[A-Za-z_]\w*/g) ?? [];
    for (const name of words) {
      const value = this.#terminal.variables.get(name);
      if (value && /\$\(|`|<\(/.test(value.text)) this.around.problem(`arithmetic runs what ${name} holds`);
    }
  }

  /** The same for other places that read an expression: names that a builtin is told to set or test. */
  arithmetic(node: SyntaxNode): void {
    this.evaluate(node);
    this.#arithmeticNames(node);
  }

  // Parameters.

  #expansion(node: SyntaxNode, own: string, isQuoted: boolean): Piece[] {
    if (node.type === 'simple_expansion') {
      // `$1x` is `${1}x`: positional parameters without braces have one digit.
      const [, name = '', rest = ''] = /^\$(\d(?=\w)|.+)(.*)$/s.exec(own) ?? [];
      const plain: Parameter = { prefix: '', name, index: null, operator: '', argumentStart: own.length };
      const pieces = this.#parameter(plain, node, own, isQuoted);
      return rest === '' ? pieces : [...pieces, isQuoted ? quoted(rest) : bare(rest)];
    }
    const parameter = readParameter(own);
    if (parameter) return this.#parameter(parameter, node, own, isQuoted);
    this.around.problem(`this is not understood: ${own.slice(0, 40)}`);
    for (const child of node.children) this.evaluate(child);
    return [unknownPiece(own, isQuoted ? 'quoted' : 'split')];
  }

  #parameter(parameter: Parameter, node: SyntaxNode, own: string, isQuoted: boolean): Piece[] {
    const { name, operator } = parameter;
    if (parameter.index !== null)
      for (const child of node.children) if (child.type === 'subscript') this.arithmetic(child);
    const list = this.#listOf(parameter);
    if (list !== undefined) return this.#list(list, parameter, own, isQuoted);
    if (parameter.prefix === '#') return [numberPiece];
    const wasTesting = this.isTesting;
    // `${KEY:+set}` tells only whether there is one.
    if (operator.endsWith('+')) this.isTesting = true;
    const value = this.#lookup(parameter);
    this.isTesting = wasTesting;
    const argument = (): Piece[] => this.#argument(parameter, node, isQuoted);
    switch (operator) {
      case '':
        return [this.#use(value, own, isQuoted)];
      case ':-':
      case '-':
        return this.#alternatives(value, argument, own, isQuoted, isEmpty(value, operator));
      case ':=':
      case '=': {
        const pieces = this.#alternatives(value, argument, own, isQuoted, isEmpty(value, operator));
        this.#assign(name, wordOf(pieces, own, 'noglob'));
        return pieces;
      }
      case ':+':
      case '+':
        if (isEmpty(value, operator) === true) return isQuoted ? [quoted('')] : [];
        return this.#alternative(argument(), own, isQuoted, isEmpty(value, operator) === false);
      case ':?':
      case '?':
        argument();
        return [this.#use(value, own, isQuoted)];
      default: {
        if (operator === '@' && /^P/.test(own.slice(parameter.argumentStart))) this.#promptCode(value, own);
        const given = wordOf(argument(), own, 'noglob');
        const source = own.slice(parameter.argumentStart, -1);
        const text = given.certainty === 'exact' ? this.#plainArgument(given, source) : null;
        const result = value?.certainty === 'exact' && text !== null ? applyOperator(value.text, operator, text) : null;
        return [
          result === null ? unknownPiece(own, isQuoted ? 'quoted' : 'split') : valuePiece(exactWord(result), isQuoted),
        ];
      }
    }
  }

  /** `${x@P}` reads a value as a prompt, and whatever is substituted in it runs. */
  #promptCode(value: Word | null | undefined, own: string): void {
    if (value === null || (value?.certainty === 'exact' && !/[`$]/.test(value.text))) return;
    const { run } = this.around.frame;
    if (value?.certainty === 'exact') run.code('bash', exactWord(`: "${value.text.replaceAll('"', '\\"')}"`));
    run.emit(
      'execute',
      { type: 'process', process: 'bash' },
      { certainty: 'dynamic', traits: ['covert', 'unreviewed'], note: `${own} runs what is substituted in the value` },
    );
  }

  /** A pattern argument keeps its backslashes, so it is taken as written when nothing in it is expanded. */
  #plainArgument(given: Word, source: string): string {
    return /[$`'"]/.test(source) ? given.text : source;
  }

  /** A value that is there, or the default where it is empty; both where that cannot be told. */
  #alternatives(
    value: Word | null | undefined,
    argument: () => Piece[],
    own: string,
    isQuoted: boolean,
    empty: boolean | null,
  ): Piece[] {
    if (empty === true) return argument();
    if (empty === false) return [this.#use(value, own, isQuoted)];
    argument(); // What the default substitutes may run.
    return [unknownPiece(own, isQuoted ? 'quoted' : 'split')];
  }

  #alternative(argument: Piece[], own: string, isQuoted: boolean, isUsed: boolean): Piece[] {
    return isUsed ? argument : [unknownPiece(own, isQuoted ? 'quoted' : 'split')];
  }

  #argument(parameter: Parameter, node: SyntaxNode, isQuoted: boolean): Piece[] {
    const start = node.start + parameter.argumentStart;
    const end = node.end - 1;
    const nodes = flatten(node.children).filter((child) => child.start >= start);
    if (start >= end) return [];
    const pieces = this.#range(start, end, nodes, isQuoted ? 'quoted' : 'bare');
    return isQuoted
      ? pieces
      : pieces.map((piece) => (piece.quoting === 'bare' ? { ...piece, quoting: 'split' } : piece));
  }

  /** The list that `[@]`, `[*]`, `$@` and `$*` stand for; null when it is not known, undefined when it is no list. */
  #listOf({ name, index, prefix }: Parameter): readonly Word[] | null | undefined {
    const { variables } = this.#terminal;
    if (name === '@' || name === '*') return positionalOf(variables);
    if (index === '@' || index === '*') {
      return prefix === '!' ? null : this.#isKnownArray(name) ? elementsOf(name, variables) : null;
    }
    return undefined;
  }

  #isKnownArray(name: string): boolean {
    const { variables } = this.#terminal;
    return variables.has(name) || variables.has(`${name}[0]`);
  }

  #list(list: readonly Word[] | null, parameter: Parameter, own: string, isQuoted: boolean): Piece[] {
    const { prefix, operator, name } = parameter;
    this.#trace(name);
    if (prefix === '#') return list ? [quoted(String(list.length))] : [numberPiece];
    if (list === null || (operator !== '' && operator !== ':' && !(operator.endsWith('-') || operator.endsWith('+')))) {
      return [unknownPiece(own, isQuoted ? 'quoted' : 'split')];
    }
    const chosen = operator === ':' ? sliceOf(list, own.slice(parameter.argumentStart, -1), name) : list;
    if (chosen === null) return [unknownPiece(own, isQuoted ? 'quoted' : 'split')];
    const isOneWord = isQuoted && (name === '*' || parameter.index === '*');
    return chosen.flatMap((word, at): Piece[] => {
      const piece = valuePiece(word, isQuoted);
      if (at === 0) return [piece];
      return isOneWord ? [quoted(' '), piece] : [BREAK, piece];
    });
  }

  #use(value: Word | null | undefined, own: string, isQuoted: boolean): Piece {
    if (value === undefined && this.ownNames.size > 0) {
      const name = /^\$\{?(\w+)/.exec(own)?.[1] ?? '';
      if (this.ownNames.has(name)) return unknownPiece(`$(${own.slice(1)})`, isQuoted ? 'quoted' : 'split');
    }
    if (value === undefined) return unknownPiece(own, isQuoted ? 'quoted' : 'split');
    if (value === null) return { text: '', quoting: isQuoted ? 'quoted' : 'split', certainty: 'exact' };
    if (value.certainty === 'dynamic' && !value.text.startsWith('$')) return { ...valuePiece(value, isQuoted) };
    return valuePiece(value, isQuoted);
  }

  /** The value of a parameter: null when it is unset, undefined when it cannot be known. */
  #lookup({ name, index, prefix }: Parameter): Word | null | undefined {
    const key = index === null || index === '0' ? name : `${name}[${index}]`;
    const value = this.lookup(key);
    if (prefix !== '!') return value;
    return value?.certainty === 'exact' && /^\w+$/.test(value.text) ? this.lookup(value.text) : undefined;
  }

  /** The value of a variable: null when it is unset, undefined when it cannot be known. */
  lookup(name: string): Word | null | undefined {
    const { variables, cwd, previousCwd } = this.#terminal;
    const target = referredName(name, variables);
    if (target !== name) return this.lookup(target);
    const value = variables.get(name);
    if (value) {
      this.#trace(name);
      return isUnset(value) ? null : value;
    }
    if (name === '!') return OWN_JOB;
    if (NUMBERS.has(name)) return { text: '[0-9]*', raw: `$${name}`, certainty: 'pattern', quoted: true };
    if (/^\d+$/.test(name)) return variables.has('@') ? undefined : name === '0' ? exactWord('bash') : null;
    if (name === 'PWD') return cwd === null ? undefined : exactWord(cwd);
    if (name === 'OLDPWD') return previousCwd === null ? undefined : exactWord(previousCwd);
    if (name === 'HOME') return exactWord(this.around.frame.facts.home);
    if (name === 'IFS') return exactWord(DEFAULT_SEPARATORS);
    if (/^[-_]$|^(BASH|FUNCNAME|PIPESTATUS|REPLY|SHELL|DIRSTACK|HOSTNAME|COMP)/.test(name)) return undefined;
    return this.#environment(name);
  }

  #environment(name: string): Word | null | undefined {
    const { facts, run } = this.around.frame;
    const told = /^\w+$/.test(name) ? facts.environment(name) : undefined;
    const value = told ?? (facts.platform === 'win32' ? (windowsVariable(name, facts) ?? told) : told);
    if (value !== null && isSecretName(name)) {
      run.emit('read', { type: 'environment', name }, { traits: this.isTesting ? [] : ['secret'] });
      if (!this.isTesting) this.inflows.push({ from: { type: 'environment', name }, how: 'verbatim' });
    }
    return typeof value === 'string' ? exactWord(value) : value;
  }

  #trace(name: string): void {
    const origins = this.#terminal.origins.get(name);
    if (origins) this.inflows.push(...origins);
  }

  #assign(name: string, value: Word): void {
    const { terminal } = this.around.frame;
    this.around.frame.terminal = { ...terminal, variables: new Map(terminal.variables).set(name, value) };
  }
}

/** Whether a node stands for its own text. Its quoting depends on what is around it, so the text is read there. */
const isPlain = (node: SyntaxNode): boolean =>
  node.type === 'string_content' ||
  node.type === 'heredoc_content' ||
  LITERALS.has(node.type) ||
  (!node.isNamed && node.type !== '$');

/** Nodes with those that only hold others replaced by these. */
const flatten = (nodes: readonly SyntaxNode[]): readonly SyntaxNode[] =>
  nodes.flatMap((node) => (node.type === 'concatenation' ? flatten(node.children) : [node]));

/** Whether the operator's condition (with a colon: set and not empty) fails; null when it cannot be told. */
function isEmpty(value: Word | null | undefined, operator: string): boolean | null {
  if (value === null) return true;
  if (value === undefined) return null;
  if (!operator.startsWith(':')) return false;
  if (value.certainty === 'exact') return value.text === '';
  return value.text.replace(/\$(\w+|\{[^}]*\}|\([^)]*\))/g, '') !== '' ? false : null;
}

/** `${@:2}`, `${a[@]:1:2}`. Positional parameters count from 1. Null when the numbers are not plain. */
function sliceOf(list: readonly Word[], argument: string, name: string): readonly Word[] | null {
  const match = /^\s*(\d+)\s*(?::\s*(\d+)\s*)?$/.exec(argument);
  if (!match) return null;
  const start = Number(match[1]) - (name === '@' || name === '*' ? 1 : 0);
  return list.slice(Math.max(start, 0), match[2] === undefined ? undefined : Math.max(start, 0) + Number(match[2]));
}
